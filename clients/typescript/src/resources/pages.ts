import type { Download } from "../download.ts";
import type { List } from "../list.ts";
import type { Transport } from "../transport.ts";
import type {
  ChangeOptions,
  CreateOptions,
  Deleted,
  Page,
  PageImage,
  PageImageInput,
  PageInput,
  PageUpdate,
  Query,
  RequestOptions,
  Schema,
  Submission,
} from "../types.ts";

/** Hosted pages, and what people send in their forms. */
export class Pages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists pages, newest first. */
  list(page: Query<"listPages"> = {}, options?: RequestOptions): List<Page, Schema<"PageList">> {
    return this.#transport.list("listPages", { query: page }, ({ items }) => items, options);
  }

  /** Creates a page, for codes of the type `servicepage`. */
  create(page: PageInput, options?: CreateOptions): Promise<Page> {
    return this.#transport.json("createPage", { body: page }, options);
  }

  /** Returns a page. */
  get(id: string, options?: RequestOptions): Promise<Page> {
    return this.#transport.json("getPage", { path: { id } }, options);
  }

  /** Changes a page. Scans show it at once. */
  update(id: string, changes: PageUpdate, options?: ChangeOptions): Promise<Page> {
    return this.#transport.json("updatePage", { path: { id }, body: changes }, options);
  }

  /** Deletes a page that no code uses. */
  delete(id: string, options?: ChangeOptions): Promise<Deleted> {
    return this.#transport.json("deletePage", { path: { id } }, options);
  }

  /** Restores a deleted page, within 30 days. */
  restore(id: string, options?: RequestOptions): Promise<Page> {
    return this.#transport.json("restorePage", { path: { id } }, options);
  }

  /** Adds an image. Its `url` is for image blocks and headers of pages. */
  addImage(image: PageImageInput, options?: CreateOptions): Promise<PageImage> {
    return this.#transport.json("createPageImage", { body: image }, options);
  }

  /** Downloads an image that was added. */
  image(id: string, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("getPageImage", { path: { id } }, options);
  }

  /** Lists the submissions of a page's form, newest first. */
  submissions(
    id: string,
    filter: Query<"listSubmissions"> = {},
    options?: RequestOptions,
  ): List<Submission, Schema<"SubmissionList">> {
    const parts = { path: { id }, query: filter };
    return this.#transport.list("listSubmissions", parts, ({ items }) => items, options);
  }

  /** Streams submissions as CSV or NDJSON, oldest first. */
  exportSubmissions(
    id: string,
    filter: Query<"exportSubmissions"> = {},
    options?: RequestOptions,
  ): Promise<Download> {
    return this.#transport.download("exportSubmissions", { path: { id }, query: filter }, options);
  }
}

import type { Download } from "../download.ts";
import { NotFoundError } from "../errors.ts";
import type { List } from "../list.ts";
import { responseOf, type Transport } from "../transport.ts";
import type {
  ChangeOptions,
  CreateOptions,
  Deleted,
  HistoryEntry,
  ListedQr,
  Qr,
  QrInput,
  QrUpdate,
  QrUpsert,
  Query,
  RequestOptions,
  Scannability,
  Schema,
  UpsertOptions,
} from "../types.ts";

/** Own ids that can stand in a path. Any other goes in the query. */
const fitsInPath = (externalId: string) => /^(?!\.+$)[\w.~:@-]+$/.test(externalId);

/** QR codes, one by one. */
export class Codes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a code. `https://` is added to a bare host name. */
  create(code: QrInput, options?: CreateOptions): Promise<Qr> {
    return this.#transport.json("createQr", { body: code }, options);
  }

  /** Lists codes, newest first or as `sort` and `order` say; with `include: "scans"`, with their scans. */
  list(filter: Query<"listQr"> = {}, options?: RequestOptions): List<ListedQr, Schema<"QrList">> {
    return this.#transport.list("listQr", { query: filter }, (page) => page.items, options);
  }

  /** Returns a code. */
  get(id: string, options?: RequestOptions): Promise<Qr> {
    return this.#transport.json("getQr", { path: { id } }, options);
  }

  /** Returns the code that has your own id. */
  async getByExternalId(externalId: string, options?: RequestOptions): Promise<Qr> {
    if (fitsInPath(externalId)) {
      return this.#transport.json("getQrByOwnId", { path: { externalId } }, options);
    }
    const page = await this.list({ externalId }, options);
    const [code] = page.items;
    if (code !== undefined) return code;
    const { headers } = responseOf(page);
    throw new NotFoundError("No code has this own id.", {
      status: 404,
      headers,
      body: { code: "not_found" },
    });
  }

  /** Changes the fields that you give; `null` removes a value. Scans follow within a second. */
  update(id: string, changes: QrUpdate, options?: ChangeOptions): Promise<Qr> {
    return this.#transport.json("updateQr", { path: { id }, body: changes }, options);
  }

  /** Creates a code with your own id, or changes the one that has it. `responseOf` says which: 201 or 200. */
  upsert(externalId: string, code: QrUpsert, options?: UpsertOptions): Promise<Qr> {
    return fitsInPath(externalId)
      ? this.#transport.json("putQrByOwnId", { path: { externalId }, body: code }, options)
      : this.#transport.json("putQr", { query: { externalId }, body: code }, options);
  }

  /** Deletes a code: scans of it get a 404. It can be restored for 30 days. */
  delete(id: string, options?: ChangeOptions): Promise<Deleted> {
    return this.#transport.json("deleteQr", { path: { id } }, options);
  }

  /** Deletes the code that has your own id. */
  deleteByExternalId(externalId: string, options?: ChangeOptions): Promise<Deleted> {
    return fitsInPath(externalId)
      ? this.#transport.json("deleteQrByOwnId", { path: { externalId } }, options)
      : this.#transport.json("deleteQrWithOwnId", { query: { externalId } }, options);
  }

  /** Restores a deleted code. */
  restore(id: string, options?: RequestOptions): Promise<Qr> {
    return this.#transport.json("restoreQr", { path: { id } }, options);
  }

  /** Erases a deleted code for good, so that its own id is free. */
  erase(id: string, options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("eraseQr", { path: { id } }, options);
  }

  /** Adds an alias to a code, such as `go.example.com/menu`, and takes it from the code that has it. */
  addAlias(id: string, alias: string, options?: RequestOptions): Promise<Qr> {
    return this.#transport.json("addAlias", { path: { id }, body: { alias } }, options);
  }

  /** Draws a code as SVG, PNG or PDF. */
  image(id: string, image: Query<"getQrImage"> = {}, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("getQrImage", { path: { id }, query: image }, options);
  }

  /** Measures how well a code can be scanned, and how small it may be printed. */
  scannability(id: string, options?: RequestOptions): Promise<Scannability> {
    return this.#transport.json("getScannability", { path: { id } }, options);
  }

  /** Draws a proof of a code for the printer, as PDF. */
  proof(id: string, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("printProof", { path: { id } }, options);
  }

  /** Streams codes as CSV, to edit and send back with `bulk.update`, or as NDJSON. */
  export(filter: Query<"exportQr"> = {}, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("exportQr", { query: filter }, options);
  }

  /** Lists the changes of a code, newest first. */
  history(
    id: string,
    filter: Query<"listQrHistory"> = {},
    options?: RequestOptions,
  ): List<HistoryEntry, Schema<"HistoryList">> {
    const parts = { path: { id }, query: filter };
    return this.#transport.list("listQrHistory", parts, (page) => page.items, options);
  }
}

import type { Download } from "../download.ts";
import type { List } from "../list.ts";
import type { Transport } from "../transport.ts";
import type {
  Brand,
  BrandLogo,
  BrandLogoInput,
  BrandLogoUpdate,
  BrandUpdate,
  ChangeOptions,
  CreateOptions,
  Deleted,
  Domain,
  Folder,
  FolderInput,
  Query,
  RequestOptions,
  SavedList,
  SavedListInput,
  SavedListUpdate,
  Scannability,
  ScannabilityInput,
  Schema,
  Template,
  TemplateInput,
  TemplateUpdate,
} from "../types.ts";

/** Folders of codes. */
export class Folders {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists folders. */
  list(page: Query<"listFolders"> = {}, options?: RequestOptions): List<Folder, Schema<"FolderList">> {
    return this.#transport.list("listFolders", { query: page }, ({ folders }) => folders, options);
  }

  /** Creates a folder. */
  create(folder: FolderInput, options?: CreateOptions): Promise<Folder> {
    return this.#transport.json("createFolder", { body: folder }, options);
  }

  /** Renames a folder. */
  rename(id: string, name: string, options?: RequestOptions): Promise<Folder> {
    return this.#transport.json("renameFolder", { path: { id }, body: { name } }, options);
  }

  /** Deletes a folder. Its codes stay, without one. */
  delete(id: string, options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("deleteFolder", { path: { id } }, options);
  }

  /** Restores a deleted folder with its codes, within 30 days. */
  restore(id: string, options?: RequestOptions): Promise<Folder> {
    return this.#transport.json("restoreFolder", { path: { id } }, options);
  }
}

/** Saved lists of codes: filters with columns and an order, named. */
export class SavedLists {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the workspace's saved lists by name, and those of the person, if a session asks. */
  list(options?: RequestOptions): List<SavedList, Schema<"SavedLists">> {
    return this.#transport.list("listSavedLists", {}, ({ lists }) => lists, options);
  }

  /** Saves a list. */
  create(list: SavedListInput, options?: CreateOptions): Promise<SavedList> {
    return this.#transport.json("createSavedList", { body: list }, options);
  }

  /** Returns a saved list. Pass its `filter` on to `qr.list`, without `destinationPart`. */
  get(id: string, options?: RequestOptions): Promise<SavedList> {
    return this.#transport.json("getSavedList", { path: { id } }, options);
  }

  /** Changes the fields that you give. */
  update(id: string, changes: SavedListUpdate, options?: RequestOptions): Promise<SavedList> {
    return this.#transport.json("updateSavedList", { path: { id }, body: changes }, options);
  }

  /** Deletes a saved list. Its codes stay as they are. */
  delete(id: string, options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("deleteSavedList", { path: { id } }, options);
  }

  /** Restores a deleted list, within 30 days. */
  restore(id: string, options?: RequestOptions): Promise<SavedList> {
    return this.#transport.json("restoreSavedList", { path: { id } }, options);
  }
}

/** The workspace's domains: hosts at which its codes answer. */
export class Domains {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists domains, oldest first. */
  list(options?: RequestOptions): List<Domain, Schema<"DomainList">> {
    return this.#transport.list("listDomains", {}, ({ domains }) => domains, options);
  }

  /** Returns a domain. */
  get(id: string, options?: RequestOptions): Promise<Domain> {
    return this.#transport.json("getDomain", { path: { id } }, options);
  }

  /** Returns the visits of the address of a domain itself. */
  visits(id: string, options?: RequestOptions): Promise<Schema<"DomainVisits">> {
    return this.#transport.json("getDomainVisits", { path: { id } }, options);
  }
}

/** Designs to apply to codes. */
export class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists templates, oldest first. */
  list(options?: RequestOptions): List<Template, Schema<"TemplateList">> {
    return this.#transport.list("listTemplates", {}, ({ templates }) => templates, options);
  }

  /** Creates a template. */
  create(template: TemplateInput, options?: CreateOptions): Promise<Template> {
    return this.#transport.json("createTemplate", { body: template }, options);
  }

  /** Returns a template. */
  get(id: string, options?: RequestOptions): Promise<Template> {
    return this.#transport.json("getTemplate", { path: { id } }, options);
  }

  /** Downloads its logo. */
  logo(id: string, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("getTemplateLogo", { path: { id } }, options);
  }

  /** Changes a template. Codes keep their design. */
  update(id: string, changes: TemplateUpdate, options?: ChangeOptions): Promise<Template> {
    return this.#transport.json("updateTemplate", { path: { id }, body: changes }, options);
  }

  /** Deletes a template. Codes keep their design. */
  delete(id: string, options?: ChangeOptions): Promise<Deleted> {
    return this.#transport.json("deleteTemplate", { path: { id } }, options);
  }

  /** Restores a deleted template, within 30 days. */
  restore(id: string, options?: RequestOptions): Promise<Template> {
    return this.#transport.json("restoreTemplate", { path: { id } }, options);
  }

  /** Measures how well codes with a design that isn't saved could be scanned. */
  measure(design: ScannabilityInput, options?: RequestOptions): Promise<Scannability> {
    return this.#transport.json("measureDesign", { body: design }, options);
  }
}

/** The colours and logos that codes are designed with. */
export class Brands {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the colours and logos. */
  get(options?: RequestOptions): Promise<Brand> {
    return this.#transport.json("getBrand", {}, options);
  }

  /** Changes the colours. */
  update(changes: BrandUpdate, options?: RequestOptions): Promise<Brand> {
    return this.#transport.json("updateBrand", { body: changes }, options);
  }

  /** Adds a logo. */
  addLogo(logo: BrandLogoInput, options?: CreateOptions): Promise<BrandLogo> {
    return this.#transport.json("createBrandLogo", { body: logo }, options);
  }

  /** Renames a logo, or adds one that a template or code has. */
  updateLogo(id: string, changes: BrandLogoUpdate, options?: RequestOptions): Promise<BrandLogo> {
    return this.#transport.json("updateBrandLogo", { path: { id }, body: changes }, options);
  }

  /** Deletes a logo. What has it keeps it. */
  deleteLogo(id: string, options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("deleteBrandLogo", { path: { id } }, options);
  }

  /** Downloads the file of a logo. */
  logo(id: string, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("getBrandLogo", { path: { id } }, options);
  }
}

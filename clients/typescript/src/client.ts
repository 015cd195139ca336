import { Bulk } from "./resources/bulk.ts";
import { Codes } from "./resources/codes.ts";
import { History } from "./resources/history.ts";
import { Brands, Domains, Folders, SavedLists, Templates } from "./resources/organisation.ts";
import { Pages } from "./resources/pages.ts";
import { Prints } from "./resources/prints.ts";
import { Reports, Scans } from "./resources/scans.ts";
import { Alerts, Webhooks } from "./resources/webhooks.ts";
import { type Fetch, Transport } from "./transport.ts";
import type { Me, RequestOptions, WaitingList, Workspace } from "./types.ts";

/** The address and key of a client, and how it sends. */
export interface ClientOptions {
  /** An API key: `sk_live_…`, or on a web page `pk_live_…`. */
  key: string;
  /** The address of the service, as in `https://qr.example.com`. */
  baseUrl: string;
  /** How long an attempt may take, or a stream may pause, in milliseconds. 30,000 if you say nothing. */
  timeout?: number | undefined;
  /** How often a request is repeated where that is safe. 3 if you say nothing. */
  retries?: number | undefined;
  /** Sends requests instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Takes a secret key in a browser, where whoever uses the page can read it: for tools on your own machine. */
  allowSecretKeyInBrowser?: boolean | undefined;
}

/** Whether this is a web page, or a worker of one. */
const isBrowser = (): boolean => {
  const { document, importScripts } = globalThis as { document?: unknown; importScripts?: unknown };
  return document !== undefined || importScripts !== undefined;
};

/** A client of the QR Code Management Service. */
export class QrCodes {
  /** QR codes, one by one. */
  readonly qr: Codes;
  /** Many codes at once. */
  readonly bulk: Bulk;
  /** Labels, and images of many codes. */
  readonly prints: Prints;
  /** Scans of codes. */
  readonly scans: Scans;
  /** Reports on scans. */
  readonly reports: Reports;
  readonly folders: Folders;
  /** Saved lists of codes. */
  readonly lists: SavedLists;
  /** Hosts at which the workspace's codes answer. */
  readonly domains: Domains;
  /** Designs to apply to codes. */
  readonly templates: Templates;
  /** Colours and logos. */
  readonly brand: Brands;
  /** Hosted pages and their submissions. */
  readonly pages: Pages;
  /** Webhooks and their deliveries. */
  readonly webhooks: Webhooks;
  /** The address for alerts. */
  readonly alerts: Alerts;
  /** Changes, and their undoing. */
  readonly history: History;
  readonly #transport: Transport;

  /** @throws TypeError for an address or key that can't be one, or a secret key on a web page */
  constructor(options: ClientOptions) {
    const { key, baseUrl, timeout = 30_000, retries = 3, allowSecretKeyInBrowser = false } = options;
    if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) {
      throw new TypeError("key must be an API key, such as sk_live_…");
    }
    if (!/^https?:\/\/[^/]/.test(baseUrl) || !URL.canParse(baseUrl)) {
      throw new TypeError("baseUrl must be the address of the service, such as https://qr.example.com");
    }
    if (!key.startsWith("pk_") && !allowSecretKeyInBrowser && isBrowser()) {
      throw new TypeError(
        "A secret key on a web page can be read by its visitors. Use a publishable key, or allowSecretKeyInBrowser.",
      );
    }
    const transport = new Transport({
      base: `${baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, "")}/api/v1`,
      key,
      timeout,
      retries,
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    });
    this.#transport = transport;
    this.qr = new Codes(transport);
    this.bulk = new Bulk(transport);
    this.prints = new Prints(transport);
    this.scans = new Scans(transport);
    this.reports = new Reports(transport);
    this.folders = new Folders(transport);
    this.lists = new SavedLists(transport);
    this.domains = new Domains(transport);
    this.templates = new Templates(transport);
    this.brand = new Brands(transport);
    this.pages = new Pages(transport);
    this.webhooks = new Webhooks(transport);
    this.alerts = new Alerts(transport);
    this.history = new History(transport);
  }

  /** Returns your key with its scopes, and its workspace with plan and limits. */
  me(options?: RequestOptions): Promise<Me> {
    return this.#transport.json("getMe", {}, options);
  }

  /** Returns the workspace with its usage. */
  workspace(options?: RequestOptions): Promise<Workspace> {
    return this.#transport.json("getWorkspace", {}, options);
  }

  /** Returns what waits for a person: failed jobs and deliveries, changes to confirm, and more, by the key's scopes. */
  waiting(options?: RequestOptions): Promise<WaitingList> {
    return this.#transport.json("listWaiting", {}, options);
  }
}

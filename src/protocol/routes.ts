import type { QrStatus, QrType } from "../contract/resources/enums.ts";
import type { PageContent } from "../contract/resources/pages.ts";

/**
 * What the route cache holds under a key, and what a scan is answered from. Of two, the one with the higher version
 * holds. What is deleted keeps a record, so that its key never reads as unknown.
 */
export interface Versioned {
  readonly version: number;
}

/** Where a code leads. Its key is the code's hash. */
export interface Route extends Versioned {
  readonly qrId: string;
  readonly workspaceId: string;
  readonly type: QrType;
  readonly status: QrStatus | "deleted";
  /** The address that is redirected to, or that a page opens; empty where a scan gets something else. */
  readonly destination: string;
  /** How a scan is answered where it is not by a plain redirect. */
  readonly answer?: Answer;
}

export type Answer =
  /** A redirect to the address of the scanner's platform, the destination where none is given for it. */
  | { readonly as: "choice"; readonly ios?: string; readonly android?: string }
  /** A page that opens the destination in its app. */
  | { readonly as: "opener" }
  /** A contact to save. */
  | { readonly as: "vcard"; readonly text: string }
  /** A hosted page. */
  | { readonly as: "page"; readonly pageId: string };

/** What a hosted page shows. Its key is `page:` and its id. */
export interface PageRoute extends Versioned {
  readonly pageId: string;
  readonly workspaceId: string;
  readonly status: "active" | "deleted";
  readonly content: PageContent;
}

/** A page of a feed: keys with the versions they have reached. */
export interface FeedPage {
  /** Where to go on from. */
  readonly seq: number;
  readonly changes: readonly (readonly [key: string, version: number])[];
  readonly more: boolean;
}

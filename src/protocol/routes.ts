import type { QrStatus, QrType } from "../contract/resources/enums.ts";
import type { PageContent } from "../contract/resources/pages.ts";

/**
 * A record of the route cache. Of two records under one key, the one with the higher version is current. A deleted
 * code or page keeps its record, so that its key never reads as unknown.
 */
export interface Versioned {
  readonly version: number;
}

/** The record of a code: how its scans are answered. Its key is the code's hash. */
export interface Route extends Versioned {
  readonly qrId: string;
  readonly workspaceId: string;
  readonly type: QrType;
  readonly status: QrStatus | "deleted";
  /** The URL to redirect to or to open; empty where `action` does neither, and for a deleted code. */
  readonly destination: string;
  /** Replaces the plain redirect to the destination. */
  readonly action?: RouteAction;
}

export type RouteAction =
  /** Redirects to the URL for the scanner's platform, or to the destination where none is given for it. */
  | { readonly kind: "platform"; readonly ios?: string; readonly android?: string }
  /** Shows a page that opens the destination in its app. */
  | { readonly kind: "app-launch" }
  /** Sends a contact to save. */
  | { readonly kind: "vcard"; readonly text: string }
  /** Shows a hosted page. */
  | { readonly kind: "page"; readonly pageId: string };

/** The content of a deleted page. */
export const noContent: PageContent = {
  title: "",
  intro: null,
  blocks: [],
  form: null,
  colors: null,
  language: "en",
};

/** The content of a hosted page. Its key is `pageKey(pageId)`. */
export interface PageRoute extends Versioned {
  readonly pageId: string;
  readonly workspaceId: string;
  readonly status: "active" | "deleted";
  readonly content: PageContent;
  /** Whether the form accepts no more submissions. */
  readonly formClosed: boolean;
}

const pagePrefix = "page:";

/** The key of a hosted page in the route cache and the feeds. No hash contains a colon. */
export const pageKey = (pageId: string): string => `${pagePrefix}${pageId}`;

/** The page id in a hosted page's key; null for a code's key. */
export const pageIdOf = (key: string): string | null =>
  key.startsWith(pagePrefix) ? key.slice(pagePrefix.length) : null;

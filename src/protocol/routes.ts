import type { QrStatus, QrType } from "../contract/resources/enums.ts";
import type { PageContent } from "../contract/resources/pages.ts";

/**
 * A record of the route cache. Of two records under one key, the one with the higher version is current. Deleted codes
 * and pages keep their records, so that their keys never look unknown.
 */
export interface Versioned {
  readonly version: number;
}

/** A suspension as stored in route records. On a legal order, visitors get a 451 instead of a 403. */
export interface RouteSuspension {
  readonly legalOrder: boolean;
  /** Set if the workspace's owner deleted it: visitors get the page for codes and pages that don't exist. */
  readonly closed?: true;
}

/** A record that belongs to a workspace. It counts as suspended if its workspace is. */
export interface OwnedRoute extends Versioned {
  readonly workspaceId: string;
  readonly suspended?: RouteSuspension;
}

/** The record of a code: how its scans are answered. The key is the code's hash. */
export interface Route extends OwnedRoute {
  readonly qrId: string;
  readonly type: QrType;
  readonly status: QrStatus | "deleted";
  /** The URL to redirect to or open; empty if `action` needs none, and for a deleted code. */
  readonly destination: string;
  /** Replaces the plain redirect to the destination. */
  readonly action?: RouteAction;
  /** Scans before this time get the fallback, epoch milliseconds. */
  readonly startsAt?: number;
  /** Scans from this time on get the fallback, epoch milliseconds. */
  readonly expiresAt?: number;
  /** Where scans are redirected while the code is paused, expired or not started. */
  readonly fallback?: string;
  /** How the query of a scan is passed on to the URLs above; it is dropped if unset. */
  readonly query?: "merge" | "raw";
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
  header: null,
  colors: null,
  look: "plain",
  scheme: "auto",
  language: "en",
};

/** The content of a hosted page. Its key is `pageKey(pageId)`. */
export interface PageRoute extends OwnedRoute {
  readonly pageId: string;
  readonly status: "active" | "deleted";
  readonly content: PageContent;
  /** Whether the form accepts no more submissions. */
  readonly formClosed: boolean;
}

/**
 * The record of a workspace: whether all its codes and pages are suspended. Its key is `workspaceKey(workspaceId)`.
 * Only workspaces that have been suspended have one.
 */
export interface WorkspaceRoute extends Versioned {
  readonly suspended?: RouteSuspension;
}

const pagePrefix = "page:";
const workspacePrefix = "workspace:";

/** Returns a hosted page's key in the route cache and the feeds. No hash contains a colon. */
export const pageKey = (pageId: string): string => `${pagePrefix}${pageId}`;

/** Returns the page id in a hosted page's key; null for any other key. */
export const pageIdOf = (key: string): string | null => idAfter(pagePrefix, key);

/** Returns a workspace's key in the route cache and the feeds. */
export const workspaceKey = (workspaceId: string): string => `${workspacePrefix}${workspaceId}`;

/** Returns the workspace id in a workspace's key; null for any other key. */
export const workspaceIdOf = (key: string): string | null => idAfter(workspacePrefix, key);

const idAfter = (prefix: string, key: string): string | null =>
  key.startsWith(prefix) ? key.slice(prefix.length) : null;

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
  /** Set if domains don't know its hash, since a publishable key created it. */
  readonly scanOriginOnly?: true;
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

/**
 * The record of a host at which a workspace's codes answer. Its key is `domainKey(host)`. Hosts that no workspace has
 * proved have none, and answer as the scan origin does.
 */
export interface DomainRoute extends Versioned {
  /** `none` for a host that isn't a domain. */
  readonly status: "active" | "pending" | "suspended" | "removed" | "none";
  /** Empty if the host isn't a domain. */
  readonly workspaceId: string;
  /** When the workspace proved the host, in epoch milliseconds; absent in older records. */
  readonly since?: number;
  /** Shown on our pages at the host. */
  readonly name?: string;
  /** Where the host itself leads. */
  readonly root?: string;
  /** Where paths lead that no code has. */
  readonly unknown?: string;
  /** Set if the workspace has ever had an alias. */
  readonly aliases?: true;
  /** Set if the operator suspended it on a legal order. */
  readonly legalOrder?: true;
}

/** The record of an alias: the code to which an exact path at a domain leads. Its key is `aliasKey`. */
export interface AliasRoute extends Versioned {
  /** Null for a path that isn't an alias. */
  readonly hash: string | null;
}

const pagePrefix = "page:";
const workspacePrefix = "workspace:";
const domainPrefix = "domain:";
const aliasPrefix = "alias:";

/** Returns a hosted page's key in the route cache and the feeds. No hash contains a colon. */
export const pageKey = (pageId: string): string => `${pagePrefix}${pageId}`;

/** Returns the page id in a hosted page's key; null for any other key. */
export const pageIdOf = (key: string): string | null => idAfter(pagePrefix, key);

/** Returns a workspace's key in the route cache and the feeds. */
export const workspaceKey = (workspaceId: string): string => `${workspacePrefix}${workspaceId}`;

/** Returns the workspace id in a workspace's key; null for any other key. */
export const workspaceIdOf = (key: string): string | null => idAfter(workspacePrefix, key);

/** Returns a host's key in the route cache and the feeds. @param host in lower case, without a port */
export const domainKey = (host: string): string => `${domainPrefix}${host}`;

/** Returns the host in a domain's key; null for any other key. */
export const hostOfKey = (key: string): string | null => idAfter(domainPrefix, key);

/**
 * Returns an alias's key in the route cache and the feeds. Workspaces have keys of their own, so that a host which gets
 * another owner doesn't bring its aliases.
 * @param address the host and the normalised path
 */
export const aliasKey = (workspaceId: string, address: string): string =>
  `${aliasPrefix}${workspaceId}:${address}`;

/** Returns the parts of an alias's key; null for any other key. */
export function aliasOfKey(key: string): { readonly workspaceId: string; readonly address: string } | null {
  const [, workspaceId, address] = /^alias:([^:]*):(.*)$/s.exec(key) ?? [];
  return workspaceId === undefined || address === undefined ? null : { workspaceId, address };
}

const idAfter = (prefix: string, key: string): string | null =>
  key.startsWith(prefix) ? key.slice(prefix.length) : null;

import type { AliasRoute, DomainRoute, PageRoute, Route, WorkspaceRoute } from "./routes.ts";

/**
 * The format of the records in the route cache. Raise it with every change of their shape. A record of another format,
 * older or newer, is ignored and replaced with the catalogue's.
 */
export const recordFormat = 1;

type Fields = Readonly<Record<string, unknown>>;

const hasFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isNumber = (value: unknown): boolean => typeof value === "number";
const isAbsentOr = (isValid: (value: unknown) => boolean, value: unknown): boolean =>
  value === undefined || isValid(value);

/** Returns whether a stored value is a record of this format, of any kind. */
export const hasRecordFormat = (value: unknown): boolean => hasFields(value) && value.format === recordFormat;

/** Returns whether a value is a workspace's record. */
export const isWorkspaceRoute = (value: unknown): value is WorkspaceRoute =>
  hasFields(value) && isNumber(value.version) && isAbsentOr(isSuspension, value.suspended);

/** Returns whether a value is a code's record, with everything needed to answer a scan. */
export const isRoute = (value: unknown): value is Route =>
  isOwned(value) &&
  isText(value.qrId) &&
  isText(value.type) &&
  isAbsentOr((mark) => mark === true, value.scanOriginOnly) &&
  (value.status === "deleted" ||
    ((value.status === "active" || value.status === "paused") &&
      hasTarget(value) &&
      isAbsentOr(isNumber, value.startsAt) &&
      isAbsentOr(isNumber, value.expiresAt) &&
      isAbsentOr(isText, value.fallback)));

/** Returns whether a value is a hosted page's record. */
export const isPageRoute = (value: unknown): value is PageRoute =>
  isOwned(value) &&
  isText(value.pageId) &&
  (value.status === "active" || value.status === "deleted") &&
  typeof value.formClosed === "boolean" &&
  hasFields(value.content) &&
  typeof value.content.title === "string" &&
  Array.isArray(value.content.blocks);

const domainStatuses: readonly unknown[] = ["active", "pending", "suspended", "removed", "none"];

/** Returns whether a value is a host's record. */
export const isDomainRoute = (value: unknown): value is DomainRoute =>
  hasFields(value) &&
  isNumber(value.version) &&
  domainStatuses.includes(value.status) &&
  typeof value.workspaceId === "string" &&
  isAbsentOr(isNumber, value.since) &&
  isAbsentOr(isText, value.root) &&
  isAbsentOr(isText, value.unknown);

/** Returns whether a value is an alias's record. */
export const isAliasRoute = (value: unknown): value is AliasRoute =>
  hasFields(value) && isNumber(value.version) && (value.hash === null || isText(value.hash));

const isOwned = (value: unknown): value is Fields =>
  hasFields(value) && isText(value.workspaceId) && isWorkspaceRoute(value);

const isSuspension = (value: unknown): boolean => hasFields(value) && typeof value.legalOrder === "boolean";

function hasTarget({ destination, action }: Fields): boolean {
  if (action === undefined) return isText(destination);
  if (!hasFields(action)) return false;
  switch (action.kind) {
    case "platform":
      return isText(destination) && isAbsentOr(isText, action.ios) && isAbsentOr(isText, action.android);
    case "app-launch":
      return isText(destination);
    case "vcard":
      return isText(action.text);
    case "page":
      return isText(action.pageId);
    default:
      return false;
  }
}

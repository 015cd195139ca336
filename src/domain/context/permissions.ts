import type { EventKind, Scope } from "../../contract/resources/enums.ts";
import { allows, type Permission, permissions, type Role } from "../../contract/roles.ts";
import { eventScopes, scopesWith } from "../../contract/scopes.ts";
import { ServiceError } from "../errors.ts";
import type { Caller, Member, WorkspaceContext } from "./context.ts";

/** Returns whether the caller's key has `scope`. Writing implies reading. */
export const holdsScope = ({ scopes }: Pick<Caller, "scopes">, scope: Scope): boolean =>
  scopesWith(scope).some((each) => scopes.includes(each));

/** Returns whether a key makes the request, whose scopes decide. */
export const isKey = (context: WorkspaceContext | Caller): context is Caller => "scopes" in context;

/** Refuses keys without the scope. People pass: their permission is checked. @throws forbidden */
export function requireScope(context: WorkspaceContext | Caller, scope: Scope): void {
  if (!isKey(context) || holdsScope(context, scope)) return;
  throw new ServiceError("forbidden", `This key doesn't have the scope ${scope}.`);
}

/** Refuses keys. @throws forbidden */
export function requirePerson(context: WorkspaceContext | Caller): void {
  if (isKey(context)) throw onlyPeople();
}

/** Returns whether the caller may see the data of such an event. A person who sees webhooks may. */
export const canRead = (context: WorkspaceContext | Caller, event: EventKind): boolean =>
  !isKey(context) || holdsScope(context, eventScopes[event]);

/** Refuses keys whose scopes can't read all of these events. @throws forbidden */
export function requireReadable(context: WorkspaceContext | Caller, events: readonly EventKind[]): void {
  const hidden = events.find((event) => !canRead(context, event));
  if (hidden === undefined) return;
  throw new ServiceError("forbidden", `For ${hidden}, this key needs the scope ${eventScopes[hidden]}.`);
}

/** Returns whether the caller holds a publishable key, which anyone can read in a web page. */
export const usesPublishableKey = (caller: WorkspaceContext | Caller): caller is Caller =>
  "keyType" in caller && caller.keyType === "publishable";

/** Returns whether the member's role has the permission. */
export const may = ({ role }: Pick<Member, "role">, permission: Permission): boolean =>
  allows(role, permission);

/** Returns whether the caller may change codes. */
export function mayChangeCodes(context: WorkspaceContext | Member | Caller): boolean {
  if ("role" in context) return may(context, "codes.write");
  return !isKey(context) || holdsScope(context, "qr:write");
}

/** People with a role, to begin a sentence with. */
const roleNames: Readonly<Record<Role, string>> = {
  viewer: "Viewers",
  editor: "Editors",
  admin: "Admins",
  owner: "Owners",
};

/** The permissions that people keep while their workspace is being deleted. */
const keptPermissions: readonly Permission[] = ["account", "workspace"];

/** Returns whether the member's workspace is being deleted, and the permission is of no use until that is cancelled. */
export const isClosedTo = ({ deletion }: Pick<Member, "deletion">, permission: Permission): boolean =>
  deletion !== null && !keptPermissions.includes(permission);

/** Permissions that no key has, whatever its scopes. */
const peoplesPermissions: readonly Permission[] = ["account", "keys", "domains", "members", "workspace"];

/** Creates the error for a key that does something which only people may. */
export const onlyPeople = () =>
  new ServiceError("forbidden", "Only people can do this, in the dashboard or with a session token.");

/**
 * Refuses members whose role lacks the permission, or whose workspace is being deleted, and keys where it is for people
 * only. Otherwise keys pass: their scopes were checked. @throws forbidden
 */
export function requirePermission(context: WorkspaceContext | Member, permission: Permission): void {
  if (isKey(context) && peoplesPermissions.includes(permission)) throw onlyPeople();
  if (!("role" in context)) return;
  if (isClosedTo(context, permission)) {
    throw new ServiceError(
      "forbidden",
      "This workspace is being deleted. Until its data is erased, an owner can cancel that.",
    );
  }
  if (may(context, permission)) return;
  const { role: least, what } = permissions[permission];
  throw new ServiceError(
    "forbidden",
    `${roleNames[context.role]} can't ${what}. Ask an owner for the role ${least}.`,
  );
}

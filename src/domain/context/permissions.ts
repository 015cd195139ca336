import type { Scope } from "../../contract/resources/enums.ts";
import { allows, type Permission, permissions, type Role } from "../../contract/roles.ts";
import { ServiceError } from "../errors.ts";
import type { Caller, Member, WorkspaceContext } from "./context.ts";

/** Returns whether the caller's key has `scope`. Writing implies reading. */
export function hasScope(caller: Caller, scope: Scope): boolean {
  return caller.scopes.includes(scope) || (scope === "qr:read" && caller.scopes.includes("qr:write"));
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
  return !("scopes" in context) || hasScope(context, "qr:write");
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

/**
 * Refuses members whose role lacks the permission, or whose workspace is being deleted. Keys pass: their scopes were
 * checked. @throws forbidden
 */
export function requirePermission(context: WorkspaceContext | Member, permission: Permission): void {
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

import * as z from "zod";

/** The roles of members, in ascending order. */
export const roles = ["viewer", "editor", "admin", "owner"] as const;

export const Role = z.enum(roles).meta({
  description: "`viewer`, `editor`, `admin` or `owner`: each may do everything that the ones before it may",
});
export type Role = z.output<typeof Role>;

/**
 * The lowest role with each permission, and what it permits, worded to follow "can". Endpoints, the dashboard's routes,
 * the domain and the documents follow this table.
 */
export const permissions = {
  "codes.read": {
    role: "viewer",
    what: "see codes, their images, scans and reports, and everything around them",
  },
  account: { role: "viewer", what: "manage their own account, and leave the workspace" },
  "codes.write": {
    role: "editor",
    what: "create, edit, delete and restore codes, folders, tags, templates and pages, also in bulk, and share reports",
  },
  "submissions.read": { role: "editor", what: "read what people submit in the forms of pages" },
  "submissions.manage": { role: "admin", what: "export and erase submissions" },
  keys: { role: "admin", what: "see, create, rotate and revoke API keys" },
  webhooks: { role: "admin", what: "manage webhooks, and see their deliveries" },
  domains: { role: "admin", what: "add, check, change and remove domains" },
  members: { role: "admin", what: "invite people, and change or remove members below owner" },
  settings: {
    role: "admin",
    what: "change the time zone, the brand and how long scans are kept, and erase scans",
  },
  workspace: {
    role: "owner",
    what: "change the workspace's name and logo, choose its plan and its owners, and delete it",
  },
} as const satisfies Record<string, { readonly role: Role; readonly what: string }>;

export type Permission = keyof typeof permissions;

/** Returns whether a role is at least another one. */
export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);

/** Returns whether people with a role have a permission. */
export const allows = (role: Role, permission: Permission): boolean =>
  isAtLeast(role, permissions[permission].role);

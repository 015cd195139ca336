import { isAtLeast, type Role, roles } from "../../../contract/roles.ts";

export const membersPath = "/dashboard/settings/members";

/** The roles in words, and their explanation where one is chosen. */
export const roleTexts: Readonly<Record<Role, { readonly name: string; readonly about: string }>> = {
  viewer: { name: "Viewer", about: "Sees codes, downloads their images and reads reports." },
  editor: {
    name: "Editor",
    about: "Also creates, edits and deletes codes, folders, templates and pages, and reads submissions.",
  },
  admin: {
    name: "Admin",
    about: "Also manages keys, webhooks, members and settings, and exports and erases submissions.",
  },
  owner: {
    name: "Owner",
    about: "Also renames or deletes the workspace, and decides on its plan and its owners.",
  },
};

/** Returns the choices of a role for a person, who can grant none above their own. */
export const grantable = (own: Role) =>
  roles
    .filter((role) => isAtLeast(own, role))
    .map((value) => ({ value, text: roleTexts[value].name, about: roleTexts[value].about }));

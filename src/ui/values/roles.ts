import { isAtLeast, type Role, roles } from "../../contract/roles.ts";

interface RoleTexts {
  readonly name: string;
  /** An explanation where a role is chosen, below the ones before it. */
  readonly about: string;
  /** An explanation for the person who gets the role. */
  readonly toYou: string;
}

/** The roles in words. */
export const roleTexts: Readonly<Record<Role, RoleTexts>> = {
  viewer: {
    name: "Viewer",
    about: "Sees codes, downloads their images and reads reports.",
    toYou: "You can see codes, download their images and read reports.",
  },
  editor: {
    name: "Editor",
    about: "Also creates, edits and deletes codes, folders, templates and pages, and reads submissions.",
    toYou: "You can create, edit and delete codes, folders, templates and pages, and read submissions.",
  },
  admin: {
    name: "Admin",
    about: "Also manages keys, webhooks, members and settings, and exports and erases submissions.",
    toYou: "You can do everything except rename or delete the workspace and choose its plan and owners.",
  },
  owner: {
    name: "Owner",
    about: "Also renames or deletes the workspace, and decides on its plan and its owners.",
    toYou: "You can do everything, deleting the workspace included.",
  },
};

/** Returns the choices of a role for a person, who can grant none above their own. */
export const grantable = (own: Role) =>
  roles
    .filter((role) => isAtLeast(own, role))
    .map((value) => ({ value, text: roleTexts[value].name, about: roleTexts[value].about }));

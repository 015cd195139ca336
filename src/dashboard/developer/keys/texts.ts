import type { KeyType, Scope } from "../../../contract/resources/enums.ts";
import type { ApiKey } from "../../../contract/resources/identity/keys.ts";

/** The permissions of each scope. */
export const scopeTexts: Readonly<Record<Scope, { readonly name: string; readonly about: string }>> = {
  "qr:read": { name: "Read codes", about: "List and read codes, folders, bulk jobs and images" },
  "qr:write": {
    name: "Edit codes",
    about: "Create, edit and delete them, one by one or in bulk. Includes reading",
  },
  "scans:read": { name: "Read scans", about: "Lists, exports and reports of scans" },
};

export const keyTypeTexts: Readonly<Record<KeyType, { readonly name: string; readonly about: string }>> = {
  secret: { name: "Secret", about: "For your servers. Never put it into a web page or an app" },
  publishable: {
    name: "Publishable",
    about: "For web pages, where anyone can read it. Can only create link codes",
  },
};

/** Describes a key's permissions. */
export const rightsOf = ({ type, scopes }: Pick<ApiKey, "type" | "scopes">): string =>
  type === "publishable" ? "Create URL codes" : scopes.map((scope) => scopeTexts[scope].name).join(", ");

/** Returns the part of a key that stays visible. */
export const shortKey = ({ prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">): string =>
  `${prefix}…${lastFour}`;

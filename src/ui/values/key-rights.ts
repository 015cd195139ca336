import type { ApiKey } from "../../contract/resources/identity/keys.ts";
import { scopeTexts } from "../../contract/scopes.ts";

/** Describes a key's permissions. */
export const rightsOf = ({ type, scopes }: Pick<ApiKey, "type" | "scopes">): string =>
  type === "publishable" ? "Create URL codes" : scopes.map((scope) => scopeTexts[scope].name).join(", ");

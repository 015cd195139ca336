import type { KeyType } from "../../../contract/resources/enums.ts";
import type { ApiKey } from "../../../contract/resources/identity/keys.ts";

export const keyTypeTexts: Readonly<Record<KeyType, { readonly name: string; readonly about: string }>> = {
  secret: { name: "Secret", about: "For your servers. Never put it into a web page or an app" },
  publishable: {
    name: "Publishable",
    about: "For web pages, where anyone can read it. Can only create link codes",
  },
};

/** Why codes of publishable keys don't answer at domains unless that is allowed. */
export const domainsRisk =
  "Anyone can read the key in your pages, and would make links at your own hosts. Otherwise its codes answer at the host of scans alone, until you change their domain";

/** Returns the part of a key that stays visible. */
export const shortKey = ({ prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">): string =>
  `${prefix}…${lastFour}`;

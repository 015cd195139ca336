import type { KeyType } from "../../../contract/resources/enums.ts";
import type { ApiKey } from "../../../contract/resources/identity/keys.ts";

export const keyTypeTexts: Readonly<Record<KeyType, { readonly name: string; readonly about: string }>> = {
  secret: { name: "Secret", about: "For your servers. Never put it into a web page or an app" },
  publishable: {
    name: "Publishable",
    about: "For web pages, where anyone can read it. Can only create link codes",
  },
};

/** Returns the part of a key that stays visible. */
export const shortKey = ({ prefix, lastFour }: Pick<ApiKey, "prefix" | "lastFour">): string =>
  `${prefix}…${lastFour}`;

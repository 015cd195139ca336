import plexMono from "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import { unindent } from "../../lib/text/unindent.ts";
import script from "./reference.js" with { type: "text" };

const minute = 60;
const year = 365 * 24 * 60 * minute;

/** Files that the reference loads, by name. A font never changes under its name. */
export const files: Readonly<
  Record<string, { type: string; content: string | ArrayBuffer; maxAge: number } | undefined>
> = {
  "reference.js": {
    type: "text/javascript; charset=utf-8",
    content: unindent(script),
    maxAge: 5 * minute,
  },
  "inter.woff2": { type: "font/woff2", content: inter, maxAge: year },
  "plex-mono.woff2": { type: "font/woff2", content: plexMono, maxAge: year },
};

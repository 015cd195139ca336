import plexMono from "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
// @ts-expect-error As a text it has other types than as a module. By its path, since the package exports modules only.
import uqr from "../../../node_modules/uqr/dist/index.mjs" with { type: "text" };
import { unindent } from "../../lib/text/unindent.ts";
import { StaticFiles } from "../../ui/static-files.ts";
import copy from "./copy.js" with { type: "text" };
import disturbed from "./disturbed.bin";
import draw from "./draw.js" with { type: "text" };
import { sampleSheet } from "./looks.ts";

const script = "text/javascript; charset=utf-8";
const font = "font/woff2";

const encoder: string = uqr;

/** The files of the welcome page and of the widget's demo. */
export const welcomeFiles = new StaticFiles({
  "inter.woff2": { type: font, content: new Uint8Array(inter) },
  "plex-mono.woff2": { type: font, content: new Uint8Array(plexMono) },
  "copy.js": { type: script, content: unindent(copy) },
  "draw.js": { type: script, content: unindent(draw) },
  "encoder.js": { type: script, content: encoder },
  "looks.svg": { type: "image/svg+xml", content: sampleSheet },
  "disturbed.png": { type: "image/png", content: new Uint8Array(disturbed) },
});

import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { unindent } from "../../lib/text/unindent.ts";
import { serviceColors } from "../../lib/web/service-style.ts";
import analytics from "../analytics/analytics.css" with { type: "text" };
import charts from "../charts/charts.css" with { type: "text" };
import codes from "../codes/codes.css" with { type: "text" };
import developer from "../developer/developer.css" with { type: "text" };
import names from "../folders/names.css" with { type: "text" };
import templates from "../templates/templates.css" with { type: "text" };
import pages from "../pages/pages.css" with { type: "text" };
import overview from "../overview/overview.css" with { type: "text" };
import palette from "../palette/palette.css" with { type: "text" };
import bulk from "../bulk/bulk.css" with { type: "text" };
import base from "./base.css" with { type: "text" };
import components from "./components.css" with { type: "text" };
import forms from "./forms.css" with { type: "text" };
import frame from "./frame.css" with { type: "text" };
import editor from "./browser/editor.js" with { type: "text" };
import live from "./browser/live.js" with { type: "text" };
import paletteScript from "./browser/palette.js" with { type: "text" };
import selection from "./browser/selection.js" with { type: "text" };
import script from "./browser/script.js" with { type: "text" };
import tables from "./tables.css" with { type: "text" };
import targets from "./targets.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

const styles = [
  tokens,
  serviceColors,
  base,
  frame,
  components,
  forms,
  tables,
  codes,
  bulk,
  names,
  templates,
  pages,
  charts,
  analytics,
  palette,
  overview,
  developer,
  targets,
].join("\n");

/** The static files of the dashboard, by name. */
const files = {
  "styles.css": { type: "text/css", text: unindent(styles) },
  "htmx.js": { type: "text/javascript", text: htmx },
  "script.js": {
    type: "text/javascript",
    text: unindent(script + live + paletteScript + selection + editor),
  },
} as const;

type FileName = keyof typeof files;

/** The address of each file. It holds a hash of the content, so that browsers can keep the file for good. */
export type AssetPaths = Readonly<Record<FileName, string>>;

/** Where the files are served: to the dashboard, and to shared reports, which may be on another host. */
export type AssetFolder = "/dashboard/assets" | "/shared/assets";

let namesWithHash: AssetPaths | undefined;

async function hashNames(): Promise<AssetPaths> {
  if (namesWithHash !== undefined) return namesWithHash;
  const entries = Object.entries(files).map(async ([name, { text }]) => {
    const digest = (await sha256Hex(text)).slice(0, 12);
    return [name, name.replace(".", `-${digest}.`)] as const;
  });
  namesWithHash = Object.fromEntries(await Promise.all(entries)) as AssetPaths;
  return namesWithHash;
}

/** The addresses of the static files in a folder. */
export async function assetPaths(folder: AssetFolder): Promise<AssetPaths> {
  const entries = Object.entries(await hashNames());
  return Object.fromEntries(entries.map(([name, hashed]) => [name, `${folder}/${hashed}`])) as AssetPaths;
}

const oneYear = 365 * 24 * 60 * 60;

/**
 * The response with a static file; undefined if there is no file of this name. Under another hash, that of a page from
 * before or after an update, the file is answered too, but not cached.
 */
export async function answerAsset(path: string): Promise<Response | undefined> {
  const hashed = path.replace(/^.*\//, "");
  const name = hashed.replace(/-[0-9a-f]+\./, ".");
  if (!isFileName(name)) return undefined;
  const isCurrent = (await hashNames())[name] === hashed;
  const { type, text } = files[name];
  return new Response(text, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "cache-control": isCurrent ? `public, max-age=${oneYear}, immutable` : "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

const isFileName = (name: string): name is FileName => Object.hasOwn(files, name);

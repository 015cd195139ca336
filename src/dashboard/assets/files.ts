import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import plexMono from "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { unindent } from "../../lib/text/unindent.ts";
import mapLink from "../../lib/web/map-link.js" with { type: "text" };
import account from "../account/account.css" with { type: "text" };
import gallery from "../gallery/gallery.css" with { type: "text" };
import analytics from "../analytics/analytics.css" with { type: "text" };
import reportControls from "../analytics/controls.css" with { type: "text" };
import charts from "../charts/charts.css" with { type: "text" };
import code from "../codes/code.css" with { type: "text" };
import { tintStyles } from "../codes/tint.ts";
import codes from "../codes/codes.css" with { type: "text" };
import codeList from "../codes/list/list.css" with { type: "text" };
import designer from "../design/designer.css" with { type: "text" };
import { presetPictures } from "../design/preset-pictures.ts";
import developer from "../developer/developer.css" with { type: "text" };
import names from "../folders/names.css" with { type: "text" };
import bin from "../bin/bin.css" with { type: "text" };
import brand from "../brand/brand.css" with { type: "text" };
import templates from "../templates/templates.css" with { type: "text" };
import pages from "../pages/pages.css" with { type: "text" };
import firstSteps from "../overview/first-steps.css" with { type: "text" };
import overview from "../overview/overview.css" with { type: "text" };
import operator from "../operator/operator.css" with { type: "text" };
import palette from "../palette/palette.css" with { type: "text" };
import bulk from "../bulk/bulk.css" with { type: "text" };
import labels from "../labels/labels.css" with { type: "text" };
import imports from "../imports/import.css" with { type: "text" };
import comboboxes from "../components/forms/combobox.css" with { type: "text" };
import history from "../history/history.css" with { type: "text" };
import members from "../settings/members/members.css" with { type: "text" };
import settings from "../settings/settings.css" with { type: "text" };
import stepper from "../components/stepper.css" with { type: "text" };
import tiles from "../components/forms/tiles.css" with { type: "text" };
import interExtended from "./fonts/inter-latin-extended.woff2";
import fonts from "./fonts.css" with { type: "text" };
import base from "./base.css" with { type: "text" };
import components from "./components.css" with { type: "text" };
import menus from "./menus.css" with { type: "text" };
import forms from "./forms.css" with { type: "text" };
import frame from "./frame.css" with { type: "text" };
import brandScript from "./browser/brand.js" with { type: "text" };
import chartScript from "./browser/charts.js" with { type: "text" };
import dates from "./browser/dates.js" with { type: "text" };
import feedback from "./browser/feedback.js" with { type: "text" };
import menu from "./browser/menu.js" with { type: "text" };
import combobox from "./browser/combobox.js" with { type: "text" };
import designerScript from "./browser/designer.js" with { type: "text" };
import firstStepsScript from "./browser/first-steps.js" with { type: "text" };
import follow from "./browser/follow.js" with { type: "text" };
import editor from "./browser/editor.js" with { type: "text" };
import importScript from "./browser/import.js" with { type: "text" };
import live from "./browser/live.js" with { type: "text" };
import priorityTable from "./priority-table.css" with { type: "text" };
import paletteScript from "./browser/palette.js" with { type: "text" };
import passkeys from "./browser/passkeys.js" with { type: "text" };
import selection from "./browser/selection.js" with { type: "text" };
import shortcuts from "./browser/script.js" with { type: "text" };
import print from "./print.css" with { type: "text" };
import tables from "./tables.css" with { type: "text" };
import targets from "./targets.css" with { type: "text" };
import values from "./values.css" with { type: "text" };
import tokens from "./tokens.css" with { type: "text" };

const styles = [
  tokens,
  fonts,
  base,
  frame,
  components,
  values,
  menus,
  forms,
  tables,
  stepper,
  tiles,
  comboboxes,
  tintStyles,
  codes,
  code,
  designer,
  priorityTable,
  codeList,
  bulk,
  imports,
  labels,
  names,
  bin,
  templates,
  brand,
  pages,
  charts,
  analytics,
  reportControls,
  palette,
  overview,
  firstSteps,
  developer,
  account,
  members,
  settings,
  history,
  operator,
  gallery,
  targets,
  print,
].join("\n");

const scripts = [
  mapLink,
  shortcuts,
  feedback,
  menu,
  live,
  paletteScript,
  selection,
  importScript,
  editor,
  combobox,
  follow,
  brandScript,
  designerScript,
  chartScript,
  dates,
  passkeys,
  firstStepsScript,
].join("\n");

const script = "text/javascript; charset=utf-8";
const font = "font/woff2";

/** The dashboard's static files, by name. The stylesheet refers to fonts by these names, in braces. */
const files = {
  "inter.woff2": { type: font, content: new Uint8Array(inter) },
  "inter-extended.woff2": { type: font, content: new Uint8Array(interExtended) },
  "plex-mono.woff2": { type: font, content: new Uint8Array(plexMono) },
  "styles.css": { type: "text/css; charset=utf-8", content: unindent(styles) },
  "htmx.js": { type: script, content: htmx },
  "script.js": { type: script, content: unindent(scripts) },
  "presets.svg": { type: "image/svg+xml", content: presetPictures },
} as const;

type FileName = keyof typeof files;

/** The address of each file. It contains a hash of the content, so that browsers can keep the file forever. */
export type AssetPaths = Readonly<Record<FileName, string>>;

/** Where the files are served: for the dashboard, and for shared reports, which may be on another host. */
export type AssetFolder = "/dashboard/assets" | "/shared/assets";

let namesWithHash: AssetPaths | undefined;

/** Adds a content hash to the files' names. The stylesheet's hash covers those of the fonts. */
async function hashNames(): Promise<AssetPaths> {
  if (namesWithHash !== undefined) return namesWithHash;
  const entries = Object.entries(files).map(async ([name, { content }]) => {
    const digest = (await sha256Hex(typeof content === "function" ? content() : content)).slice(0, 12);
    return [name, name.replace(".", `-${digest}.`)] as const;
  });
  namesWithHash = Object.fromEntries(await Promise.all(entries)) as AssetPaths;
  return namesWithHash;
}

/** Returns a file as it is served. In the stylesheet, fonts have addresses relative to its own. */
function contentOf(name: FileName, names: AssetPaths): string | Uint8Array<ArrayBuffer> {
  if (name === "presets.svg") return files[name].content();
  if (name !== "styles.css") return files[name].content;
  return files[name].content.replace(/\{([\w-]+\.woff2)\}/g, (_, font: FileName) => names[font]);
}

/** Returns the addresses of the static files in a folder. */
export async function assetPaths(folder: AssetFolder): Promise<AssetPaths> {
  const entries = Object.entries(await hashNames());
  return Object.fromEntries(entries.map(([name, hashed]) => [name, `${folder}/${hashed}`])) as AssetPaths;
}

const oneYear = 365 * 24 * 60 * 60;

/**
 * Returns the response with a static file; undefined if there is no such file. With another hash, from a page loaded
 * before or after a deployment, the file is served but not cached.
 */
export async function answerAsset(path: string): Promise<Response | undefined> {
  const hashed = path.replace(/^.*\//, "");
  const name = hashed.replace(/-[0-9a-f]{12}\./, ".");
  if (!isFileName(name)) return undefined;
  const names = await hashNames();
  const isCurrent = names[name] === hashed;
  return new Response(contentOf(name, names), {
    headers: {
      "content-type": files[name].type,
      "cache-control": isCurrent ? `public, max-age=${oneYear}, immutable` : "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

const isFileName = (name: string): name is FileName => Object.hasOwn(files, name);

import plexMono from "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import { unindent } from "../../lib/text/unindent.ts";
import charts from "../../ui/charts/charts.css" with { type: "text" };
import comboboxes from "../../ui/forms/combobox.css" with { type: "text" };
import dropzone from "../../ui/forms/dropzone.css" with { type: "text" };
import tiles from "../../ui/forms/tiles.css" with { type: "text" };
import { StaticFiles } from "../../ui/static-files.ts";
import stepper from "../../ui/stepper.css" with { type: "text" };
import base from "../../ui/styles/base.css" with { type: "text" };
import components from "../../ui/styles/components.css" with { type: "text" };
import interExtended from "../../ui/styles/fonts/inter-latin-extended.woff2";
import fonts from "../../ui/styles/fonts.css" with { type: "text" };
import forcedColors from "../../ui/styles/forced-colors.css" with { type: "text" };
import forms from "../../ui/styles/forms.css" with { type: "text" };
import frame from "../../ui/styles/frame.css" with { type: "text" };
import menus from "../../ui/styles/menus.css" with { type: "text" };
import print from "../../ui/styles/print.css" with { type: "text" };
import priorityTable from "../../ui/styles/priority-table.css" with { type: "text" };
import tables from "../../ui/styles/tables.css" with { type: "text" };
import targets from "../../ui/styles/targets.css" with { type: "text" };
import text from "../../ui/styles/text.css" with { type: "text" };
import tokens from "../../ui/styles/tokens.css" with { type: "text" };
import values from "../../ui/styles/values.css" with { type: "text" };
import { tintStyles } from "../../ui/values/tint.ts";
import account from "../account/account.css" with { type: "text" };
import analytics from "../analytics/analytics.css" with { type: "text" };
import reportControls from "../analytics/controls.css" with { type: "text" };
import bin from "../bin/bin.css" with { type: "text" };
import brand from "../brand/brand.css" with { type: "text" };
import bulk from "../bulk/bulk.css" with { type: "text" };
import code from "../codes/code.css" with { type: "text" };
import codes from "../codes/codes.css" with { type: "text" };
import codeForm from "../codes/form/code-form.css" with { type: "text" };
import codeList from "../codes/list/list.css" with { type: "text" };
import wideList from "../codes/list/wide.css" with { type: "text" };
import designer from "../design/designer.css" with { type: "text" };
import proofStrip from "../design/proof-strip.css" with { type: "text" };
import developer from "../developer/developer.css" with { type: "text" };
import domains from "../domains/domains.css" with { type: "text" };
import filters from "../filters/filters.css" with { type: "text" };
import names from "../folders/names.css" with { type: "text" };
import history from "../history/history.css" with { type: "text" };
import imports from "../imports/import.css" with { type: "text" };
import labels from "../labels/labels.css" with { type: "text" };
import operator from "../operator/operator.css" with { type: "text" };
import firstSteps from "../overview/first-steps.css" with { type: "text" };
import overview from "../overview/overview.css" with { type: "text" };
import pages from "../pages/pages.css" with { type: "text" };
import palette from "../palette/palette.css" with { type: "text" };
import members from "../settings/members/members.css" with { type: "text" };
import settings from "../settings/settings.css" with { type: "text" };
import templates from "../templates/templates.css" with { type: "text" };
import waiting from "../waiting/waiting.css" with { type: "text" };
import brandScript from "./browser/brand.js" with { type: "text" };
import chartScript from "./browser/charts.js" with { type: "text" };
import combobox from "./browser/combobox.js" with { type: "text" };
import dates from "./browser/dates.js" with { type: "text" };
import drafts from "./browser/drafts.js" with { type: "text" };
import feedback from "./browser/feedback.js" with { type: "text" };
import firstStepsScript from "./browser/first-steps.js" with { type: "text" };
import importScript from "./browser/import.js" with { type: "text" };
import list from "./browser/list.js" with { type: "text" };
import live from "./browser/live.js" with { type: "text" };
import menu from "./browser/menu.js" with { type: "text" };
import paletteScript from "./browser/palette.js" with { type: "text" };
import passkeys from "./browser/passkeys.js" with { type: "text" };
import shortcuts from "./browser/script.js" with { type: "text" };
import selection from "./browser/selection.js" with { type: "text" };

const styles = [
  tokens,
  fonts,
  base,
  frame,
  text,
  components,
  values,
  menus,
  filters,
  forms,
  tables,
  stepper,
  tiles,
  comboboxes,
  dropzone,
  tintStyles,
  codes,
  code,
  designer,
  proofStrip,
  codeForm,
  priorityTable,
  codeList,
  wideList,
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
  domains,
  account,
  members,
  settings,
  history,
  waiting,
  operator,
  targets,
  forcedColors,
  print,
].join("\n");

const scripts = [
  shortcuts,
  feedback,
  drafts,
  menu,
  live,
  paletteScript,
  selection,
  list,
  importScript,
  combobox,
  brandScript,
  chartScript,
  dates,
  passkeys,
  firstStepsScript,
].join("\n");

const script = "text/javascript; charset=utf-8";
const font = "font/woff2";

/** The static files of the dashboard and of shared reports. */
export const dashboardFiles = new StaticFiles({
  "inter.woff2": { type: font, content: new Uint8Array(inter) },
  "inter-extended.woff2": { type: font, content: new Uint8Array(interExtended) },
  "plex-mono.woff2": { type: font, content: new Uint8Array(plexMono) },
  "styles.css": { type: "text/css; charset=utf-8", content: unindent(styles) },
  "htmx.js": { type: script, content: htmx },
  "script.js": { type: script, content: unindent(scripts) },
});

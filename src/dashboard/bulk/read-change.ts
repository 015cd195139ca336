import type { PlanLimits } from "../../contract/plans.ts";
import { qrFields } from "../../contract/resources/codes/qr-fields.ts";
import { withHash } from "../../lib/image/color.ts";
import { none } from "../choices/choices.ts";
import { findLabels } from "../choices/sources.ts";
import { designLabels } from "../design/fields.ts";
import type { Rejection } from "../frame/submit-form.ts";

/** The labels of a bulk update's fields, by name. */
export const changeLabels = {
  filter: "The selection",
  addTags: "Tags to add",
  removeTags: "Tags to remove",
  folderId: "Folder",
  ...findLabels,
  status: "Status",
  templateId: "Template",
  ...designLabels,
  "advanced.frame.text": "Text of the frame",
  domain: qrFields.domain.label,
  query: qrFields.query.label,
  "colorConfig.dotsColor": "Modules",
  "colorConfig.backgroundColor": "Background",
  "colorConfig.cornerColor": "Eyes",
  "replace.host": "Host to replace",
  "replace.from": "Replace",
  "replace.to": "Replace with",
} as const;

/** The choice of a host that isn't listed. No host has this name. */
export const otherHost = "?";

/** Reads the change from a form, for its schema to check. Empty fields change nothing. */
export function readChange(form: URLSearchParams, { fullDesign }: PlanLimits): object {
  if (form.get("delete") === "on") return { delete: true };
  const choice = (name: string) => {
    const text = form.get(name) ?? "";
    return text === "" ? undefined : text === none ? null : text;
  };
  const [addTags, removeTags] = [readTags(form.get("addTags")), readTags(form.get("removeTags"))];
  return {
    ...(addTags.length > 0 && { addTags }),
    ...(removeTags.length > 0 && { removeTags }),
    ...optional("folderId", choice("folderId")),
    ...optional("status", choice("status")),
    ...optional("templateId", choice("templateId")),
    ...readDesign(form, fullDesign),
    ...optional("domain", choice("domain")),
    ...optional("query", choice("query")),
    ...(form.get("setColors") === "on" && { colorConfig: readColors(form, fullDesign) }),
    ...readReplacement(form),
  };
}

/** Squares and dots are shapes, which every plan has. A square eye is the default. */
function readDesign(form: URLSearchParams, fullDesign: boolean): object {
  const given = (name: string) => (form.get(`advanced.${name}`) ?? "").trim();
  const choice = (name: string, absent: string) =>
    given(name) === "" ? undefined : given(name) === absent ? null : given(name);
  const modules = given("modules");
  const shape = modules === "dots" ? "circle" : modules === "square" ? "square" : undefined;
  const [style, text, logo] = [choice("frame.style", none), given("frame.text"), choice("logo.id", none)];
  const advanced = {
    ...(modules !== "" && (shape === undefined ? { modules } : fullDesign && { modules: null })),
    ...optional("eyeFrame", choice("eyeFrame", "square")),
    ...optional("eyeCenter", choice("eyeCenter", "square")),
    ...optional("frame", style && { style, ...(text !== "" && { text }) }),
    ...optional("logo", logo && { id: logo }),
  };
  return { ...optional("shape", shape), ...(Object.keys(advanced).length > 0 && { advanced }) };
}

const optional = (name: string, value: object | string | null | undefined): object =>
  value === undefined ? {} : { [name]: value };

const readTags = (text: string | null): string[] =>
  (text ?? "")
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** Eyes without a colour have that of the modules. */
function readColors(form: URLSearchParams, fullDesign: boolean) {
  const color = (name: string) => withHash((form.get(`colorConfig.${name}`) ?? "").trim());
  return {
    dotsColor: color("dotsColor") || "#000000",
    backgroundColor: form.get("transparent") === "on" ? "transparent" : color("backgroundColor") || "#ffffff",
    ...(fullDesign && { cornerColor: color("cornerColor") || null }),
  };
}

/** A text with a scheme is the beginning of an address, any other a host. */
function readReplacement(form: URLSearchParams): object {
  const text = (name: string) => (form.get(name) ?? "").trim();
  const host = text("replace.host");
  const from = host === "" || host === otherHost ? text("replace.from") : host;
  const to = text("replace.to");
  const kind = /^https?:\/\//i.test(from) ? "prefix" : "host";
  return from === "" && to === "" ? {} : { replace: { [kind]: { from, to } } };
}

/** Assigns a change's problems to the fields of the form. */
export function byFields({ problems, status }: Rejection): Rejection {
  const nameOf = (path: string) =>
    path.replace(/^replace\.(host|prefix)\b/, "replace").replace(/^replace$/, "replace.from");
  const named = Object.entries(problems).map(([path, problem]) => [nameOf(path), problem] as const);
  return { problems: Object.fromEntries(named), status };
}

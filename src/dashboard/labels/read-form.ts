import type { CodeSelection } from "../../contract/resources/images/prints.ts";
import { readDecimal } from "../../lib/text/digits.ts";
import { isId } from "../../lib/text/ids.ts";
import { readSelected } from "../bulk/selection.ts";
import type { DashboardRequest } from "../frame/request.ts";

/** The page sizes for a custom sheet, millimetres. */
const pages = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const;

/** The codes to print, and the form fields that select them again. */
export interface Printed {
  /** Null for none. */
  readonly selection: CodeSelection | null;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly back: { readonly path: string; readonly name: string };
}

const defaults = { format: "L7160", copies: "1", padding: "1.5", "sheet.columns": "1", "sheet.rows": "1" };

/** Returns the page's entries: those of its form or address, completed with defaults. */
export function entriesOf({ form, query }: DashboardRequest): URLSearchParams {
  const entries = new URLSearchParams(form.size > 0 ? form : query);
  for (const [name, value] of Object.entries(defaults)) {
    if (!entries.has(name)) entries.set(name, value);
  }
  return entries;
}

/**
 * Reads which codes to print: those of a bulk job in `job`, of a search in `q` with `all`, or those with the ids in
 * `id` and `ids`.
 */
export async function readPrinted(request: DashboardRequest): Promise<Printed> {
  const entries = entriesOf(request);
  const job = entries.get("job") ?? "";
  if (isId(job)) {
    const jobId = job.toLowerCase();
    const back = { path: `/dashboard/jobs/${jobId}`, name: "Job" };
    return { selection: { jobId }, fields: [["job", jobId]], back };
  }
  const { selection, fields, list } = await readSelected({ ...request, form: entries });
  return { selection, fields, back: { path: list, name: "Codes" } };
}

/** Reads a print's options from a form. Omitted ones get their default. */
export function readOptions(entries: URLSearchParams): Record<string, unknown> {
  const format = entries.get("format");
  const isOwn = format === "own";
  return {
    ...(isOwn || format === "roll" ? { sheet: readSheet(entries, isOwn) } : { format }),
    start: numberIn(entries, "start"),
    copies: numberIn(entries, "copies"),
    captions: entries.getAll("captions"),
    padding: numberIn(entries, "padding"),
    cutMarks: entries.get("cutMarks") === "on",
    ink: entries.get("ink") === "on" ? "k100" : "rgb",
    dpi: numberIn(entries, "dpi"),
    calibration: {
      offset: { x: numberIn(entries, "calibration.offset.x"), y: numberIn(entries, "calibration.offset.y") },
      pitch: { x: numberIn(entries, "calibration.pitch.x"), y: numberIn(entries, "calibration.pitch.y") },
    },
  };
}

function readSheet(entries: URLSearchParams, isOwn: boolean): Record<string, unknown> {
  const at = (name: string) => numberIn(entries, `sheet.${name}`);
  const label = { width: at("label.width"), height: at("label.height") };
  if (!isOwn) return { label, rotate: at("rotate") };
  return {
    page: pages[entries.get("page") === "letter" ? "letter" : "a4"],
    label,
    columns: at("columns"),
    rows: at("rows"),
    pitch: bothIn(at("pitch.x"), at("pitch.y")),
    origin: bothIn(at("origin.x"), at("origin.y")),
  };
}

const bothIn = (x: number | undefined, y: number | undefined) =>
  x === undefined && y === undefined ? undefined : { x, y };

/** The options of images as the form has them, without the fields that it hides for the format. */
export function readImageOptions(entries: URLSearchParams): Record<string, unknown> {
  const format = entries.get("images") ?? "svg";
  const mm = numberIn(entries, "mm");
  const encoding = entries.get("encoding") === "on" ? "utf-16" : "utf-8";
  if (format === "svg") return { format, encoding };
  if (format === "pdf") return { format, mm, ink: entries.get("ink") === "on" ? "k100" : "rgb", encoding };
  return { format, size: numberIn(entries, "size"), mm, dpi: numberIn(entries, "dpi"), encoding };
}

/** The number in a field, also with a comma; undefined for an empty one, which has its default. */
function numberIn(entries: URLSearchParams, name: string): number | undefined {
  const text = (entries.get(name) ?? "").trim();
  return text === "" ? undefined : readDecimal(text);
}

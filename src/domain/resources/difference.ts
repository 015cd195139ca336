import { limits } from "../../contract/limits.ts";
import type { Difference, DifferenceSample } from "../../contract/resources/codes/proposals.ts";
import { fieldWord } from "../../contract/resources/history/field-names.ts";
import { changesBetween } from "../../lib/changes.ts";
import type { ResourceRow } from "../../store/resources/kind.ts";
import type { Deps } from "../deps.ts";
import { yielding } from "../yielding.ts";
import type { Reversible } from "./revert.ts";

/** One thing before and after a change. */
export interface Pair<Row> {
  /** Undefined for a new one, and for one that doesn't exist. */
  readonly before?: Row;
  /** Undefined if the change fails. */
  readonly after?: Row;
  readonly error?: { readonly message: string };
}

interface Kind<Row extends ResourceRow> extends Pick<Reversible<Row>, "object" | "fieldsOf"> {
  nameOf(row: Row): string | null;
}

/** The values of fields in JSON that a sample shows, bytes. */
const shownBytes = 600;

/** Reasons that a summary has. */
const shownReasons = 5;

/** Says what a change does, in words and by samples. @param scanUrlOf returns the short link of a code */
export async function differenceOf<Row extends ResourceRow>(
  deps: Deps,
  kind: Kind<Row>,
  pairs: readonly Pair<Row>[],
  scanUrlOf: (row: Row) => string | null = () => null,
): Promise<Difference> {
  const affected: DifferenceSample[] = [];
  const counts = new Map<string, number>();
  const count = (sentence: string) => counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  const reasons = new Map<string, number>();
  for await (const { before, after, error } of yielding(deps, pairs)) {
    const row = after ?? before;
    const about = {
      id: before?.id ?? null,
      name: row === undefined ? null : kind.nameOf(row),
      scanUrl: before === undefined ? null : scanUrlOf(before),
    };
    if (row === undefined || error !== undefined) {
      const message = error?.message ?? "";
      reasons.set(message, (reasons.get(message) ?? 0) + 1);
      affected.push({ effect: "failed", ...about, fields: [], error: message });
      continue;
    }
    const fields = fieldsBetween(kind, before, after);
    const effect = effectOf(before, after, fields);
    if (effect === null) continue;
    if (effect === "changed") for (const verb of verbsOf(kind, fields)) count(verb);
    else count(effect);
    const shown = effect === "changed" || effect === "created" ? fields.map(shortened) : [];
    affected.push({ effect, ...about, fields: shown, error: null });
  }
  const failed = affected.filter(({ effect }) => effect === "failed").length;
  const unchanged = pairs.length - affected.length;
  return {
    kind: kind.object,
    summary: [
      ...[...counts].map(([sentence, codes]) => sentenceOf(sentence, kind.object, codes)),
      ...(unchanged > 0 ? [`Leaves ${counted(unchanged, kind.object)} as before.`] : []),
      ...reasonsOf(reasons, kind.object),
    ],
    changed: affected.length - failed,
    unchanged,
    failed,
    samples: affected.slice(0, limits.bulkUpdate.samples),
    leftOut: Math.max(0, affected.length - limits.bulkUpdate.samples),
  };
}

interface Field {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

function fieldsBetween<Row extends ResourceRow>(
  { fieldsOf }: Kind<Row>,
  before: Row | undefined,
  after: Row | undefined,
): Field[] {
  if (after === undefined) return [];
  const then = before === undefined ? {} : fieldsOf(before);
  return Object.entries(changesBetween(then, fieldsOf(after)))
    .map(([field, [was, is]]) => ({ field, before: was ?? null, after: is ?? null }))
    .filter((each) => !isEmpty(each.before) || !isEmpty(each.after));
}

function effectOf<Row extends ResourceRow>(
  before: Row | undefined,
  after: Row | undefined,
  fields: readonly Field[],
): Exclude<DifferenceSample["effect"], "failed"> | null {
  if (before === undefined) return "created";
  if (before.deletedAt === null && after?.deletedAt !== null) return "deleted";
  if (before.deletedAt !== null && after?.deletedAt === null) return "restored";
  return fields.length > 0 ? "changed" : null;
}

/** Returns what happens to each field, such as `Changes the destination`. Several fields may be one to a reader. */
const verbsOf = <Row extends ResourceRow>({ object }: Kind<Row>, fields: readonly Field[]): Set<string> =>
  new Set(
    fields.map(({ field, before, after }) => {
      const verb = isEmpty(before) ? "Sets" : isEmpty(after) ? "Removes" : "Changes";
      return `${verb} the ${fieldWord(object, field)}`;
    }),
  );

const isEmpty = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);

function sentenceOf(what: string, object: string, count: number): string {
  const things = counted(count, object);
  if (what === "created") return `Creates ${things}.`;
  if (what === "restored") return `Restores ${things}.`;
  if (what !== "deleted") return `${what} of ${things}.`;
  return object === "code" ? `Deletes ${things}. Scans stop working at once.` : `Deletes ${things}.`;
}

/** Returns a number of things with their noun, such as `1,204 codes`. */
export const counted = (count: number, object: string): string =>
  `${count.toLocaleString("en")} ${object}${count === 1 ? "" : "s"}`;

function reasonsOf(reasons: ReadonlyMap<string, number>, object: string): string[] {
  const sorted = [...reasons].toSorted(([, a], [, b]) => b - a);
  const others = sorted.length - shownReasons;
  return [
    ...sorted
      .slice(0, shownReasons)
      .map(([reason, count]) => `Leaves out ${counted(count, object)}: ${reason}`),
    ...(others > 0 ? [`Leaves out others for ${others} more ${others === 1 ? "reason" : "reasons"}.`] : []),
  ];
}

const shortened = ({ field, before, after }: Field): Field => ({
  field,
  before: shortValue(before),
  after: shortValue(after),
});

/** Returns a value, or says how long it is. */
function shortValue(value: unknown): unknown {
  const { length } = JSON.stringify(value ?? null);
  return length <= shownBytes ? value : `(${length} characters, left out)`;
}

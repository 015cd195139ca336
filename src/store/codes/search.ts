import { foldAccents } from "../../lib/text/accents.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { bounds } from "../../protocol/bounds.ts";
import { type QrRow, qrRows } from "./columns.ts";
import { type Condition, conditionsOf, type ListFilter, nameOrder } from "./list.ts";
import {
  addressHasWords,
  type Bind,
  type FoldedName,
  hasWords,
  nameHasMarkedWords,
  nameHasWords,
} from "./words.ts";

/**
 * The search for words in codes. It has passes, each in the order of an index: names and tags that begin so, by index;
 * names that contain the words, over the index of names, exactly as they are marked first; addresses, over theirs; and
 * codes with the words in any of their texts, newest first. A code is found by the first pass that it matches.
 *
 * Accents fold in all of them but two: tags that begin so, and addresses, which have none. Names that begin so are found
 * by index as the words are typed and without accents, and with others by the pass over names.
 */

/** The filters, text and words of a search. */
interface WordSearch {
  /** The filters besides the words. */
  readonly filters: Omit<ListFilter, "limit" | "words" | "q" | "sort" | "order" | "exactName">;
  /** The whole text, by which names and tags begin. */
  readonly text: string;
  readonly words: readonly string[];
  /** How many live codes the workspace has. */
  readonly codes: number;
}

/** How many codes' names, addresses and whole texts have been examined. */
type Searched = Record<"names" | "destinations" | "codes", number>;

/** Where a search continues: in which of its passes, and after which values of that one's order. */
export interface SearchPosition {
  readonly pass: number;
  readonly after: readonly string[] | null;
  readonly searched: Searched;
}

export const searchStart: SearchPosition = {
  pass: 0,
  after: null,
  searched: { names: 0, destinations: 0, codes: 0 },
};

interface Pass {
  /** The texts that it examines; undefined for an index that leads to the codes that match. */
  readonly examines?: keyof Searched;
  readonly tables: string;
  /** SQL of its order. */
  readonly keys: readonly string[];
  readonly isAscending: boolean;
  /** The part of the index that it reads. */
  readonly found: (bind: Bind) => string[];
  /** The condition on what the index has. */
  readonly matches: (bind: Bind) => string;
  /** The same condition on a code, by which later passes leave it out. */
  readonly has: (bind: Bind) => string;
}

/** A code's folded name, as the code and as the index of names have it. */
const ownName: FoldedName = { sql: "coalesce(c.name_folded, upper(c.name))" };
const indexedName: FoldedName = {
  // An id has 36 characters, and one divides it from the name.
  sql: `substr(${nameOrder}, 1, length(${nameOrder}) - 37)`,
  withId: nameOrder,
};

/** The last character, behind all others. */
const lastChar = "\u{10ffff}";

/** Returns SQL of the condition that a text begins with another. */
const beginsWith = (sql: string, text: string, bind: Bind): string =>
  `${sql} >= ${bind(text)} AND ${sql} < ${bind(text + lastChar)}`;

/** Returns the spellings by which tags are looked up, as their index orders them: the last first. */
const spellingsOf = (text: string): string[] => {
  const lower = text.toLowerCase();
  const capitalised = lower.replace(/^./u, (first) => first.toUpperCase());
  return [...new Set([text, lower, capitalised, text.toUpperCase()])].sort().reverse();
};

const render = ({ sql, values }: Condition, bind: Bind): string => {
  const rest = [...values];
  return sql.replaceAll("?", () => bind(String(rest.shift() ?? "")));
};

/** Returns the passes of a search, and the filters that are tested on each code that they find. */
function passesOf(workspaceId: string, { filters, text, words }: WordSearch) {
  const { index, tables, order, ascending, found, tested } = conditionsOf(workspaceId, {
    ...filters,
    limit: 1,
  });
  const names = [...new Set([foldCase(text), foldAccents(text)])];
  const tags = spellingsOf(text);
  const tagBegins = (tag: string, bind: Bind) =>
    `(${tags.map((each) => beginsWith(tag, each, bind)).join(" OR ")})`;
  const hasTag = (bind: Bind) =>
    `EXISTS (SELECT 1 FROM qr_tags b WHERE b.qr_id = c.id AND b.workspace_id = c.workspace_id AND ${tagBegins("b.tag", bind)})`;
  const nameBegins = (name: string) => (bind: Bind) => `instr(${ownName.sql}, ${bind(name)}) = 1`;
  const isMarked = words.some((word) => foldCase(word) !== foldAccents(word));
  const workspace = (bind: Bind) => `c.workspace_id = ${bind(workspaceId)}`;
  const always = () => "TRUE";
  // Any filter with an index leads to fewer codes than the indexes of names and addresses.
  const walk: Omit<Pass, "matches" | "has"> = {
    ...{ examines: "codes", tables, keys: order.terms, isAscending: ascending },
    found: (bind) => found.map((condition) => render(condition, bind)),
  };
  const walked = (examines: keyof Searched, has: Pass["has"]): Pass => ({
    ...walk,
    examines,
    has,
    matches: has,
  });
  const byName = {
    ...{ tables: "qr_codes c INDEXED BY qr_codes_name", keys: [nameOrder], isAscending: true },
    found: (bind: Bind) => [workspace(bind)],
  };
  const marked = (name: FoldedName) => (bind: Bind) => nameHasMarkedWords(words, name, bind);
  const named = (name: FoldedName) => (bind: Bind) => nameHasWords(words, name, bind);
  const addressed = (bind: Bind) => addressHasWords(words, bind);
  const worded = (bind: Bind) => hasWords(words, bind);
  const passes: Pass[] =
    index !== undefined
      ? [
          walked(
            "names",
            (bind) => `(${[...names.map((name) => nameBegins(name)(bind)), hasTag(bind)].join(" OR ")})`,
          ),
          ...(isMarked ? [walked("names", marked(ownName))] : []),
          walked("names", named(ownName)),
          walked("destinations", addressed),
          walked("codes", worded),
        ]
      : [
          ...names.map(
            (name): Pass => ({
              ...byName,
              found: (bind) => [workspace(bind), beginsWith(nameOrder, name, bind)],
              matches: always,
              has: nameBegins(name),
            }),
          ),
          ...tags.map(
            (tag): Pass => ({
              tables: "qr_tags t CROSS JOIN qr_codes c ON c.id = t.qr_id",
              keys: ["t.tag", "t.qr_id"],
              isAscending: false,
              found: (bind) => [
                `t.workspace_id = ${bind(workspaceId)}`,
                beginsWith("t.tag", tag, bind),
                workspace(bind),
              ],
              // A code with several such tags is found by the last of them.
              matches: (bind) => `NOT EXISTS (SELECT 1 FROM qr_tags b WHERE b.qr_id = t.qr_id
                AND b.workspace_id = t.workspace_id AND b.tag > t.tag AND ${tagBegins("b.tag", bind)})`,
              has: (bind) => `EXISTS (SELECT 1 FROM qr_tags b WHERE b.qr_id = c.id
                AND b.workspace_id = c.workspace_id AND ${beginsWith("b.tag", tag, bind)})`,
            }),
          ),
          ...(isMarked
            ? [{ ...byName, examines: "names", matches: marked(indexedName), has: marked(ownName) } as const]
            : []),
          { ...byName, examines: "names", matches: named(indexedName), has: named(ownName) },
          {
            examines: "destinations",
            tables: "qr_codes c INDEXED BY qr_codes_destination",
            keys: ["c.destination", "c.id"],
            isAscending: true,
            found: (bind) => [workspace(bind), "c.destination IS NOT NULL"],
            ...{ matches: addressed, has: addressed },
          },
          walked("codes", worded),
        ];
  return { passes, tested, isIndexed: index !== undefined };
}

/** A statement in the making, whose equal parameters are one. */
function statementOf(db: D1Database, write: (bind: Bind) => string): D1PreparedStatement {
  const values: string[] = [];
  const bind = (value: string) => {
    if (!values.includes(value)) values.push(value);
    return `?${values.indexOf(value) + 1}`;
  };
  const sql = write(bind);
  return db.prepare(sql).bind(...values);
}

const tuple = (parts: readonly string[]): string =>
  parts.length === 1 ? parts.join() : `(${parts.join(", ")})`;

interface Part {
  readonly after: readonly string[] | null;
  readonly end: readonly string[] | null;
}

/** Returns the conditions on the part of a pass's index. */
function partOf({ keys, isAscending, found }: Pass, { after, end }: Part, bind: Bind): string[] {
  const [beyond, upTo] = isAscending ? [">", "<="] : ["<", ">="];
  const compare = (operator: string, position: readonly string[] | null) =>
    position === null ? [] : [`${tuple(keys)} ${operator} ${tuple(position.map(bind))}`];
  return ["c.deleted_at IS NULL", ...found(bind), ...compare(beyond, after), ...compare(upTo, end)];
}

const orderOf = ({ keys, isAscending }: Pass): string =>
  `ORDER BY ${keys.map((key) => `${key} ${isAscending ? "ASC" : "DESC"}`).join(", ")}`;

/** Returns the statement that finds the codes in a part of a pass. */
const passStatement = (
  db: D1Database,
  { passes, tested }: ReturnType<typeof passesOf>,
  at: number,
  part: Part,
  limit: number,
): D1PreparedStatement =>
  statementOf(db, (bind) => {
    const pass = passes[at] as Pass;
    const others = passes.slice(0, at).map(({ has }) => `(${has(bind)}) IS NOT TRUE`);
    const conditions = [
      ...partOf(pass, part, bind),
      ...tested.map((condition) => render(condition, bind)),
      // SQLite tests what an index has before all else, but conditions with a subquery last. Few codes match.
      pass.matches(bind),
      ...(others.length === 0 ? [] : [`CASE WHEN ${pass.has(bind)} THEN ${others.join(" AND ")} END`]),
    ];
    return `SELECT ${qrRows.columns("c")}, ${pass.keys.map((key, i) => `${key} AS search_${i}`).join(", ")}
      FROM ${pass.tables} WHERE ${conditions.join(" AND ")} ${orderOf(pass)} LIMIT ${limit}`;
  });

/** Returns the statement that finds where a part of so many entries ends, if there are more. */
const endStatement = (
  db: D1Database,
  pass: Pass,
  after: Part["after"],
  entries: number,
): D1PreparedStatement =>
  statementOf(
    db,
    (bind) => `SELECT ${pass.keys.map((key, i) => `${key} AS search_${i}`).join(", ")} FROM ${pass.tables}
      WHERE ${partOf(pass, { after, end: null }, bind).join(" AND ")} ${orderOf(pass)} LIMIT 2 OFFSET ${entries - 1}`,
  );

type Found = Record<string, unknown>;

const keysOf = ({ keys }: Pass, row: Found): string[] => keys.map((_, i) => String(row[`search_${i}`]));

/** A code, and where the search continues after it. */
interface FoundCode {
  readonly row: QrRow;
  readonly at: SearchPosition;
}

/** The result of a part of a pass. */
interface Read {
  readonly rows: readonly Found[];
  /** Where it ended; null at the end of the pass. */
  readonly end: readonly string[] | null;
  /** Milliseconds of the catalogue. */
  readonly time: number;
}

/**
 * Returns codes that a search finds from a position on, and where it stopped before its end, if it did.
 * @param limit how many codes at most
 * @param options `found`: whether codes were found before it; `indexOnly`: whether it stops before it examines names,
 *   addresses or codes one by one
 */
export async function findCodes(
  db: D1Database,
  workspaceId: string,
  search: WordSearch,
  from: SearchPosition,
  limit: number,
  { found, indexOnly }: { readonly found: boolean; readonly indexOnly: boolean },
): Promise<{ codes: FoundCode[]; next: SearchPosition | null }> {
  const { whole, perIndex, codes: perStatement, entries: mostEntries, time, statements } = bounds.search;
  const plan = passesOf(workspaceId, search);
  const { passes, isIndexed } = plan;
  const isSmall = search.codes <= whole;
  const isWalk = ({ examines }: Pass) => isIndexed || examines === "codes";
  const entriesOf = (pass: Pass) => (pass.examines !== undefined && !isWalk(pass) ? perIndex : perStatement);
  /** Reads the next part of each of these passes. */
  const read = async (indexes: readonly number[], after: Part["after"]): Promise<Read[]> => {
    const parts = indexes.map((at, i) => ({ at, pass: passes[at] as Pass, after: i === 0 ? after : null }));
    const ends = isSmall
      ? []
      : await db.batch<Found>(parts.map(({ pass, after }) => endStatement(db, pass, after, entriesOf(pass))));
    const endOf = (i: number) => {
      // It has none if nothing comes after it.
      const [last, next] = ends[i]?.results ?? [];
      return last === undefined || next === undefined ? null : keysOf(parts[i]?.pass as Pass, last);
    };
    const lists = await db.batch<Found>(
      parts.map(({ at, after }, i) => passStatement(db, plan, at, { after, end: endOf(i) }, limit)),
    );
    return lists.map(({ results, meta }, i) => ({
      rows: results,
      end: endOf(i),
      time: meta.duration + (ends[i]?.meta.duration ?? 0),
    }));
  };
  const codes: FoundCode[] = [];
  const spent = { entries: 0, time: 0, statements: 0 };
  let { searched } = from;
  // A made-up cursor can have any position.
  let after = from.after?.length === passes[from.pass]?.keys.length ? from.after : null;
  let ahead: Read[] = [];
  for (let at = from.pass; at < passes.length; ) {
    const pass = passes[at] as Pass;
    const { examines } = pass;
    const position: SearchPosition = { pass: at, after, searched };
    const isBehindIndex = examines !== undefined && !isIndexed;
    if (isBehindIndex && indexOnly) return { codes, next: position };
    const isNext = isBehindIndex && at !== from.pass && passes[at - 1]?.examines === undefined;
    if (isNext && !isSmall && (found || codes.length > 0)) return { codes, next: position };
    if (spent.entries >= mostEntries || spent.time >= time || spent.statements >= statements) {
      return { codes, next: position };
    }
    if (ahead.length === 0) {
      // Quick ones are asked for together.
      const isQuick = (each: Pass) =>
        !isWalk(each) && (examines === undefined ? each.examines === undefined : isSmall);
      const last = passes.findIndex((each, i) => i >= at && !isQuick(each));
      ahead = await read(range(at, Math.max(last, at + 1)), after);
    }
    const [part, ...others] = ahead;
    ahead = others;
    for (const row of part?.rows ?? []) {
      codes.push({ row: qrRows.read(row), at: { pass: at, after: keysOf(pass, row), searched } });
      if (codes.length === limit) return { codes, next: codes.at(-1)?.at ?? null };
    }
    const end = part?.end ?? null;
    if (isWalk(pass)) {
      spent.time += part?.time ?? 0;
      spent.statements += 1;
    } else if (examines !== undefined) spent.entries += Math.min(perIndex, search.codes);
    // Few codes of an index don't match the filters, if any.
    else if (end !== null) return { codes, next: { pass: at, after: end, searched } };
    if (examines !== undefined) {
      const examined = searched[examines] + entriesOf(pass);
      searched = { ...searched, [examines]: end === null ? search.codes : Math.min(examined, search.codes) };
    }
    after = end;
    if (end === null) at += 1;
  }
  return { codes, next: null };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

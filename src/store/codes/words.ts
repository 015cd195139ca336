import { accentPatterns, foldAccents } from "../../lib/text/accents.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { utf8Length } from "../../lib/text/utf8.ts";

/** Conditions of SQL on the texts of codes, by the words of a search. Each is found whatever its case and accents. */

/** Returns the SQL of a parameter with this value. */
export type Bind = (value: string) => string;

/** The most bytes of a word that LIKE takes in D1, whose patterns have at most 50. */
const likeBytes = 48;

/**
 * Returns SQL for whether a text contains a word, ignoring the case of ASCII letters. LIKE is three times as fast as
 * `upper`.
 */
function includes(text: string, word: string, bind: Bind): string {
  const isPattern = /[%_]/.test(word) || utf8Length(word) > likeBytes;
  return isPattern ? `instr(upper(${text}), ${bind(word)}) > 0` : `${text} LIKE ${bind(`%${word}%`)}`;
}

/** The patterns of all words of a search, which are parameters of the statement. */
const mostPatterns = 24;

/** Returns SQL for whether a text contains a word, whatever the accents and the case of its letters in every script. */
const matches = (text: string, word: string, words: readonly string[], bind: Bind): string =>
  accentPatterns(foldAccents(word), Math.floor(mostPatterns / words.length))
    .map((pattern) => `${text} GLOB ${bind(pattern)}`)
    .join(" AND ");

/** Returns the forms of a word that are compared without patterns: without accents, and as it is. */
const formsOf = (word: string): string[] => [...new Set([foldAccents(word), foldCase(word)])];

/** Returns SQL for a condition on every word: on the longest first, since few codes have them. */
const all = (words: readonly string[], condition: (word: string) => string): string =>
  `(${[...words]
    .sort((a, b) => b.length - a.length)
    .map(condition)
    .join(" AND ")})`;

/** The parts of a code's data that are searched, of other types than `url`. */
const searchedData = [
  ...["fallback", "ios", "android", "phone", "to", "username", "label"],
  ...["firstName", "lastName", "organization"],
];

/** SQL for those parts, and for the title of a hosted page. */
const otherData = `concat_ws(char(10), ${searchedData.map((field) => `c.data->>'${field}'`).join(", ")},
  (SELECT p.title_folded FROM pages p WHERE p.id = c.data->>'pageId' AND p.workspace_id = c.workspace_id))`;

const ownTexts = "c.name, c.name_folded, c.external_id, nullif(c.tags, '[]'), c.aliases";

/** The length of the shortest short name. Generated ones often contain shorter words by chance. */
const shortestHash = 4;

/**
 * SQL for whether a code may have letters beyond ASCII other than in an address. Most have none, and need no patterns.
 */
const isMarked = `(c.name_folded IS NOT NULL OR c.qr_type <> 'url' OR octet_length(c.tags) > length(c.tags)
  OR octet_length(c.external_id) > length(c.external_id))`;

const markedTexts = `concat_ws(char(10), ${ownTexts}, iif(c.qr_type = 'url', NULL, ${otherData}))`;

/**
 * Returns the SQL of the condition that each of the words is in any text of a code `c`: its name, own id, short name,
 * tags, aliases or data, or the title of its hosted page.
 */
export const hasWords = (words: readonly string[], bind: Bind): string =>
  all(words, (word) => {
    const texts = `concat_ws(char(10), ${ownTexts}${word.length < shortestHash ? "" : ", c.hash"})`;
    const plain = formsOf(word).map(
      // The data as it is stored tells cheaply which codes needn't be parsed.
      (
        form,
      ) => `${includes(texts, form, bind)} OR (c.qr_type = 'servicepage' OR ${includes("c.data", form, bind)})
        AND ${includes(`iif(c.qr_type = 'url', c.destination, ${otherData})`, form, bind)}`,
    );
    return `(${plain.join(" OR ")} OR ${isMarked} AND ${matches(markedTexts, word, words, bind)})`;
  });

/** SQL for a code's folded name. */
export interface FoldedName {
  readonly sql: string;
  /** The same, with the code's id behind it, which has digits, hyphens and small letters; undefined for none. */
  readonly withId?: string;
}

/** Returns the same condition on a code's name alone. */
export const nameHasWords = (words: readonly string[], name: FoldedName, bind: Bind): string =>
  all(words, (word) => {
    const { sql, withId = sql } = name;
    const plain = formsOf(word).map((form) => inName(name, form, bind));
    return `(${plain.join(" OR ")} OR octet_length(${withId}) > length(${withId})
      AND ${matches(sql, word, words, bind)})`;
  });

/** Returns the same with exactly the accents of the words. */
export const nameHasMarkedWords = (words: readonly string[], name: FoldedName, bind: Bind): string =>
  all(words, (word) => inName(name, foldCase(word), bind));

const inName = ({ sql, withId = sql }: FoldedName, form: string, bind: Bind): string =>
  `instr(${/^[0-9-]+$/.test(form) ? sql : withId}, ${bind(form)}) > 0`;

/** Returns the same on the address where a code leads. */
export const addressHasWords = (words: readonly string[], bind: Bind): string =>
  all(words, (word) => includes("c.destination", foldCase(word), bind));

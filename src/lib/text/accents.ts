import { lazy } from "../lazy.ts";
import { foldCase } from "./fold-case.ts";
import { utf8Length } from "./utf8.ts";

/**
 * The marked forms of letters that people leave out when they type, as GLOB has them in brackets: large and small ones,
 * those of one Unicode block as a range.
 */
const marked: Readonly<Record<string, string>> = {
  ...{ A: "À-Åà-åĀ-ąẠ-ặ", C: "ÇçĆ-č", D: "Ď-đ", E: "È-Ëè-ëĒ-ěẸ-ệ", G: "Ĝ-ģ", H: "Ĥ-ħ", J: "Ĵĵ", K: "Ķķ" },
  ...{ I: "Ì-Ïì-ïĨ-ıỈ-ị", L: "Ĺ-ł", N: "ÑñŃ-ň", O: "Ò-ÖØò-öøŌ-őƠơỌ-ợ", R: "Ŕ-ř", S: "Ś-šȘș", T: "Ţ-ŧȚț" },
  ...{ U: "Ù-Üù-üŨ-ųƯưỤ-ự", W: "Ŵŵ", Y: "ÝýÿŶ-ŸỲ-ỹ", Z: "Ź-ž" },
  ...{ Α: "Άά", Ε: "Έέ", Η: "Ήή", Ι: "ΊίΪϊΐ", Ο: "Όό", Υ: "ΎύΫϋΰ", Ω: "Ώώ", Е: "Ёё", И: "Йй" },
};

/** The unmarked letter of each marked one. */
const unmarked = lazy(
  () =>
    new Map(
      Object.entries(marked).flatMap(([letter, forms]) =>
        [...forms.matchAll(/(.)-(.)|./gu)].flatMap(([form, first = form, last = first]) => {
          const [begin = 0, end = 0] = [first.codePointAt(0), last.codePointAt(0)];
          return Array.from(
            { length: end - begin + 1 },
            (_, i) => [String.fromCodePoint(begin + i), letter] as const,
          );
        }),
      ),
    ),
);

/** Folds text for comparing it without regard to case and accents, those of Latin, Greek and Cyrillic letters. */
export const foldAccents = (text: string): string =>
  foldCase([...text.normalize("NFC")].map((char) => unmarked().get(char) ?? char).join(""));

/** The bytes of a pattern of LIKE or GLOB in D1. */
const mostBytes = 50;

/**
 * Returns patterns of GLOB, all of which match a text that contains a word with any accents and in any case. Each has so
 * many letters of it as fit in D1's 50 bytes, the first of which is the last one of the pattern before it.
 * @param word as `foldAccents` returns it
 * @param most how many patterns at most; they then skip letters
 */
export function accentPatterns(word: string, most: number): string[] {
  const letters = [...word];
  const patterns: string[] = [];
  for (let start = 0, end = 1; end < letters.length || patterns.length === 0; start = end - 1) {
    end = start + 1;
    let pattern = letterPattern(letters[start] ?? "");
    const add = (part: string): boolean => {
      const fits = end < letters.length && utf8Length(pattern + part) <= mostBytes - 2;
      if (fits) [pattern, end] = [pattern + part, end + 1];
      return fits;
    };
    while (add(letterPattern(letters[end] ?? "")));
    add(anyForm(letters[end] ?? ""));
    patterns.push(`*${pattern}*`);
  }
  const step = Math.max(1, patterns.length / most);
  return Array.from(
    { length: Math.min(most, patterns.length) },
    (_, i) => patterns[Math.floor(i * step)] ?? "",
  );
}

/** Returns the part of a pattern that matches a letter's forms. */
function letterPattern(letter: string): string {
  const small = letter.toLowerCase();
  const forms = marked[letter] ?? "";
  if (small !== letter && [...small].length === 1) return `[${letter}${small}${forms}]`;
  return /[*?[]/.test(letter) ? `[${letter}]` : letter;
}

/** Returns a shorter part that matches also other letters with marks. */
const anyForm = (letter: string): string =>
  marked[letter] === undefined ? letterPattern(letter) : `[${letter}${letter.toLowerCase()}À-ỿ]`;

/** Texts that spreadsheet programs read as numbers or dates, and save as another text. */

/** Months and their short forms, in languages that these programs read. */
const month =
  /^(?:jan(?:uary|uar|v|vier)?|ene(?:ro)?|feb(?:ruary|ruar|rero|braio)?|fev(?:r|rier)?|mar(?:ch|s|z|zo)?|mrt|mrz|apr(?:il|ile)?|abr(?:il)?|avr(?:il)?|may|mai|maj|mei|jun(?:e|i|io)?|juin|jul(?:y|i|io)?|juil(?:let)?|aug(?:ust)?|ago(?:sto)?|sep(?:t|tember|tembre|tiembre)?|o[ck]t(?:ober|ubre|obre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre)?|dic(?:embre|iembre)?)$/;

/** Returns whether a spreadsheet would read a short name as a number or a date, and save it as another text. */
export function readsAsValue(shortName: string): boolean {
  const numbers = /^(?:\d+(?:e\d+)?|\d{1,2}-\d{1,2}(?:-\d{2,4})?|\d{1,2}-\d{4}|\d{4}-\d{1,2}(?:-\d{1,2})?)$/;
  if (numbers.test(shortName)) return true;
  const [, day = "", name = "", year = ""] = /^(\d{0,2})-?([a-z]+)-?(\d{0,4})$/.exec(shortName) ?? [];
  return day + year !== "" && month.test(name);
}

/** Warns of the short names that spreadsheets would misread; undefined if there are none. */
export function warningOf(shortNames: readonly string[]): string | undefined {
  const read = shortNames.filter((name) => readsAsValue(name.trim().toLowerCase()));
  const [example] = read;
  if (example === undefined) return undefined;
  const subject = read.length === 1 ? "1 short name reads" : `${read.length} short names read`;
  return `${subject} as a number or a date in spreadsheets, such as ${example.trim()}. Choose others if you edit tables of codes there.`;
}

/** The kinds of damage that a spreadsheet does to a text: a test, and its description. */
const damages: readonly (readonly [isDamaged: (text: string) => boolean, problem: string])[] = [
  [
    (text) => /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i.test(text) && /[.,e]/i.test(text),
    "may have been read as a number by a spreadsheet",
  ],
  [(text) => /^\d{11,}0{3}$/.test(text), "may have been rounded by a spreadsheet, which keeps 15 digits"],
  [
    (text) => /^\d+$/.test(text),
    "may have lost zeros at its beginning in a spreadsheet, or have been read as a date",
  ],
  [isDate, "may have been read as a date by a spreadsheet"],
  [
    (text) => /^#+(?:(?:name|ref|value|wert|nv|n\/a|num|zahl|bezug|div\/0)[?!]?)?$/i.test(text),
    "is an error of a spreadsheet",
  ],
];

function isDate(text: string): boolean {
  if (/^\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?(?: \d{1,2}:\d{2}(?::\d{2})?)?$/.test(text)) return true;
  const [, day = "", name = "", year = ""] =
    /^(\d{0,2})[. -]{0,2}(\p{L}{3,9})[. -]{0,2}(\d{0,4})$/u.exec(text) ?? [];
  return day + year !== "" && month.test(name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase());
}

/** Returns a sentence about how a spreadsheet may have damaged a short name; empty if it didn't. */
export function damageOf(text: string): string {
  const [, problem] = damages.find(([isDamaged]) => isDamaged(text)) ?? [];
  return problem === undefined ? "" : `It ${problem}. Open the file with this column as text.`;
}

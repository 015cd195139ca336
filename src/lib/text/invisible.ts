/** Characters that nobody sees, such as a zero-width space, which come along when text is copied. */

/** Where they belong to what is seen: in emoji, in scripts that join letters, and after ideographs. */
const endings = [
  String.raw`(?<=\p{Extended_Pictographic}|[\d#*])[\ufe0e\ufe0f]`,
  String.raw`(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6})[\u{e0020}-\u{e007f}]`,
  String.raw`(?<=\p{Script=Han})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
];
const joiners = [
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}])[\u200c\u200d]`,
];
const meaningful = [...endings, ...joiners].join("|");
const stray = new RegExp(String.raw`(?!${meaningful})\p{Default_Ignorable_Code_Point}`, "u");

/** Characters that go at an end, except one that belongs to the character before it. */
const blank = /^[\s\p{Default_Ignorable_Code_Point}]$/u;
const keepsLast = new RegExp(`(?:${endings.join("|")})$`, "u");

/** Printable ASCII, as nearly all texts begin and end. */
const isPlain = (character: string): boolean => character > " " && character <= "~";

/** Removes spaces and invisible characters at both ends. */
export function trimmed(text: string): string {
  if (isPlain(text.charAt(0)) && isPlain(text.charAt(text.length - 1))) return text;
  const characters = [...text];
  const isBlank = (at: number) => blank.test(characters[at] ?? "");
  let start = 0;
  let end = characters.length;
  while (start < end && isBlank(start)) start += 1;
  while (
    end > start &&
    isBlank(end - 1) &&
    !keepsLast.test(characters.slice(Math.max(0, end - 8), end).join(""))
  )
    end -= 1;
  return characters.slice(start, end).join("");
}

const names: Readonly<Record<string, string>> = {
  "\u00ad": "soft hyphen",
  "\u200b": "zero-width space",
  "\u200c": "zero-width non-joiner",
  "\u200d": "zero-width joiner",
  "\u200e": "left-to-right mark",
  "\u200f": "right-to-left mark",
  "\u2060": "word joiner",
  "\ufeff": "byte order mark",
};

/**
 * Returns the problem of a text with an invisible character inside, worded to follow a field's name: which one it is, and
 * after which characters. Undefined if there is none.
 */
export function invisibleProblem(text: string): string | undefined {
  const found = stray.exec(text);
  if (found === null) return undefined;
  const [character] = found;
  const code = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  const name = names[character] === undefined ? code : `${names[character]}, ${code}`;
  const before = [...text.slice(0, found.index)].slice(-20).join("");
  return `has an invisible character (${name}) after “${before}”`;
}

/** A file as spreadsheet programs save it. */
export interface EncodedFile {
  readonly name: string;
  /** The `charset` that its content type must have. */
  readonly charset: string;
  readonly file: Uint8Array<ArrayBuffer>;
}

/** The characters of windows-1252 that differ from Latin-1. */
const windows1252: Readonly<Record<string, number>> = { "€": 0x80, "–": 0x96, "“": 0x93, "”": 0x94 };

/** Returns a text in the encodings used by spreadsheet programs. */
export function encoded(text: string): EncodedFile[] {
  const bytesOf = (isLittle: boolean) => {
    const file = new Uint8Array(text.length * 2 + 2);
    const view = new DataView(file.buffer);
    for (const [i, char] of ["\ufeff", ...text].entries()) {
      view.setUint16(i * 2, char.charCodeAt(0), isLittle);
    }
    return file;
  };
  const utf8 = (decoded: string) => Uint8Array.from(new TextEncoder().encode(decoded));
  const narrow = Uint8Array.from([...text].map((char) => windows1252[char] ?? char.charCodeAt(0)));
  return [
    { name: "UTF-8", charset: "utf-8", file: utf8(text) },
    { name: "UTF-8 with a mark", charset: "windows-1252", file: utf8(`\ufeff${text}`) },
    { name: "UTF-16, little-endian", charset: "utf-8", file: bytesOf(true) },
    { name: "UTF-16, big-endian", charset: "UTF-16", file: bytesOf(false) },
    { name: "Windows-1252", charset: "windows-1252", file: narrow },
    { name: "Latin-1", charset: '"ISO-8859-1"', file: narrow },
  ];
}

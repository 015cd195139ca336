/** Text that breaks careless encodings: umlauts, an emoji, quotes, separators, HTML, two kinds of line ending. */
export const line = `Käse & "Wein"; 'gut', 50% + <b>\\n #1? 🍕`;
export const text = `${line}\r\n\nZweite=Zeile\n`;
/** The same, as the service stores it. */
export const stored = `${line}\n\nZweite=Zeile\n`;

import type { Area, Size } from "./sheets.ts";

/** A text on a label, line by line. */
export interface Caption {
  readonly text: string;
  /** Whether it may be cut off if there is no space. Addresses may not. */
  readonly shortens: boolean;
}

/** A line of text, positioned by its baseline: the start, or the middle of a centred line. */
interface Line {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly centred: boolean;
}

/** The parts of a label, relative to its upper left corner. */
export interface LabelParts {
  readonly code: Area;
  readonly lines: readonly Line[];
}

/** The layout of labels. */
export interface LabelStyle {
  /** The margin along the edges, because labels are cut and fed with a tolerance. */
  readonly padding: number;
  /** The height of an em in captions. */
  readonly captionSize: number;
  /** Returns the width of a text with an em of 1. */
  measure(text: string): number;
}

/**
 * Returns the height of an em, in millimetres, that suits captions on a label: a twentieth of the side of a square of the
 * same area. At least 1.8, which is about 5 points and still legible, at most 8, to be read from a few steps away.
 */
export function suitableCaptionSize({ width, height }: Size): number {
  const share = Math.round(Math.sqrt(width * height) / 2) / 10;
  return Math.min(8, Math.max(1.8, share));
}

/** The distance between baselines, and from the top of a line to its baseline, in ems. */
const lineHeight = 1.25;
const ascent = 0.95;

/** Between code and captions. The code also has its own quiet zone. */
const gap = 1.5;

/** A label this much wider than high has its captions beside the code. */
const wide = 1.4;

/** The share of a wide label's width that the code may take. */
const codeShare = 0.6;

/**
 * Places a code as large as possible, with its captions beside it on a wide label, otherwise below it.
 * @param drawing the proportions of the code with its quiet zone
 * @returns undefined if the captions leave no space, or an address doesn't fit
 */
export function layOut(
  label: Size,
  drawing: Size,
  captions: readonly Caption[],
  style: LabelStyle,
): LabelParts | undefined {
  const { padding } = style;
  const inner = { width: label.width - 2 * padding, height: label.height - 2 * padding };
  if (inner.width <= 0 || inner.height <= 0) return undefined;
  if (captions.length === 0) {
    const code = fitted(drawing, inner);
    return { code: centred(code, { x: padding, y: padding, ...inner }), lines: [] };
  }
  return label.width >= wide * label.height
    ? beside(inner, drawing, captions, style)
    : below(inner, drawing, captions, style);
}

function beside(
  inner: Size,
  drawing: Size,
  captions: readonly Caption[],
  style: LabelStyle,
): LabelParts | undefined {
  const { padding, captionSize } = style;
  const code = fitted(drawing, { width: inner.width * codeShare, height: inner.height });
  const width = inner.width - code.width - gap;
  const mostLines = Math.floor(inner.height / (captionSize * lineHeight));
  const texts = wrapAll(captions, width / captionSize, mostLines, style);
  if (texts === undefined) return undefined;
  const top = padding + (inner.height - texts.length * captionSize * lineHeight) / 2;
  return {
    code: { x: padding, y: padding + (inner.height - code.height) / 2, ...code },
    lines: linesAt(texts, { x: padding + code.width + gap, y: top }, captionSize, false),
  };
}

function below(
  inner: Size,
  drawing: Size,
  captions: readonly Caption[],
  style: LabelStyle,
): LabelParts | undefined {
  const { padding, captionSize } = style;
  // Each caption has one line; a long address has more.
  const texts = captions.flatMap((caption) => wrap(caption, inner.width / captionSize, style));
  if (texts.some((text) => text === undefined)) return undefined;
  const lines = texts.filter((text) => text !== undefined);
  const height = inner.height - gap - lines.length * captionSize * lineHeight;
  if (height <= 0) return undefined;
  const code = fitted(drawing, { width: inner.width, height });
  const used = code.height + gap + lines.length * captionSize * lineHeight;
  const top = padding + (inner.height - used) / 2;
  return {
    code: { x: padding + (inner.width - code.width) / 2, y: top, ...code },
    lines: linesAt(lines, { x: padding + inner.width / 2, y: top + code.height + gap }, captionSize, true),
  };
}

const linesAt = (
  texts: readonly string[],
  { x, y }: { x: number; y: number },
  captionSize: number,
  isCentred: boolean,
): Line[] =>
  texts.map((text, index) => ({
    text,
    x,
    y: y + (index * lineHeight + ascent) * captionSize,
    centred: isCentred,
  }));

/** Returns the largest size with the drawing's proportions that fits into the available space. */
function fitted(drawing: Size, room: Size): Size {
  const scale = Math.min(room.width / drawing.width, room.height / drawing.height);
  return { width: drawing.width * scale, height: drawing.height * scale };
}

const centred = (size: Size, room: Area): Area => ({
  x: room.x + (room.width - size.width) / 2,
  y: room.y + (room.height - size.height) / 2,
  ...size,
});

/** Returns the captions' lines. Captions that may be cut off share the lines left by addresses. */
function wrapAll(
  captions: readonly Caption[],
  width: number,
  mostLines: number,
  style: LabelStyle,
): string[] | undefined {
  const addresses = captions
    .filter(({ shortens }) => !shortens)
    .map((caption) => wrap(caption, width, style));
  const needed = addresses.reduce((sum, lines) => sum + lines.length, 0);
  const names = captions.length - addresses.length;
  const linesOfName = names === 0 ? 0 : Math.floor((mostLines - needed) / names);
  if (needed > mostLines || (names > 0 && linesOfName < 1)) return undefined;
  const lines = captions.flatMap((caption) => wrap(caption, width, style, linesOfName));
  const given = lines.filter((line) => line !== undefined);
  return given.length === lines.length ? given : undefined;
}

/**
 * Splits a caption into lines of a width in ems, cutting off the last one if allowed. An undefined line stands for a
 * character that is too wide.
 */
export function wrap(
  { text, shortens }: Caption,
  width: number,
  { measure }: Pick<LabelStyle, "measure">,
  mostLines = 1,
): (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  let rest = text;
  while (rest !== "") {
    const isLast = shortens && lines.length === mostLines - 1;
    const fits = longestStart(rest, width, measure);
    if (fits.length === rest.length) return [...lines, rest];
    if (isLast) return [...lines, shortened(rest, width, measure)];
    const line = shortens ? wholeWords(fits, rest) : wholeParts(fits);
    if (line === "") return [...lines, undefined];
    lines.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

/** Returns the longest prefix of a text that isn't wider than given. */
function longestStart(text: string, width: number, measure: (text: string) => number): string {
  let start = "";
  for (const character of text) {
    if (measure(start + character) > width) break;
    start += character;
  }
  return start;
}

function shortened(text: string, width: number, measure: (text: string) => number): string | undefined {
  const start = longestStart(text, width - measure("…"), measure).trimEnd();
  return start === "" ? undefined : `${start}…`;
}

/** Returns as much of a text as fits, without the word at the break, unless that word is the whole line. */
function wholeWords(fits: string, text: string): string {
  if (/\s/.test(text[fits.length] ?? " ")) return fits;
  const space = fits.search(/\s\S*$/);
  return space <= 0 ? fits : fits.slice(0, space + 1);
}

/** Returns as much of an address as fits, broken after a dot or slash if possible. */
const wholeParts = (fits: string): string => /^.*[./](?=[^./]*$)/.exec(fits)?.[0] ?? fits;

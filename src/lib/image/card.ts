import { finderCentre, finderRing } from "../web/service-style.ts";
import type { Hex } from "./color.ts";
import type { Glyphs } from "./glyphs.ts";
import { box } from "./path.ts";

/** Pixels of a picture for link previews, as messengers and networks expect them. */
export const cardSize = { width: 1200, height: 630 } as const;

/** A picture for link previews: a title in large letters. Characters without an outline are not allowed in its texts. */
export interface Card {
  readonly title: string;
  /** A short line above the title; empty for none. */
  readonly caption: string;
  /** A short line below the title, beside the mark; empty for none. */
  readonly footer: string;
  /** Whether the background has the accent colour along its upper edge, as a margin, or everywhere. */
  readonly look: "plain" | "card" | "bold";
  readonly colors: {
    readonly background: Hex;
    readonly text: Hex;
    readonly accent: Hex;
    readonly onAccent: Hex;
  };
}

const margin = 96;
const captionEm = 32;
const footerEm = 30;
const markSide = 44;
const lineHeight = 1.18;
const maxLines = 3;
/** The sizes of a title, from short to long. */
const titleEms = [92, 76, 62] as const;
/** The side of the picture, and its distance to the text. */
const picture = { side: 360, gap: 64 } as const;

/** Draws a card as an SVG that needs no font. @param pictureUri data URI of a picture beside the title */
export function drawCard(card: Card, glyphs: Glyphs, pictureUri?: string): string {
  const { width, height } = cardSize;
  const { background, text, accent, onAccent } = card.colors;
  const isBold = card.look === "bold";
  const ink = isBold ? onAccent : text;
  const fill = (color: Hex, path: string) => `<path fill="${color}" d="${path}"/>`;
  const write = (line: string, x: number, baseline: number, em: number) =>
    line === "" ? "" : fill(ink, glyphs.outline(line).path(x, baseline, em));
  const inside = width - 2 * margin;
  const available = pictureUri === undefined ? inside : inside - picture.side - picture.gap;
  const footerTop = height - margin - markSide;
  const captionHeight = card.caption === "" ? 0 : captionEm * 2;
  const room = { width: available, height: footerTop - margin - captionHeight - footerEm };
  const { em, lines } = fitTitle(card.title, room, glyphs);
  const textHeight = captionHeight + lines.length * em * lineHeight;
  const top = (margin + footerTop - textHeight) / 2;
  // Capitals are centred in their line.
  const firstBaseline = top + captionHeight + (em * lineHeight + em * 0.73) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    ...grounds[card.look].map(([color, area]) => fill({ background, accent }[color], box(area))),
    write(shorten(card.caption, available / captionEm, glyphs), margin, top + captionEm * 0.9, captionEm),
    ...lines.map((line, i) => write(line, margin, firstBaseline + i * em * lineHeight, em)),
    `<g transform="translate(${margin} ${footerTop}) scale(${markSide / 24})">`,
    `<path fill="${ink}" fill-rule="evenodd" d="${finderRing}"/>`,
    `${fill(isBold ? ink : accent, finderCentre)}</g>`,
    write(
      shorten(card.footer, (inside - markSide * 1.5) / footerEm, glyphs),
      margin + markSide * 1.5,
      footerTop + (markSide + footerEm * 0.73) / 2,
      footerEm,
    ),
    pictureUri === undefined
      ? ""
      : `<image x="${width - margin - picture.side}" y="${(height - picture.side) / 2}" width="${picture.side}" ` +
        `height="${picture.side}" href="${pictureUri}"/>`,
    "</svg>",
  ].join("");
}

type Ground = readonly ["background" | "accent", Parameters<typeof box>[0]];

const whole = { x: 0, y: 0, ...cardSize };

const grounds: Readonly<Record<Card["look"], readonly Ground[]>> = {
  plain: [
    ["background", whole],
    ["accent", { ...whole, height: 20 }],
  ],
  card: [
    ["accent", whole],
    ["background", { x: 40, y: 40, width: 1120, height: 550, radii: 32 }],
  ],
  bold: [["accent", whole]],
};

/** Breaks a title into lines in the largest letters that fit, or else cuts it off. */
function fitTitle(
  title: string,
  { width, height }: { readonly width: number; readonly height: number },
  glyphs: Glyphs,
): { readonly em: number; readonly lines: readonly string[] } {
  const words = title.split(" ");
  for (const em of titleEms) {
    const lines = wrap(words, width / em, glyphs);
    const isNarrow = lines.every((line) => isWithin(line, width / em, glyphs));
    const isLow = lines.length <= maxLines && lines.length * em * lineHeight <= height;
    if (isNarrow && isLow) return { em, lines };
  }
  const em = titleEms[2];
  const pieces = words.flatMap((word) => breakWord(word, width / em, glyphs));
  const lines = wrap(pieces, width / em, glyphs);
  if (lines.length <= maxLines) return { em, lines };
  const rest = lines.slice(maxLines - 1).join(" ");
  return { em, lines: [...lines.slice(0, maxLines - 1), shorten(rest, width / em, glyphs)] };
}

/** Breaks a word that is wider than a line. @param width in ems */
function breakWord(word: string, width: number, glyphs: Glyphs): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const character of word) {
    if (piece !== "" && !isWithin(piece + character, width, glyphs)) {
      pieces.push(piece);
      piece = "";
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Puts words into lines. A word that is wider than a line gets its own. @param width in ems */
function wrap(words: readonly string[], width: number, glyphs: Glyphs): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line === "" || isWithin(longer, width, glyphs)) {
      line = longer;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** Returns a line, or as many of its words as fit and "…"; of a long word, its beginning. @param width in ems */
function shorten(line: string, width: number, glyphs: Glyphs): string {
  if (isWithin(line, width, glyphs)) return line;
  const characters = [...line];
  while (characters.length > 0 && !isWithin(`${characters.join("")}…`, width, glyphs)) characters.pop();
  const shown = characters.join("");
  const isAtWordEnd = line[shown.length] === " ";
  return `${isAtWordEnd ? shown : shown.replace(/(\S) +\S*$/, "$1")}…`;
}

const isWithin = (text: string, width: number, glyphs: Glyphs): boolean =>
  glyphs.outline(text).width <= width;

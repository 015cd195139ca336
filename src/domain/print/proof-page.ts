import { limits } from "../../contract/limits.ts";
import type { DisturbanceName, Scannability } from "../../contract/resources/images/scannability.ts";
import type { Hex } from "../../lib/image/color.ts";
import type { Design, Paint } from "../../lib/image/design.ts";
import { sizeInModules } from "../../lib/image/svg.ts";
import type { Stroke } from "../../lib/print/cut-marks.ts";
import { wrap } from "../../lib/print/label.ts";
import { smallestCode } from "../../lib/print/module-size.ts";
import { type Area, round } from "../../lib/print/sheets.ts";
import type { PlacedDrawing, PrintedDocument } from "../../protocol/images.ts";
import { glyphs, printableLine } from "../images/glyphs.ts";
import type { DesignFacts, DrawnSymbol } from "../images/images.ts";
import type { Proof } from "../images/proof.ts";
import { noteOnReplaced } from "./captions.ts";
import { shareFiles } from "./shared-files.ts";

/** The contents of a proof for the printer. */
export interface PrintedProof {
  readonly title: string;
  /** The short link, without its scheme. */
  readonly link: string;
  readonly destination: string;
  /** The code as SVG, as the source of a PDF. */
  readonly svg: string;
  readonly symbol: DrawnSymbol;
  readonly design: Design;
  readonly hasLogo: boolean;
  readonly facts: DesignFacts;
  readonly proof: Proof;
}

/** The resolution of the usual printer, dots per inch. */
const usualDpi = 300;

/** The widths of the codes on a proof, in millimetres. */
interface Widths {
  readonly smallest: number;
  /** A half more, so that worn and hurried scans work, and at least 20 mm. */
  readonly recommended: number;
}

/** Returns the widths at which a code is proved: the smallest is that of the usual printer. */
function widthsOf({ print, modules }: Pick<Scannability, "print" | "modules">): Widths {
  const smallest =
    print.find(({ dpi }) => dpi === usualDpi)?.widthMillimeters ?? smallestCode(modules, usualDpi);
  return { smallest, recommended: Math.max(20, Math.ceil(smallest * 1.5)) };
}

/** Lengths on the page, in millimetres. */
const page = { width: 210, height: 297 };
const margin = 18;
const right = page.width - margin;

/** The width of a column, and where each begins. */
const column = 52;
const columns = [margin, margin + 61, margin + 122] as const;

/** Marks around a code: their distance from the image, and their lengths at the edges of the image and of the code. */
const mark = { gap: 1, image: 3.5, code: 2 };

/** The place that marks take on each side. */
const room = mark.gap + mark.image;

/** Heights of an em. */
const font = { title: 6.2, link: 4.4, section: 3.6, body: 2.9, note: 2.5 };

/** Of the values in a table, and the distance of its lines. */
const columnWidth = 13;
const lineHeight = 4.6;

/** Of the sample of a colour. */
const swatchSide = 3.4;

/** The codes and texts of the page. */
class Paper {
  readonly texts: string[] = [];
  readonly strokes: Stroke[] = [];
  readonly drawings: PlacedDrawing[] = [];

  /** Writes a line. @param x its start, or its end if it is `toRight` */
  write(text: string, x: number, y: number, em: number, toRight = false): void {
    const outline = glyphs().outline(text);
    this.texts.push(outline.path(toRight ? x - outline.width * em : x, y, em));
  }

  /** Writes a text in lines of a width. The last one may be cut off. @returns the baseline after them */
  writeLines(
    text: string,
    at: { readonly x: number; readonly y: number; readonly width: number; readonly em: number },
    most: number,
    shortens = true,
  ): number {
    const { x, y, width, em } = at;
    const lines = wrap(
      { text, shortens },
      width / em,
      { measure: (part) => glyphs().outline(part).width },
      most,
    );
    for (const [index, line] of lines.entries()) this.write(line ?? "", x, y + index * em * 1.35, em);
    return y + lines.length * em * 1.35;
  }

  /** Writes names with their values, which end at the right of the width. @returns the baseline after them */
  writeTable(rows: readonly (readonly string[])[], x: number, y: number, width: number): number {
    for (const [index, cells] of rows.entries()) {
      const [name = "", ...values] = cells;
      const baseline = y + index * lineHeight;
      this.write(name, x, baseline, font.body);
      for (const [column, value] of values.entries()) {
        const end = x + width - (values.length - 1 - column) * columnWidth;
        this.write(value, end, baseline, font.body, true);
      }
    }
    return y + rows.length * lineHeight;
  }

  rule(y: number): void {
    this.strokes.push({ from: [margin, y], to: [right, y] });
  }

  outline({ x, y, width, height }: Area): void {
    const [end, bottom] = [x + width, y + height];
    this.strokes.push(
      { from: [x, y], to: [end, y] },
      { from: [x, bottom], to: [end, bottom] },
      { from: [x, y], to: [x, bottom] },
      { from: [end, y], to: [end, bottom] },
    );
  }
}

/** Composes a proof for the printer: one page of A4. */
export function composeProof(printed: PrintedProof, createdAt: number): PrintedDocument {
  const paper = new Paper();
  const top = writeHead(paper, printed);
  const below = placeCodes(paper, printed, top);
  const inks = inksOf(printed.design);
  writeFacts(paper, printed, inks, below);
  writeNotes(paper, printed.proof);
  const swatches = inks.map(([, color]) => swatch(color));
  return {
    title: `Proof of ${printed.link}`,
    createdAt,
    ink: "rgb",
    ...shareFiles([printed.svg, ...swatches]),
    pages: [{ ...page, drawings: paper.drawings, texts: paper.texts, strokes: paper.strokes }],
  };
}

const swatch = (color: Hex): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path fill="${color}" d="M0 0h1v1h-1z"/></svg>`;

function writeHead(paper: Paper, { title, link, destination, proof }: PrintedProof): number {
  const name = printableLine(title);
  const width = right - margin;
  paper.write("Print proof", margin, 21, font.body);
  paper.write(`Measured on ${dayOf(proof.measuredAt)}`, right, 21, font.body, true);
  let y = paper.writeLines(name.text, { x: margin, y: 30, width, em: font.title }, 1);
  if (name.text !== link) y = paper.writeLines(link, { x: margin, y, width, em: font.link }, 3, false);
  const leads = printableLine(`Leads to ${destination}`);
  if (destination !== "") y = paper.writeLines(leads.text, { x: margin, y, width, em: font.body }, 2);
  const note = noteOnReplaced([...new Set([...name.replaced, ...leads.replaced])]);
  // The font lacks the characters themselves.
  const codes = note?.replace(/“[^“”]+” \((U\+[0-9A-F]+)\)/g, "$1");
  if (codes !== undefined) y = paper.writeLines(codes, { x: margin, y, width, em: font.note }, 2);
  paper.rule(y);
  return y + 3;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

const centimetres = (width: number): string => `${Math.round(width)} cm`;

/** A code on the page, with its width. */
interface ProvedCode {
  readonly width: number;
  readonly name: string;
  readonly note: string;
}

/** The place that the words below a code take. */
const captions = { width: 42, height: 11 };

/**
 * Places the code at three widths in one row; where that is too wide, the first two above each other, and the third
 * beside them if there is room.
 */
function placeCodes(paper: Paper, { svg, symbol, proof }: PrintedProof, top: number): number {
  const size = sizeInModules(svg);
  const { smallest, recommended } = widthsOf(proof.scannability);
  const codes: [ProvedCode, ProvedCode, ProvedCode] = [
    { width: smallest, name: "Smallest", note: `At ${usualDpi} dpi, read from ${centimetres(smallest)}` },
    { width: recommended, name: "Recommended", note: `Read from ${centimetres(recommended)}` },
    { width: 2 * recommended, name: "Twice that", note: `Read from ${centimetres(2 * recommended)}` },
  ];
  const heightOf = ({ width }: ProvedCode) => (width * size.height) / size.width + 2 * room;
  const widthOf = ({ width }: ProvedCode) => Math.max(width + 2 * room, captions.width);
  const place = (code: ProvedCode, x: number, y: number): number => {
    const { width, name, note } = code;
    const area = { x: x + room, y: y + room, width, height: heightOf(code) - 2 * room };
    paper.drawings.push({ drawing: 0, ...area });
    paper.strokes.push(...marksOf(area, inMillimetres(symbol, area, width / size.width)));
    const baseline = y + heightOf(code) + font.section;
    paper.write(`${name}: ${round(width)} mm`, x, baseline, font.section);
    paper.write(note, x, baseline + lineHeight, font.body);
    return y + heightOf(code) + captions.height;
  };
  const [first, second, third] = codes;
  const thirdX = Math.min(columns[2], right - widthOf(third));
  const secondX = Math.min(columns[1], thirdX - widthOf(second));
  if (secondX >= margin + widthOf(first)) {
    const bottom = top + Math.max(...codes.map(heightOf));
    for (const [code, x] of [
      [first, margin],
      [second, secondX],
      [third, thirdX],
    ] as const) {
      place(code, x, bottom - heightOf(code));
    }
    return bottom + captions.height;
  }
  const left = place(second, margin, place(first, margin, top) + 2);
  const beside = margin + Math.max(widthOf(first), widthOf(second)) + 4;
  return beside + widthOf(third) > right ? left : Math.max(left, place(third, beside, top));
}

/** The area of a symbol on the page. @param module its width */
const inMillimetres = ({ x, y, side }: DrawnSymbol, { x: left, y: top }: Area, module: number): Area => ({
  x: left + x * module,
  y: top + y * module,
  width: side * module,
  height: side * module,
});

/** Marks outside an image, at its own edges and, shorter, at those of its code. */
function marksOf(image: Area, code: Area): Stroke[] {
  const [left, top] = [image.x - mark.gap, image.y - mark.gap];
  const [end, bottom] = [image.x + image.width + mark.gap, image.y + image.height + mark.gap];
  const marks = ({ x, y, width, height }: Area, length: number): Stroke[] => [
    ...[x, x + width].flatMap((at): Stroke[] => [
      { from: [at, top - length], to: [at, top] },
      { from: [at, bottom], to: [at, bottom + length] },
    ]),
    ...[y, y + height].flatMap((at): Stroke[] => [
      { from: [left - length, at], to: [left, at] },
      { from: [end, at], to: [end + length, at] },
    ]),
  ];
  return [...marks(image, mark.image), ...marks(code, mark.code)];
}

/** The colours of a design by what they are for. */
function inksOf({ dots, corners, background, frame }: Design): (readonly [name: string, color: Hex])[] {
  const painted = (name: string, { color, gradient }: Paint): [string, Hex][] =>
    gradient === undefined
      ? [[name, color]]
      : [
          [`${name}, from`, color],
          [`${name}, to`, gradient.to],
        ];
  return [
    ...painted("Modules", dots),
    ...(corners === dots ? [] : painted("Eyes", corners)),
    ...(frame === undefined ? [] : ([["Frame", frame.color]] as const)),
    ...(frame?.text === undefined ? [] : ([["Text of the frame", frame.textColor]] as const)),
    ...(background === "transparent" ? [] : ([["Background", background]] as const)),
  ];
}

const disturbanceNames: Readonly<Record<DisturbanceName, string>> = {
  perspective: "At an angle",
  blur: "Out of focus",
  noise: "Grainy camera",
  lowResolution: "Far away",
  dimLight: "Dim light",
  printGrowth: "Ink spread or thin",
  darkSurroundings: "On a dark surface",
  brightSurroundings: "Small on white paper",
};

/** Writes the sizes, the results and the inks in three columns. */
function writeFacts(
  paper: Paper,
  { symbol, facts, proof, hasLogo, design }: PrintedProof,
  inks: ReturnType<typeof inksOf>,
  below: number,
): void {
  const { scannability } = proof;
  paper.rule(below + 4);
  const [first, second, third] = columns;
  const width = column;
  const heading = below + 12;
  const rows = heading + 6;

  paper.write("Smallest in print", first, heading, font.section);
  const afterSizes = paper.writeTable(
    [
      ["Printer", "Width", "Module", "From"],
      ...scannability.print.map(({ dpi, widthMillimeters, moduleMillimeters, distanceMillimeters }) => [
        `${dpi} dpi`,
        `${widthMillimeters} mm`,
        `${moduleMillimeters} mm`,
        centimetres(distanceMillimeters / 10),
      ]),
    ],
    first,
    rows,
    width,
  );
  const { quietZone, contrast, covered } = facts;
  paper.writeTable(
    [
      ["Modules of the code", `${symbol.side} × ${symbol.side}`],
      ["Quiet zone", quietZone === 1 ? "1 module" : `${quietZone} modules`],
      ["Error correction", `${symbol.level}, version ${symbol.version}`],
      ["Contrast", `${contrast} : 1`],
      ...(covered === undefined ? [] : [["Covered by the logo", `${Math.round(100 * covered)} %`]]),
    ],
    first,
    afterSizes + 3,
    width,
  );

  paper.write(`Score: ${scannability.score} of 100`, second, heading, font.section);
  paper.writeTable(
    proof.disturbances.map(({ name, read, pictures }) => [disturbanceNames[name], `${read} of ${pictures}`]),
    second,
    rows,
    width,
  );

  paper.write("Inks, sRGB", third, heading, font.section);
  for (const [index, [name, color]] of inks.entries()) {
    const baseline = rows + index * lineHeight;
    const area = { x: third, y: baseline - 2.7, width: swatchSide, height: swatchSide };
    paper.drawings.push({ drawing: index + 1, ...area });
    paper.outline(area);
    paper.write(name, third + 5, baseline, font.body);
    paper.write(color, third + width, baseline, font.body, true);
  }
  const others = [
    ...(design.background === "transparent" ? [["No background: the paper's colour"]] : []),
    ...(hasLogo ? [["The logo has its own colours"]] : []),
  ];
  const afterInks = paper.writeTable(others, third, rows + inks.length * lineHeight, width);
  paper.write("Width by distance", third, afterInks + 4, font.section);
  paper.writeTable(
    [50, 100, 200, 500].map((distance) => [centimetres(distance), `${distance} mm`]),
    third,
    afterInks + 10,
    width,
  );
}

function writeNotes(paper: Paper, { scannability, pictures, decoder }: Proof): void {
  const { addresses, isReadable, score } = scannability;
  const notes = [
    ...(isReadable
      ? []
      : [
          `Phones can't read this design reliably: its score is ${score}, and it needs ${limits.scannability.floor}. Don't print it.`,
        ]),
    "Print at 100 %. Long marks are the edges of the image, short ones those of the code. Keep the quiet zone between them empty.",
    `Measured with ${addresses} sample short links of this length: ${pictures / addresses} disturbed pictures of each, read with ${decoder}. The score is that of the sample that was read worst. It isn't an ISO/IEC 15415 grade.`,
    "Distances are a rule of thumb: ten times the width.",
    "CMYK values depend on press and paper: convert the colours with your profile, and keep the contrast.",
  ];
  const width = right - margin;
  const measure = (text: string) => glyphs().outline(text).width;
  const lines = notes.flatMap((text) => wrap({ text, shortens: true }, width / font.note, { measure }, 9));
  const start = page.height - margin - (lines.length - 1) * 3.5;
  paper.rule(start - 5);
  for (const [index, line] of lines.entries())
    paper.write(line ?? "", margin, start + index * 3.5, font.note);
}

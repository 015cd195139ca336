import type { DisturbanceName } from "../contract/resources/images/scannability.ts";

/** A logo as a PNG that can be drawn, or what is wrong with its file, in words that follow the field's name. */
export type CheckedLogo =
  | { readonly bytes: Uint8Array<ArrayBuffer>; readonly width: number; readonly height: number }
  | { readonly problem: string };

/**
 * The result of reading an SVG: its `LogoDrawing` as JSON, and its width and height in its own unit; or what is wrong with it,
 * in words that follow the field's name.
 */
export type ReadSvg =
  | { readonly drawing: string; readonly width: number; readonly height: number }
  | { readonly problem: string };

/** A drawing, and the text that is to be read from it. */
export interface Readable {
  readonly svg: string;
  readonly text: string;
}

/** How drawings were read back. */
export interface Measurement {
  /** Of each drawing, the share of disturbed pictures that were read. */
  readonly shares: readonly number[];
  /** Of each disturbance, the share of its pictures that were read. */
  readonly read: Readonly<Record<DisturbanceName, number>>;
  /** The fewest pixels per module at which all drawings were read; null if there are none. */
  readonly pixelsPerModule: number | null;
  /** Of each drawing; undefined if an earlier release measured. */
  readonly verdicts?: readonly Verdicts[];
  /** The program that read the pictures, with its version. */
  readonly decoder?: string;
}

/** How the disturbed pictures of a drawing were read, by disturbance. */
export type Verdicts = Readonly<
  Record<
    DisturbanceName,
    {
      /** Of each strength, from weak to strong: `1` if its picture was read, else `0`. */
      readonly read: string;
      /** The seed of the full strength's picture, to draw it again. */
      readonly seed: number;
    }
  >
>;

/** A disturbed picture to draw again: that of a disturbance's full strength. */
export interface DisturbedPicture {
  readonly name: DisturbanceName;
  readonly seed: number;
}

/** The methods of the images Worker. */
export interface ImagesMethods {
  /**
   * Draws an SVG of this service as PNG.
   * @param width of the PNG in pixels; its height follows from the SVG's proportions
   */
  png(svg: string, width: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Draws the file of a logo, a PNG or a JPEG, to see that it can be drawn. @param maxBytes of the PNG that is made of it */
  checkLogo(bytes: Uint8Array, maxBytes: number): Promise<CheckedLogo>;
  /** Makes a drawing of an SVG, which is never drawn as it came. @param maxPicture bytes of each picture in it, as a PNG */
  readSvg(bytes: Uint8Array, maxPicture: number): Promise<ReadSvg>;
  /** Draws pages as a PDF of vectors. */
  pdf(document: PrintedDocument): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Draws codes, disturbs the pictures, and reads them.
   * @param modules the drawings' width, in modules
   * @param seed of the first drawing's disturbances; each further one has the next
   */
  measure(drawings: readonly Readable[], modules: number, seed?: number): Promise<Measurement>;
  /**
   * Draws disturbed pictures of a code again, as they were measured, in colour.
   * @param modules the drawing's width, in modules
   * @returns a PNG of squares side by side, each with 2 % more to its left and right; larger pictures are scaled down
   */
  disturbed(
    svg: string,
    modules: number,
    pictures: readonly DisturbedPicture[],
  ): Promise<Uint8Array<ArrayBuffer>>;
}

/** Pages to print. Lengths are in millimetres, from the upper left corner of a page. */
export interface PrintedDocument {
  readonly title: string;
  /** Epoch milliseconds; undefined for one that is the same whenever it is drawn. */
  readonly createdAt?: number;
  /** `k100` prints greys with black ink alone, over paper that is made white. */
  readonly ink: "rgb" | "k100";
  /** SVGs of this service, in which `file:0` stands for the address of the first file. */
  readonly drawings: readonly string[];
  /** Data URIs of the pictures in drawings: PNGs, and drawings of logos as JSON. Codes with the same logo share it. */
  readonly files: readonly string[];
  readonly pages: readonly PrintedPage[];
}

export interface PrintedPage {
  readonly width: number;
  readonly height: number;
  /** Degrees by which the whole page is turned clockwise. The other fields are as before that; 0 if undefined. */
  readonly turn?: 0 | 90 | 180 | 270 | undefined;
  /** Where drawings are, by their index in the document. */
  readonly drawings: readonly PlacedDrawing[];
  /** Lines of text in black, by their outlines: path data in millimetres. */
  readonly texts: readonly string[];
  /** Thin black strokes, across or down. */
  readonly strokes: readonly PlacedStroke[];
}

export interface PlacedDrawing {
  readonly drawing: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PlacedStroke {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
}

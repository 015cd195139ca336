import { encode, QrCodeDataType } from "uqr";

/**
 * What a module is drawn as: nothing, part of a finder or an alignment pattern, by which readers find their way, or
 * one of the dots.
 */
export type Module = "light" | "finder" | "alignment" | "dot";

/** The modules of a QR code, without a margin. */
export interface QrSymbol {
  /** Modules of a side. */
  readonly side: number;
  /** Outside of the symbol all is light. */
  at(x: number, y: number): Module;
}

/** A finder pattern is this many modules wide. There is one in each corner but the last. */
const finder = 7;

/** The QR code of a text. @param ecc error correction: 7, 15, 25 or 30 % of the code may be lost */
export function qrSymbol(text: string, ecc: "L" | "M" | "Q" | "H"): QrSymbol {
  const { data, types, size: side } = encode(text, { ecc, border: 0 });
  const atEdge = (position: number) => position < finder || position >= side - finder;
  return {
    side,
    at(x, y) {
      if (data[y]?.[x] !== true) return "light";
      if (atEdge(x) && atEdge(y) && (x < finder || y < finder)) return "finder";
      return types[y]?.[x] === QrCodeDataType.Alignment ? "alignment" : "dot";
    },
  };
}

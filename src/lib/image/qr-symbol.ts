import { encode, QrCodeDataType } from "uqr";

/** How a module is drawn: not at all, as part of a finder or alignment pattern, or as a dot. */
export type Module = "light" | "finder" | "alignment" | "dot";

/** The modules of a QR code, without a margin. */
export interface QrSymbol {
  /** Modules per side. */
  readonly side: number;
  /** The module at a position; light outside the symbol. */
  at(x: number, y: number): Module;
}

/** The width of a finder pattern in modules. There is one in each corner except the lower right. */
const finder = 7;

/** Encodes a text. @param ecc error correction level: 7, 15, 25 or 30 % of the code may be damaged */
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

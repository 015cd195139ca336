import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFNumber,
  type PDFObject,
  PDFRawStream,
} from "@cantoo/pdf-lib";

type Matrix = [number, number, number, number, number, number];

const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  ...([g * a + h * c, g * b + h * d, i * a + j * c, i * b + j * d] as const),
  ...([k * a + l * c + e, k * b + l * d + f] as const),
];

/** A page of a PDF as an SVG, in points, and the colours with which areas are filled. */
export interface ReadPage {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
  readonly colors: ReadonlySet<string>;
}

const hex = (values: readonly number[]) =>
  `#${values
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

/**
 * Reads the pages of a PDF independently, following the PDF specification, so that tests see what a printer would.
 * Supports the operators that prints use: paths, clips, colours, forms, images and shadings (of which it draws the
 * first colour).
 */
export async function readPdf(bytes: Uint8Array): Promise<ReadPage[]> {
  const document = await PDFDocument.load(bytes);
  return document.getPages().map((page) => {
    const { width, height } = page.getSize();
    const reader = new Reader(document);
    const contents = page.node.Contents();
    if (contents === undefined) throw new Error("an empty page");
    const streams =
      contents instanceof PDFArray
        ? contents.asArray().map((ref) => document.context.lookup(ref))
        : [contents];
    const resources = page.node.Resources();
    for (const stream of streams) reader.draw(stream, resources, [1, 0, 0, -1, 0, height]);
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">` +
      `${reader.parts.join("")}</svg>`;
    return { width, height, svg, colors: reader.colors };
  });
}

class Reader {
  readonly parts: string[] = [];
  readonly colors = new Set<string>();
  readonly #document: PDFDocument;
  #clips = 0;

  constructor(document: PDFDocument) {
    this.#document = document;
  }

  draw(stream: PDFObject | undefined, resources: PDFDict | undefined, start: Matrix): void {
    if (!(stream instanceof PDFRawStream)) throw new Error("no stream");
    const content = new TextDecoder("latin1").decode(decodePDFRawStream(stream).decode());
    let state = { matrix: start, fill: "#000000", clip: "" };
    const saved: (typeof state)[] = [];
    let path = "";
    let stroke = "#000000";
    let line: Readonly<Record<string, number | undefined>> = {};
    let clipping = false;
    let operands: string[] = [];
    for (const token of content.split(/\s+/).filter(Boolean)) {
      if (/^[-+.\d]/.test(token) || token.startsWith("/")) {
        operands.push(token);
        continue;
      }
      const n = operands.map(Number);
      const transform = `transform="matrix(${state.matrix.join(" ")})"`;
      switch (token) {
        case "q":
          saved.push(state);
          break;
        case "Q":
          state = saved.pop() ?? state;
          break;
        case "cm":
          state = { ...state, matrix: times(state.matrix, n as Matrix) };
          break;
        case "m":
        case "l":
        case "c":
          path += `${token.toUpperCase()}${n.join(" ")}`;
          break;
        case "h":
          path += "Z";
          break;
        case "re":
          path += `M${n[0]} ${n[1]}h${n[2]}v${n[3]}h${-(n[2] ?? 0)}Z`;
          break;
        case "rg":
        case "k": {
          const [c = 0, m = 0, y = 0, black = 0] = n;
          const rgb = token === "rg" ? n : [c, m, y].map((ink) => (1 - ink) * (1 - black));
          state = { ...state, fill: hex(rgb) };
          this.colors.add(`${n.join(" ")} ${token}`);
          break;
        }
        case "f":
        case "f*":
          this.#add(
            `<path ${transform} fill="${state.fill}" fill-rule="${token === "f" ? "nonzero" : "evenodd"}" d="${path}"/>`,
            state.clip,
          );
          path = "";
          break;
        case "W":
        case "W*":
          clipping = true;
          break;
        case "n":
          if (clipping) {
            this.#clips += 1;
            this.parts.push(
              `<clipPath id="c${this.#clips}"${state.clip}><path ${transform} d="${path}"/></clipPath>`,
            );
            state = { ...state, clip: ` clip-path="url(#c${this.#clips})"` };
          }
          clipping = false;
          path = "";
          break;
        case "sh": {
          const shading = this.#named(resources, "Shading", operands[0]);
          this.#add(`<rect width="100%" height="100%" fill="${this.#firstColor(shading)}"/>`, state.clip);
          break;
        }
        case "Do":
          this.#object(this.#named(resources, "XObject", operands[0]), state);
          break;
        case "RG":
        case "K": {
          const [c = 0, m = 0, y = 0, black = 0] = n;
          stroke = hex(token === "RG" ? n : [c, m, y].map((ink) => (1 - ink) * (1 - black)));
          break;
        }
        case "S": {
          const lines = `fill="none" stroke="${stroke}" stroke-width="${line.w ?? 1}"`;
          const caps = `stroke-linecap="${["butt", "round", "square"][line.J ?? 0]}"`;
          const joins = `stroke-linejoin="${["miter", "round", "bevel"][line.j ?? 0]}"`;
          this.#add(`<path ${transform} ${lines} ${caps} ${joins} d="${path}"/>`, state.clip);
          path = "";
          break;
        }
        case "w":
        case "J":
        case "j":
        case "M":
          line = { ...line, [token]: n[0] };
          break;
        case "SCN":
          stroke = this.#firstColor(this.#shadingOf(this.#named(resources, "Pattern", operands[0])));
          break;
        case "CS":
        case "gs":
          break;
        default:
          throw new Error(`an operator that prints have not: ${token}`);
      }
      operands = [];
    }
  }

  #add(element: string, clip: string): void {
    this.parts.push(clip === "" ? element : `<g${clip}>${element}</g>`);
  }

  #named(resources: PDFDict | undefined, kind: string, name = ""): PDFObject | undefined {
    const named = resources?.lookup(PDFName.of(kind), PDFDict);
    return named?.lookup(PDFName.of(name.slice(1)));
  }

  #object(object: PDFObject | undefined, { matrix, clip }: { matrix: Matrix; clip: string }): void {
    if (!(object instanceof PDFRawStream)) throw new Error("no such object");
    const numbers = (name: string) =>
      object.dict
        .lookupMaybe(PDFName.of(name), PDFArray)
        ?.asArray()
        .map((value) => (value as PDFNumber).asNumber());
    if (object.dict.lookup(PDFName.of("Subtype")) === PDFName.of("Image")) {
      // A grey in place of the picture.
      this.#add(`<rect transform="matrix(${matrix.join(" ")})" width="1" height="1" fill="#808080"/>`, clip);
      return;
    }
    const own = (numbers("Matrix") ?? [1, 0, 0, 1, 0, 0]) as Matrix;
    const resources = object.dict.lookupMaybe(PDFName.of("Resources"), PDFDict);
    this.draw(object, resources, times(matrix, own));
  }

  #shadingOf(pattern: PDFObject | undefined): PDFObject | undefined {
    if (!(pattern instanceof PDFDict)) throw new Error("no pattern");
    return pattern.lookup(PDFName.of("Shading"));
  }

  #firstColor(shading: PDFObject | undefined): string {
    if (!(shading instanceof PDFDict)) throw new Error("no shading");
    const stitched = this.#document.context.lookup(shading.get(PDFName.of("Function")), PDFDict);
    const [first] = stitched.lookup(PDFName.of("Functions"), PDFArray).asArray();
    const start = (first as PDFDict).lookup(PDFName.of("C0"), PDFArray).asArray();
    const values = start.map((value) => (value as PDFNumber).asNumber());
    return values.length === 3 ? hex(values) : hex([0, 1, 2].map(() => 1 - (values[3] ?? 0)));
  }
}

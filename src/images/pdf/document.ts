import { PDFDocument, PDFName, PrintScaling } from "@cantoo/pdf-lib";
import { turnedPage } from "../../lib/print/turned.ts";
import type { PrintedDocument, PrintedPage } from "../../protocol/images.ts";
import { type Form, formOf } from "./drawing.ts";
import { fillOperator, type Ink } from "./ink.ts";
import { transformOperator } from "./matrices.ts";
import { decimal, pathOperators } from "./path-operators.ts";
import { Pictures } from "./pictures.ts";

const pointsPerMillimetre = 72 / 25.4;

/** Millimetres. */
const strokeWidth = 0.1;

/** Draws the pages as a vector PDF, which tells printers not to scale it. */
export async function drawPdf({
  title,
  createdAt,
  ink,
  drawings,
  files,
  pages,
}: PrintedDocument): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  document.setTitle(title);
  if (createdAt !== undefined) document.setCreationDate(new Date(createdAt));
  document.catalog.getOrCreateViewerPreferences().setPrintScaling(PrintScaling.None);
  const target = { document, ink, pictures: new Pictures(document, ink, files) };
  const forms: Form[] = [];
  for (const svg of drawings) forms.push(await formOf(svg, target));
  const xObjects = Object.fromEntries(forms.map(({ ref }, index) => [`D${index}`, ref]));
  // Printers must knock out whatever is below black ink instead of overprinting it.
  const knockOut = { Type: "ExtGState", OP: false, op: false, OPM: 0 };
  const resources = context.register(context.obj({ XObject: xObjects, ExtGState: { K: knockOut } }));
  for (const page of pages) {
    const { width, height } = turnedPage(page, page.turn ?? 0);
    const size = [width, height].map((length) => length * pointsPerMillimetre);
    const { node } = document.addPage(size as [number, number]);
    node.set(PDFName.of("Resources"), resources);
    node.addContentStream(context.register(context.flateStream(contentOf(page, forms, ink))));
  }
  return new Uint8Array(await document.save());
}

/** Returns the operators of a page, in millimetres and with y growing downwards before it is turned. */
function contentOf(page: PrintedPage, forms: readonly Form[], ink: Ink): string {
  const { drawings, texts, strokes } = page;
  const { height, matrix } = turnedPage(page, page.turn ?? 0);
  const scale = pointsPerMillimetre;
  let content = transformOperator([scale, 0, 0, -scale, 0, height * scale]);
  if (page.turn) content += transformOperator(matrix);
  content += ink === "k100" ? "/K gs\n" : "";
  for (const { drawing, x, y, ...size } of drawings) {
    const form = forms[drawing];
    if (form === undefined) throw new Error(`no drawing ${drawing}`);
    if (ink === "k100") content += fillOperator("#ffffff", ink) + rectangle(x, y, size.width, size.height);
    const fitted = [size.width / form.width, 0, 0, size.height / form.height, x, y] as const;
    content += `q\n${transformOperator(fitted)}/D${drawing} Do\nQ\n`;
  }
  content += fillOperator("#000000", ink);
  for (const path of texts) content += `${pathOperators(path)}f\n`;
  for (const { from, to } of strokes) {
    const [x, y] = [Math.min(from[0], to[0]) - strokeWidth / 2, Math.min(from[1], to[1]) - strokeWidth / 2];
    const [across, down] = [Math.abs(from[0] - to[0]), Math.abs(from[1] - to[1])];
    content += rectangle(x, y, across + strokeWidth, down + strokeWidth);
  }
  return content;
}

const rectangle = (...numbers: [x: number, y: number, width: number, height: number]): string =>
  `${numbers.map(decimal).join(" ")} re f\n`;

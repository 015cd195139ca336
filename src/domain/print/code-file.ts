import { limits } from "../../contract/limits.ts";
import type { ImageFormat } from "../../contract/resources/enums.ts";
import type { CodeImageQuery } from "../../contract/resources/images/images.ts";
import { workUnits } from "../../contract/work-units.ts";
import { withResolution } from "../../lib/image/png-resolution.ts";
import { sizeInModules } from "../../lib/image/svg.ts";
import { dotsPerModule } from "../../lib/print/module-size.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { type DrawingUse, getCodeImage } from "../images/images.ts";
import { askImagesWorker } from "../images-worker.ts";
import { shareFiles } from "./shared-files.ts";

/** Draws the image of a code. @param size of a PNG, instead of the one that was asked for */
type ImageOf = (format: ImageFormat, size?: number, use?: DrawingUse) => Promise<DrawnFile>;

/** The options of a printed image. */
type FileOptions = Pick<CodeImageQuery, "format" | "mm" | "dpi" | "ink">;

/**
 * Returns the image of a code of the workspace, also for print: with a width in millimetres, and as PDF.
 * @throws not_found; invalid_input for a design that phones can't scan, and for a PNG that is too large or too small;
 * rate_limited; internal (503) for a PDF without the images Worker
 */
export async function getCodeFile(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { mm, dpi, ink, format, ...query }: CodeImageQuery,
): Promise<DrawnFile> {
  const file = await printedFile(deps, { mm, dpi, ink, format }, (as, size = query.size, use) =>
    getCodeImage(deps, context, id, { ...query, size, format: as }, use),
  );
  if (format !== "pdf") return file;
  const draw = async () => {
    await takeHeavyWork(deps, context.workspaceId, workUnits.pdf(1));
    return file.draw();
  };
  return { ...file, draw };
}

/** Draws an image for print from the images that `imageOf` draws. @throws like getCodeFile */
export async function printedFile(
  deps: Deps,
  { mm, dpi, ink, format }: FileOptions,
  imageOf: ImageOf,
): Promise<DrawnFile> {
  if (format !== "pdf" && mm === undefined) return imageOf(format);
  const image = await imageOf("svg", undefined, format === "pdf" ? "printed" : "shown");
  const svg = new TextDecoder().decode(await image.draw());
  const size = sizeInModules(svg);
  const longer = Math.max(size.width, size.height);
  const width = mm ?? limits.printedImage.width.default;
  const name = image.filename.replace(/\.svg$/, "");
  if (format === "png") {
    const pixels = pixelsOf(width, longer, dpi);
    const png = await imageOf("png", pixels);
    return {
      ...png,
      filename: `${name}-${String(width).replace(".", "-")}mm-${dpi}dpi.png`,
      tag: tagged(png.tag, dpi),
      draw: async () => withResolution(await png.draw(), dpi),
    };
  }
  const printed = { width: (size.width / longer) * width, height: (size.height / longer) * width };
  if (format === "svg") {
    const sized = svg.replace(/width="[^"]*" height="[^"]*"/, inMillimetres(printed));
    return {
      ...image,
      tag: tagged(image.tag, "svg", width),
      draw: async () => Uint8Array.from(new TextEncoder().encode(sized)),
    };
  }
  return {
    ...image,
    mediaType: "application/pdf",
    filename: `${name}.pdf`,
    tag: tagged(image.tag, "pdf", width, ink),
    draw: () =>
      askImagesWorker(deps, { what: "A PDF", instead: "Use the SVG." }, (images) =>
        images.pdf({
          ...{ title: name, ink, ...shareFiles([svg]) },
          pages: [{ ...printed, drawings: [{ drawing: 0, x: 0, y: 0, ...printed }], texts: [], strokes: [] }],
        }),
      ),
  };
}

/**
 * Returns the size in pixels of a PNG with whole dots per module. @throws invalid_input if a module has less than one
 * dot, or the PNG is too large
 */
function pixelsOf(mm: number, modules: number, dpi: number): number {
  const dots = dotsPerModule(mm, modules, dpi);
  const least = Math.max(modules, limits.image.size.min);
  if (dots * modules < least) {
    const smallest = Math.ceil(((Math.ceil(least / modules) * modules * 25.4) / dpi) * 10) / 10;
    throw invalid("mm", `must be at least ${smallest} at ${dpi} dpi`);
  }
  if (dots * modules <= limits.drawnPng) return dots * modules;
  const largest = Math.floor(limits.drawnPng / modules) * modules;
  throw invalid(
    "mm",
    `must be at most ${Math.floor((largest / dpi) * 254) / 10} for a PNG at ${dpi} dpi. Use the SVG or PDF, which have no pixels.`,
  );
}

const inMillimetres = ({ width, height }: { readonly width: number; readonly height: number }): string =>
  `width="${Number(width.toFixed(3))}mm" height="${Number(height.toFixed(3))}mm"`;

/** Returns the tag of a file derived from another one. */
const tagged = (tag: string, ...options: (string | number)[]): string =>
  `"${[tag.replaceAll('"', ""), ...options].join("-")}"`;

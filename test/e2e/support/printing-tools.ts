import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TestContext } from "vitest";
import type { Picture } from "../../support/images/decoders.ts";
import { readPdf } from "../../support/images/pdf.ts";
import { rasterise } from "./decode.ts";

const run = promisify(execFile);

/** Programs that read codes and PDFs. They are no part of the project: where one is missing, the tests do without it. */
const programs = ["zbarimg", "pdftoppm", "gs"] as const;
type Program = (typeof programs)[number];

const has = (program: Program): boolean => spawnSync(program, ["--version"]).error === undefined;
const installed = new Set(programs.filter(has));

/** Has the run end with a line about the programs that this machine lacks. */
export async function sayWhatIsMissing({ annotate }: Pick<TestContext, "annotate">): Promise<void> {
  const missing = programs.filter((program) => !installed.has(program));
  if (missing.length > 0) await annotate(`Not installed here, so not used: ${missing.join(", ")}.`);
}

/** Runs work with a folder of its own. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "qr-print-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Draws the pages of a PDF at a resolution, in dots per inch. */
type RasterisePdf = (pdf: Uint8Array, dpi: number) => Promise<Picture[]>;

/** With a program that writes a file of plain pixels for each page into the folder. */
const withProgram =
  (program: Program, argsOf: (folder: string, dpi: number) => readonly string[]): RasterisePdf =>
  (pdf, dpi) =>
    inFolder(async (folder) => {
      await writeFile(join(folder, "in.pdf"), pdf);
      await run(program, argsOf(folder, dpi));
      const files = (await readdir(folder)).filter((file) => file.endsWith(".ppm")).sort();
      return Promise.all(files.map(async (file) => readPixels(await readFile(join(folder, file)))));
    });

const pdftoppm = withProgram("pdftoppm", (folder, dpi) => [
  ...["-r", String(dpi)],
  ...[join(folder, "in.pdf"), join(folder, "page")],
]);

const ghostscript = withProgram("gs", (folder, dpi) => [
  ...["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-dTextAlphaBits=4", "-dGraphicsAlphaBits=4"],
  ...["-sDEVICE=ppmraw", `-r${dpi}`, `-sOutputFile=${join(folder, "page-%03d.ppm")}`, join(folder, "in.pdf")],
]);

/** By reading the PDF ourselves, where no program can. */
const ownReader: RasterisePdf = async (pdf, dpi) => {
  const pages = await readPdf(pdf);
  return Promise.all(
    pages.map(({ svg, width }) =>
      rasterise("svg", Uint8Array.from(new TextEncoder().encode(svg)), Math.round((width / 72) * dpi)),
    ),
  );
};

const usable = [
  ...(installed.has("pdftoppm") ? [pdftoppm] : []),
  ...(installed.has("gs") ? [ghostscript] : []),
];

/** Ways to draw a PDF: each program that is installed, or else the tests' own reader. */
export const pdfRasterisers: readonly RasterisePdf[] = usable.length > 0 ? usable : [ownReader];

export const canReadWithZbar = installed.has("zbarimg");

/** The text of the code that `zbarimg` reads in a picture; undefined if it finds none. */
export async function readWithZbar(picture: Picture): Promise<string | undefined> {
  return inFolder(async (folder) => {
    const file = join(folder, "picture.ppm");
    await writeFile(file, pixelFile(picture));
    const args = ["--quiet", "--raw", "--nodbus", "-Sdisable", "-Sqrcode.enable", file];
    // It ends with 4 if it finds nothing.
    const { stdout } = await run("zbarimg", args).catch((error: { code?: number; stdout: string }) => {
      if (error.code === 4) return error;
      throw error;
    });
    return stdout.trim() || undefined;
  });
}

/** The ink on the pages of a PDF, as shares of their area; undefined where Ghostscript is not installed. */
export async function inkCoverage(
  pdf: Uint8Array,
): Promise<Record<"c" | "m" | "y" | "k", number>[] | undefined> {
  if (!installed.has("gs")) return undefined;
  return inFolder(async (folder) => {
    const file = join(folder, "in.pdf");
    await writeFile(file, pdf);
    const args = ["-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=inkcov", "-sOutputFile=-", file];
    const { stdout } = await run("gs", args);
    return [...stdout.matchAll(/^\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s+CMYK/gm)].map(
      ([, c, m, y, k]) => ({ c: Number(c), m: Number(m), y: Number(y), k: Number(k) }),
    );
  });
}

/** Reads a file of plain pixels (binary PPM). */
function readPixels(file: Uint8Array): Picture {
  const head = /^P6\s+(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+255\s/.exec(
    new TextDecoder("latin1").decode(file.subarray(0, 200)),
  );
  if (head === null) throw new Error("not a PPM");
  const [width, height] = [Number(head[1]), Number(head[2])];
  const data = new Uint8ClampedArray(width * height * 4);
  for (let from = head[0].length, to = 0; to < data.length; from += 3, to += 4) {
    data[to] = file[from] ?? 0;
    data[to + 1] = file[from + 1] ?? 0;
    data[to + 2] = file[from + 2] ?? 0;
    data[to + 3] = 255;
  }
  return { width, height, data };
}

function pixelFile({ width, height, data }: Picture): Uint8Array {
  const head = new TextEncoder().encode(`P6\n${width} ${height}\n255\n`);
  const file = new Uint8Array(head.length + width * height * 3);
  file.set(head);
  for (let from = 0, to = head.length; from < data.length; from += 4, to += 3) {
    file[to] = data[from] ?? 0;
    file[to + 1] = data[from + 1] ?? 0;
    file[to + 2] = data[from + 2] ?? 0;
  }
  return file;
}

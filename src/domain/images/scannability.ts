import { limits } from "../../contract/limits.ts";
import { DisturbanceName, type Scannability } from "../../contract/resources/images/scannability.ts";
import type { Design } from "../../lib/image/design.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { designOf, lowestContrast } from "./design.ts";
import type { DrawnLogo } from "./images.ts";
import { combined, type Measured, type MeasuredStyle, measureAddresses, scoreOf } from "./measuring.ts";

/** Resolutions of printers, in dots per inch. */
const printers = [200, 300, 600] as const;

/** Printer dots that a module needs, according to DENSO. */
const dotsPerModule = 4;

/** Millimetres that one pixel of a phone's picture covers at a distance of 15 cm: 210 mm by 1,920 pixels. */
const millimetersPerPixel = 0.11;

/** How far away a code can be read, in widths, as a rule of thumb. */
const distancePerWidth = 10;

/**
 * How well codes of a style can be scanned.
 * @param count addresses to draw
 * @param given the logo to draw instead of the stored one
 * @throws as `measureCode`
 */
export async function measureStyle(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
  count: number,
  given?: DrawnLogo,
): Promise<Scannability> {
  const measured = await measureAddresses(deps, context, code, {
    logo: given,
    isEnough: ({ length }) => length >= count,
  });
  const design = designOf(code, context.plan);
  return rate(
    { ...measured, addresses: measured.addresses.slice(0, count) },
    design,
    code.logoId !== null || given !== undefined,
  );
}

const hard: Readonly<Record<DisturbanceName, string>> = {
  perspective: "It is hard to read at an angle.",
  blur: "It is hard to read out of focus.",
  noise: "It is hard to read with a grainy camera.",
  lowResolution: "It is hard to read from far away, or when it is small.",
  dimLight: "It is hard to read in dim light.",
  printGrowth: "It is hard to read when ink spreads, or prints too thin.",
  darkSurroundings: "It is hard to read on a dark surface.",
  brightSurroundings: "It is hard to read on white paper.",
};

/** A disturbance is named as a reason if a smaller share of its pictures was read. */
const wellRead = 0.95;

/** Rates a style with at least one measured address. */
export function rate({ modules, addresses }: MeasuredStyle, design: Design, hasLogo: boolean): Scannability {
  const { read, pixelsPerModule } = combined(addresses);
  const score = scoreOf(addresses);
  const reasons = DisturbanceName.options.filter((name) => read[name] < wellRead).map((name) => hard[name]);
  const print =
    pixelsPerModule === null ? [] : printers.map((dpi) => printSize(dpi, modules, pixelsPerModule));
  const isReadable = score >= limits.scannability.floor;
  return {
    verdict: isReadable ? verdictOf(score, print) : "Too hard to scan",
    score,
    isReadable,
    addresses: addresses.length,
    modules,
    disturbances: DisturbanceName.options.map((name) => ({ name, read: rounded(read[name], 3) })),
    reasons,
    changes: reasons.length === 0 ? [] : changesOf(design, hasLogo),
    print,
  };
}

/** Designs with at least this score need no warning. */
const good = 90;

/** The resolution of the usual printer, dots per inch. */
const usualDpi = 300;

function verdictOf(score: number, print: Scannability["print"]): string {
  const words = score >= good ? "Scans well" : "Scans fairly well";
  const usual = print.find(({ dpi }) => dpi === usualDpi);
  return usual === undefined ? words : `${words} from ${Math.ceil(usual.widthMillimeters)} mm`;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Returns the smallest size at which a printer and a phone can resolve the modules. */
function printSize(dpi: number, modules: number, pixelsPerModule: number): Scannability["print"][number] {
  const module = Math.max((dotsPerModule * 25.4) / dpi, pixelsPerModule * millimetersPerPixel);
  // Rounding down would make the code too small.
  const width = Math.ceil(modules * module * 10) / 10;
  return {
    dpi,
    moduleMillimeters: rounded(module, 2),
    widthMillimeters: width,
    distanceMillimeters: Math.round(width * distancePerWidth),
  };
}

/** Above this contrast, darker colours help little. */
const goodContrast = 7;

/** Suggests changes that would make a design easier to read, most effective first. */
function changesOf(design: Design, hasLogo: boolean): string[] {
  const { modules, eyeFrame, eyeCenter, frame, quietZone = limits.image.margin.default } = design;
  const lowest = lowestContrast(design);
  const changes: [boolean, string][] = [
    [
      quietZone < 2 && frame === undefined,
      "Leave more empty space around the code: a quiet zone of 4 modules.",
    ],
    [lowest < goodContrast, `Use darker colors on a lighter background: the contrast is ${lowest}:1.`],
    [hasLogo, "Make the logo smaller, or set error correction to H (30 %)."],
    [
      modules === "dots" || modules === "diamond" || modules === "vertical" || modules === "horizontal",
      "Use square, rounded or connected modules, which leave no gaps.",
    ],
    [eyeFrame !== "square" || eyeCenter !== "square", "Use square eyes."],
    [frame !== undefined, "Leave more space between code and frame: a quiet zone of 4 modules."],
  ];
  const fitting = changes.filter(([applies]) => applies).map(([, words]) => words);
  return [...fitting, "Use a shorter address, which makes larger modules."];
}

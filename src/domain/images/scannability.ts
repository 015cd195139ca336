import { limits } from "../../contract/limits.ts";
import { ImageQuery } from "../../contract/resources/images/images.ts";
import {
  DisturbanceName,
  type Scannability,
  type ScannabilityInput,
} from "../../contract/resources/images/scannability.ts";
import { type Design, isPlain } from "../../lib/image/design.ts";
import { describeError, log } from "../../lib/log.ts";
import { seededRandom } from "../../lib/seeded-random.ts";
import { sameJson } from "../../lib/text/json.ts";
import type { Measurement, Readable } from "../../protocol/images.ts";
import type { StyledCode } from "../../store/codes/styles.ts";
import { readDrawing, writeDrawing } from "../../store/images/shared-drawings.ts";
import { requireQr } from "../codes/require-code.ts";
import type { Deps } from "../deps.ts";
import { invalid, rateLimited, ServiceError } from "../errors.ts";
import type { Caller, Member, WorkspaceContext } from "../identity/caller.ts";
import { workUnits } from "../../contract/work-units.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { perIsolate } from "../isolate-memory.ts";
import { sizeInModules } from "../print/size-in-modules.ts";
import { applyStyle, findStyleLookups } from "../templates/styles.ts";
import { designOf, lowestContrast, requireScannable } from "./design.ts";
import { type DrawnLogo, drawnLogo, prepareDrawing } from "./images.ts";
import { askImagesWorker } from "./images-worker.ts";

/** Incremented when the disturbances, or how they are read, change. */
const measurementVersion = 2;

/** Resolutions of printers, in dots per inch. */
const printers = [200, 300, 600] as const;

/** Printer dots that a module needs, according to DENSO. */
const dotsPerModule = 4;

/** Millimetres that one pixel of a phone's picture covers at a distance of 15 cm: 210 mm by 1,920 pixels. */
const millimetersPerPixel = 0.11;

/** How far away a code can be read, in widths, as a rule of thumb. */
const distancePerWidth = 10;

const scannability = {
  what: "Scannability",
  instead: "Print a code and scan it.",
  // Sixteen addresses take up to 4 s of CPU time, and much longer on a busy machine.
  milliseconds: 60_000,
};

const svg = ImageQuery.parse({});

/** The side length, in pixels, at which a logo is drawn for a measurement. */
const logoPixels = 256;

/**
 * Measures how well a code of the workspace can be scanned. @throws not_found; rate_limited; invalid_input for a design
 * that can't be drawn; internal (503) without the images Worker
 */
export async function measureCode(deps: Deps, context: Caller, id: string): Promise<Scannability> {
  const row = await requireQr(deps, context, id);
  return measureStyle(deps, context, row, limits.scannability.saved);
}

/** Measures how well codes with an unsaved design could be scanned. @throws like `measureCode`; plan_limit */
export async function measureDesign(
  deps: Deps,
  context: Member,
  { hashLength, ...input }: ScannabilityInput,
): Promise<Scannability> {
  requireScannable(input);
  const styled = applyStyle(context, input, await findStyleLookups(deps, context, [input]));
  const style = {
    hash: "x".repeat(hashLength),
    colorConfig: styled.templateColors ?? styled.colorConfig ?? null,
    shape: styled.shape ?? null,
    advanced: (styled.templateAdvanced === undefined ? styled.advanced : styled.templateAdvanced) ?? null,
    logoId: styled.logoId ?? null,
  };
  return measureStyle(deps, context, style, limits.scannability.designing);
}

/** A style to measure, and a hash, of which only the length matters. */
type Measured = Omit<StyledCode, "workspaceId" | "plan">;

/**
 * Checks a design before it is saved. Designs with only shape and colours are not measured, because their contrast says
 * enough. If measuring is unavailable, the design is accepted.
 * @throws invalid_input for a design that can't be scanned
 */
export async function requireReadable(deps: Deps, context: WorkspaceContext, code: Measured): Promise<void> {
  const design = designOf(code, context.plan);
  if (deps.images === undefined || (isPlain(design) && !hasOwnLogoLayout(code))) return;
  const measured = await measureStyle(deps, context, code, limits.scannability.saved).catch(
    (error: unknown) => {
      if (!(error instanceof ServiceError) || error.code === "invalid_input") throw error;
      return undefined;
    },
  );
  if (measured === undefined || measured.isReadable) return;
  const [change = ""] = measured.changes;
  throw invalid(
    "advanced",
    `makes a design that phones can't read reliably. Its score is ${measured.score}, and it needs ${limits.scannability.floor}. ${change}`,
  );
}

const hasOwnLogoLayout = ({ advanced, logoId }: Measured): boolean =>
  logoId !== null && (advanced?.logo !== undefined || advanced?.ecc !== undefined);

/** Returns whether two codes look the same apart from their address. */
export const hasSameStyle = (one: Style, other: Style): boolean => sameJson(styleOf(one), styleOf(other));

type Style = Omit<Measured, "hash">;

const styleOf = ({ colorConfig, shape, advanced, logoId }: Style) => ({
  colorConfig,
  shape,
  advanced,
  logoId,
});

/** Current and completed measurements, by key. */
const memoryOf = perIsolate(() => new Map<string, Promise<MeasuredDrawings>>());
const maxRemembered = 500;

interface MeasuredDrawings extends Measurement {
  readonly modules: number;
}

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
  const styled = { ...code, workspaceId: context.workspaceId, plan: context.plan };
  const design = designOf(styled, context.plan);
  const logo = given ?? (await drawnLogo(deps, styled));
  const hashes = addressesOf(code.hash.length, count);
  const [first = ""] = hashes;
  // The ETag of an image contains everything that its drawing depends on.
  const { tag } = await prepareDrawing(deps, { ...styled, hash: first }, svg, logo);
  const key = `scannability/${measurementVersion}/${count}/${tag.replaceAll('"', "")}`;
  const memory = memoryOf(deps);
  let pending = memory.get(key);
  if (pending === undefined) {
    const [oldest] = memory.keys();
    if (memory.size >= maxRemembered && oldest !== undefined) memory.delete(oldest);
    pending = recallOrMeasure(deps, context, key, count, () => drawAll(deps, styled, hashes, logo));
    memory.set(key, pending);
    pending.catch(() => memory.delete(key));
  }
  return rate(await pending, design, logo !== undefined, count);
}

async function recallOrMeasure(
  deps: Deps,
  context: WorkspaceContext,
  key: string,
  count: number,
  draw: () => Promise<Readable[]>,
): Promise<MeasuredDrawings> {
  const cached = await readDrawing(deps.drawings, key);
  if (cached !== undefined) return cached.json();
  const { success } = await deps.measurementLimit.limit({ key: personOf(context) });
  if (!success) throw rateLimited(60);
  await takeHeavyWork(deps, context.workspaceId, workUnits.measurement(count));
  const drawings = await draw();
  const { width } = sizeInModules(drawings[0]?.svg ?? "");
  const measured = await askImagesWorker(deps, scannability, (images) => images.measure(drawings, width));
  const result = { ...measured, modules: width };
  await writeDrawing(deps.drawings, key, JSON.stringify(result)).catch((error: unknown) =>
    log("error", "measurement not cached", { error: describeError(error) }),
  );
  return result;
}

const personOf = (context: WorkspaceContext & Partial<Caller & Member>): string =>
  context.userId ?? context.keyId ?? context.workspaceId;

/** The characters of the hashes that are drawn. */
const hashCharacters = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns hashes that look like those of codes. They are the same for every design, so that scores can be compared. */
function addressesOf(length: number, count: number): string[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = seededRandom(seed + 1);
    return Array.from(
      { length },
      () => hashCharacters[Math.floor(random() * hashCharacters.length)] ?? "",
    ).join("");
  });
}

async function drawAll(
  deps: Deps,
  code: StyledCode,
  hashes: readonly string[],
  logo: DrawnLogo | undefined,
): Promise<Readable[]> {
  const drawn = logo && (await asPicture(deps, logo));
  return Promise.all(
    hashes.map(async (hash) => {
      const file = await prepareDrawing(deps, { ...code, hash }, svg, drawn);
      return {
        svg: new TextDecoder().decode(await file.draw()),
        text: `${deps.settings.scanOrigin}/${hash}`,
      };
    }),
  );
}

/** Returns the logo as a small PNG, which is read and drawn once for all drawings. */
async function asPicture(deps: Deps, logo: DrawnLogo): Promise<DrawnLogo> {
  const bytes = await logo.read();
  if (logo.mediaType !== "image/svg+xml") return { ...logo, read: async () => bytes };
  const source = new TextDecoder().decode(bytes);
  const png = await askImagesWorker(deps, scannability, (images) => images.png(source, logoPixels));
  return { ...logo, mediaType: "image/png", read: async () => png };
}

const hard: Readonly<Record<DisturbanceName, string>> = {
  perspective: "It is hard to read at an angle.",
  blur: "It is hard to read out of focus.",
  noise: "It is hard to read with a grainy camera.",
  lowResolution: "It is hard to read from far away, or when it is small.",
  dimLight: "It is hard to read in dim light.",
  printGrowth: "It is hard to read when ink spreads, or prints too thin.",
  darkSurroundings: "It is hard to read on a dark surface.",
};

/** A disturbance is named as a reason if a smaller share of its pictures was read. */
const wellRead = 0.95;

function rate(measured: MeasuredDrawings, design: Design, hasLogo: boolean, addresses: number): Scannability {
  const { shares, read, modules, pixelsPerModule } = measured;
  const score = Math.round(100 * Math.min(...shares));
  const reasons = DisturbanceName.options.filter((name) => read[name] < wellRead).map((name) => hard[name]);
  return {
    score,
    isReadable: score >= limits.scannability.floor,
    addresses,
    modules,
    disturbances: DisturbanceName.options.map((name) => ({ name, read: rounded(read[name], 3) })),
    reasons,
    changes: reasons.length === 0 ? [] : changesOf(design, hasLogo),
    print: pixelsPerModule === null ? [] : printers.map((dpi) => printSize(dpi, modules, pixelsPerModule)),
  };
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
    [hasLogo, "Make the logo smaller, or give it more error correction: ecc H."],
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

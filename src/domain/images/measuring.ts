import { limits } from "../../contract/limits.ts";
import { ImageQuery } from "../../contract/resources/images/images.ts";
import { DisturbanceName } from "../../contract/resources/images/scannability.ts";
import { workUnits } from "../../contract/work-units.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { logoSvg } from "../../lib/image/logo-drawing.ts";
import { sizeInModules } from "../../lib/image/svg.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { seededRandom } from "../../lib/seeded-random.ts";
import type { DisturbedPicture, Measurement } from "../../protocol/images.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import type { StyledCode } from "../../store/codes/styles.ts";
import { readDrawing, writeDrawing } from "../../store/images/shared-drawings.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireMeasuringAllowed, takeHeavyWork } from "../heavy-work.ts";
import { askImagesWorker } from "../images-worker.ts";
import { requireDrawing } from "../logos/pictures.ts";
import { type DrawnLogo, drawnLogo, prepareDrawing } from "./images.ts";

/** Incremented when the disturbances, how they are read, or what is kept of it change. */
const measurementVersion = 4;

const scannability = {
  what: "Scannability",
  instead: "Print a code and scan it.",
  // An address takes up to 0.3 s of CPU time, and much longer on a busy machine.
  milliseconds: 30_000,
};

const svg = ImageQuery.parse({});

/** The side length, in pixels, at which a logo is drawn for a measurement. */
const logoPixels = 256;

/** A style to measure, and a hash. Only the length of the hash matters. */
export type Measured = Omit<StyledCode, "workspaceId" | "plan">;

/** How the first addresses of a style were read. */
export interface MeasuredStyle {
  /** The width of the image in modules. */
  readonly modules: number;
  /** When the latest one was read, in epoch milliseconds. */
  readonly measuredAt: number;
  readonly addresses: readonly Measurement[];
}

/**
 * Known verdicts on styles, by key. Never a promise of another request: if that ended while it measured, as when its
 * client left, requests that waited for it would never be answered.
 */
const memoryOf = perIsolate(() => new BoundedMap<string, MeasuredStyle>(500));

/** How much of a style to measure. */
interface Request {
  readonly isEnough: (addresses: readonly Measurement[]) => boolean;
  /** Until when a further address is measured, in epoch milliseconds. */
  readonly until?: number;
  /** The logo to draw instead of the stored one. */
  readonly logo?: DrawnLogo | undefined;
}

/**
 * Measures addresses of a style, one after the other, until they are enough. What was measured before is reused, also
 * after a failure.
 * @throws rate_limited; internal (503) without the images Worker; invalid_input for a design that can't be drawn
 */
export async function measureAddresses(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
  request: Request,
): Promise<MeasuredStyle> {
  const { styled, logo, tag } = await firstAddress(deps, context, code, request.logo);
  const key = `scannability/${measurementVersion}/${tag}`;
  const memory = memoryOf(deps);
  const found = memory.get(key) ?? (await recall(deps, key));
  if (memory.get(key) === undefined) memory.set(key, found);
  if (request.isEnough(found.addresses)) return found;
  return measureMore(deps, context, key, styled, { ...request, logo }, found);
}

/**
 * Prepares the drawing of a style's first address.
 * @param given the logo to draw instead of the stored one
 * @throws invalid_input for a design that can't be drawn
 */
async function firstAddress(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
  given: DrawnLogo | undefined,
) {
  const styled = { ...code, workspaceId: context.workspaceId, plan: context.plan };
  const logo = given ?? (await drawnLogo(deps, styled));
  const [hash = ""] = addressesOf(code.hash.length, 1);
  // The ETag of an image contains everything that its drawing depends on.
  const { tag } = await prepareDrawing(deps, { ...styled, hash }, svg, logo);
  return { styled, logo, hash, tag: tag.replaceAll('"', "") };
}

async function recall(deps: Deps, key: string): Promise<MeasuredStyle> {
  const cached = await readDrawing(deps.drawings, key);
  return cached === undefined ? { modules: 0, measuredAt: 0, addresses: [] } : cached.json();
}

async function measureMore(
  deps: Deps,
  context: WorkspaceContext,
  key: string,
  code: StyledCode,
  { logo, isEnough, until = Number.POSITIVE_INFINITY }: Request,
  found: MeasuredStyle,
): Promise<MeasuredStyle> {
  await requireMeasuringAllowed(deps, context, "measurement");
  await takeHeavyWork(deps, context.workspaceId, workUnits.measurement(1));
  const drawn = logo && (await asPicture(deps, logo));
  const memory = memoryOf(deps);
  let measured = found;
  let asked = 0;
  try {
    for (const [seed, hash] of addressesOf(code.hash.length, limits.scannability.saved).entries()) {
      // Another request may measure the same style.
      const known = memory.get(key) ?? found;
      if (known.addresses.length > measured.addresses.length) measured = known;
      if (seed < measured.addresses.length) continue;
      if (isEnough(measured.addresses) || deps.now() >= until) break;
      const { drawing, width } = await drawAddress(deps, { ...code, hash }, drawn);
      const readable = { svg: drawing, text: scanUrlOf({ ...code, hash }, deps.settings.scanOrigin) };
      const measurement = await askImagesWorker(deps, scannability, (images) =>
        images.measure([readable], width, seed),
      );
      measured = {
        modules: width,
        measuredAt: deps.now(),
        addresses: [...measured.addresses, measurement],
      };
      if ((memory.get(key) ?? found).addresses.length < measured.addresses.length) memory.set(key, measured);
      asked += 1;
    }
  } finally {
    // A measurement that has begun is counted, and never refused.
    if (asked > 1) {
      await takeHeavyWork(deps, context.workspaceId, workUnits.measurement(asked - 1)).catch(() => {});
    }
    if (measured !== found) {
      await writeDrawing(deps.drawings, key, JSON.stringify(measured)).catch((error: unknown) =>
        log("error", "measurement not cached", { error: describeError(error) }),
      );
    }
  }
  return measured;
}

/** Draws an address as SVG. Its width is in modules. */
async function drawAddress(deps: Deps, code: StyledCode, logo: DrawnLogo | undefined) {
  const file = await prepareDrawing(deps, code, svg, logo);
  const drawing = new TextDecoder().decode(await file.draw());
  return { drawing, width: sizeInModules(drawing).width };
}

/** Pictures of a style's first address, to be drawn again as they were measured. */
interface PicturesOfStyle {
  /** Changes with them. */
  readonly tag: string;
  /** Draws them as a PNG of squares side by side. @throws internal (503) */
  draw(pictures: readonly DisturbedPicture[]): Promise<Uint8Array<ArrayBuffer>>;
}

/** Prepares the disturbed pictures of a style. @throws invalid_input for a design that can't be drawn */
export async function picturesOfStyle(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
  given?: DrawnLogo,
): Promise<PicturesOfStyle> {
  const { styled, logo, hash, tag } = await firstAddress(deps, context, code, given);
  return {
    tag: `${measurementVersion}-${tag}`,
    draw: async (pictures) => {
      const picture = logo && (await asPicture(deps, logo));
      const { drawing, width } = await drawAddress(deps, { ...styled, hash }, picture);
      return askImagesWorker(deps, scannability, (images) => images.disturbed(drawing, width, pictures));
    },
  };
}

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

/** Returns the logo as a small PNG, which is read and drawn once for all drawings. */
async function asPicture(deps: Deps, logo: DrawnLogo): Promise<DrawnLogo> {
  const picture = await logo.read();
  if (picture.kind === "png") return { ...logo, read: async () => picture };
  const source = logoSvg(requireDrawing(picture, deps));
  const bytes = await askImagesWorker(deps, scannability, (images) => images.png(source, logoPixels));
  return { ...logo, read: async () => ({ kind: "png", bytes }) };
}

/** Returns the score of addresses: the percentage of pictures that were read, for the worst of them. */
export const scoreOf = (addresses: readonly Measurement[]): number =>
  Math.round(100 * Math.min(...addresses.flatMap(({ shares }) => shares)));

/** Combines the measurements of addresses. */
export function combined(addresses: readonly Measurement[]): Omit<Measurement, "shares"> {
  // An images Worker of another release may know other disturbances.
  const shareOf = (name: DisturbanceName) =>
    addresses.reduce((sum, { read }) => sum + (read[name] ?? 1), 0) / addresses.length;
  const pixels = addresses.map(({ pixelsPerModule }) => pixelsPerModule ?? Number.POSITIVE_INFINITY);
  const most = Math.max(...pixels);
  return {
    read: Object.fromEntries(
      DisturbanceName.options.map((name) => [name, shareOf(name)]),
    ) as Measurement["read"],
    pixelsPerModule: Number.isFinite(most) ? most : null,
  };
}

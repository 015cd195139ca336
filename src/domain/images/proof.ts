import { DisturbanceName, type Scannability } from "../../contract/resources/images/scannability.ts";
import { workUnits } from "../../contract/work-units.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import type { Measurement, Verdicts } from "../../protocol/images.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { unavailable } from "../images-worker.ts";
import { designOf } from "./design.ts";
import { cached, type DrawnLogo } from "./images.ts";
import { type Measured, measureAddresses, picturesOfStyle } from "./measuring.ts";
import { rate } from "./scannability.ts";

/** Incremented when the pictures are arranged or drawn otherwise. */
const picturesVersion = 1;

/** How often pictures were read. */
interface Count {
  readonly read: number;
  readonly pictures: number;
}

/** A disturbance in a proof. */
export interface ProvenDisturbance extends Count {
  readonly name: DisturbanceName;
  /** Whether its picture in the proof was read: that of the first address at full strength. */
  readonly isRead: boolean;
}

/** How a style was read, picture by picture. */
export interface Proof extends Count {
  readonly scannability: Scannability;
  /** In the order of their pictures. */
  readonly disturbances: readonly ProvenDisturbance[];
  /** Changes with the pictures. */
  readonly picturesTag: string;
  /** Epoch milliseconds. */
  readonly measuredAt: number;
  readonly decoder: string;
}

/**
 * Returns how a style was read in all pictures made of it so far. Measures further addresses up to `count`.
 * @param given the logo to draw instead of the stored one
 * @returns undefined if the images Worker is of an older release, which keeps no verdicts
 * @throws as `measureCode`
 */
export async function proofOf(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
  count: number,
  given?: DrawnLogo,
): Promise<Proof | undefined> {
  const isEnough = ({ length }: readonly Measurement[]) => length >= count;
  const measured = await measureAddresses(deps, context, code, { isEnough, logo: given });
  const verdicts = verdictsOf(measured.addresses);
  const [first] = verdicts;
  const decoder = measured.addresses[0]?.decoder;
  if (first === undefined || decoder === undefined) return undefined;
  const { tag } = await picturesOfStyle(deps, context, code, given);
  return {
    scannability: rate(measured, designOf(code, context.plan), code.logoId !== null || given !== undefined),
    ...countOf(verdicts, DisturbanceName.options),
    disturbances: DisturbanceName.options.map((name) => ({
      name,
      isRead: first[name].read.endsWith("1"),
      ...countOf(verdicts, [name]),
    })),
    picturesTag: picturesTagOf(tag),
    measuredAt: measured.measuredAt,
    decoder,
  };
}

const verdictsOf = (addresses: readonly Measurement[]): Verdicts[] =>
  addresses.flatMap(({ verdicts = [] }) => verdicts);

function countOf(verdicts: readonly Verdicts[], names: readonly DisturbanceName[]): Count {
  const all = verdicts.flatMap((each) => names.map((name) => each[name].read)).join("");
  return { read: all.replaceAll("0", "").length, pictures: all.length };
}

/**
 * Returns the pictures of a style's proof as one PNG, squares side by side in the order of its disturbances.
 * @param given the logo to draw instead of the stored one
 * @throws as `measureCode`
 */
export async function proofPictures(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
  given?: DrawnLogo,
): Promise<DrawnFile> {
  const { tag, draw } = await picturesOfStyle(deps, context, code, given);
  const file: DrawnFile = {
    mediaType: "image/png",
    filename: "proof.png",
    attachment: false,
    tag: `"${picturesTagOf(tag)}"`,
    draw: async () => {
      const isEnough = ({ length }: readonly Measurement[]) => length > 0;
      const { addresses } = await measureAddresses(deps, context, code, { isEnough, logo: given });
      const [first] = verdictsOf(addresses);
      if (first === undefined) throw unavailable(pictures);
      return draw(DisturbanceName.options.map((name) => ({ name, seed: first[name].seed })));
    },
  };
  return cached(deps, file, () => takeHeavyWork(deps, context.workspaceId, workUnits.proofPictures));
}

const pictures = { what: "The pictures of a proof", instead: "Print a code and scan it." };

const picturesTagOf = (tag: string): string => `proof-${picturesVersion}-${tag}`;

import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Design, LogoLayout } from "../../lib/image/design.ts";
import { restores } from "../../lib/image/error-correction.ts";
import { coveredModules, placeLogo } from "../../lib/image/logo-placement.ts";
import { planSymbol, type SymbolPlan } from "../../lib/image/qr-symbol.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import type { LogoRow } from "../../store/logos/logos.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { compactAddress } from "./address.ts";
import { designOf, type Style } from "./design.ts";

/** A logo's width and height, in any unit. */
export type LogoShape = Pick<LogoRow, "size">;

export const ratioOf = ({ size }: LogoShape): number => size.width / size.height;

/** The parts of a code's address. */
type Addressed = Parameters<typeof scanUrlOf>[0];

/** A code's symbol before it is drawn, and the address it contains. */
interface PlannedCode extends SymbolPlan {
  readonly address: string;
}

/**
 * Plans a code's symbol. It has a higher error correction level, or is larger, if the logo would cover too much of the
 * smallest one.
 * @throws invalid_input for a logo that covers too much of any symbol
 */
export function planCode(
  { settings }: Pick<Deps, "settings">,
  code: Addressed,
  design: Design,
  logo: LogoShape | undefined,
): PlannedCode {
  const link = scanUrlOf(code, settings.scanOrigin);
  const compact = design.compact ? compactAddress(link) : undefined;
  const address = compact ?? link;
  const planWith = (layout: LogoLayout) => {
    const key = JSON.stringify([
      address.length,
      compact !== undefined,
      design.ecc,
      layout,
      logo && ratioOf(logo),
    ]);
    const known = knownPlans.get(key);
    if (known !== undefined) return known.plan;
    const plan = planSymbol(address, design.ecc, isReadable(logo, layout));
    knownPlans.set(key, { plan });
    return plan;
  };
  const plan = planWith(design.logo);
  if (plan !== undefined) return { ...plan, address };
  const { size = 0, padding, cutout } = design.logo;
  const fits = (percent: number) => planWith({ ...design.logo, size: percent / 100 }) !== undefined;
  const beside = cutout === "none" ? "" : ` with a padding of ${padding}`;
  throw invalid(
    "advanced.logo.size",
    `must be at most ${largest(limits.design.logoSize.min * 100, size * 100, fits) / 100}${beside}. A larger logo covers more of the code than phones can restore.`,
  );
}

/** Plans by what they depend on: the address counts with its length alone. The rows of a bulk job mostly have the same one. */
const knownPlans = new BoundedMap<string, { readonly plan: SymbolPlan | undefined }>(500);

/** Returns a function that reports whether error correction restores what a logo covers of a symbol. */
const isReadable = (logo: LogoShape | undefined, layout: LogoLayout) =>
  logo === undefined
    ? undefined
    : (plan: SymbolPlan): boolean => {
        const { side } = plan.layout;
        const place = placeLogo(side, ratioOf(logo), layout);
        return restores(plan.layout, plan.level, coveredModules(place, side));
      };

/**
 * Returns the largest whole number below `end` that fits, assuming that smaller ones fit as well; `least` if none does.
 */
function largest(least: number, end: number, fits: (number: number) => boolean): number {
  let [low, high] = [least, Math.ceil(end)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** A code whose design is about to be saved. */
type SavedStyle = Style & Addressed;

/**
 * Checks that a design's logo leaves enough of the code visible to draw it.
 * @param logo undefined for none
 * @throws invalid_input naming the largest possible size
 */
export function requireLogoFits(
  deps: Deps,
  { plan }: WorkspaceContext,
  code: SavedStyle,
  logo: LogoShape | undefined,
): void {
  if (logo !== undefined && plans[plan].fullDesign) planCode(deps, code, designOf(code, plan), logo);
}

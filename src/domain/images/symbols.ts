import { limits } from "../../contract/limits.ts";
import { plans } from "../../contract/plans.ts";
import type { Design, LogoLayout } from "../../lib/image/design.ts";
import { restores } from "../../lib/image/error-correction.ts";
import { coveredModules, placeLogo } from "../../lib/image/logo-placement.ts";
import { planSymbol, type SymbolPlan } from "../../lib/image/qr-symbol.ts";
import type { LogoRow } from "../../store/templates/logos.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { compactAddress } from "./address.ts";
import { designOf, type Style } from "./design.ts";

/** A logo's width and height, in any unit. */
export type LogoShape = Pick<LogoRow, "size">;

export const ratioOf = ({ size }: LogoShape): number => size.width / size.height;

/** The symbol of a code before it is drawn, and the address that it holds. */
interface PlannedCode extends SymbolPlan {
  readonly address: string;
}

/**
 * Plans the symbol of a code: of a higher level of error correction or larger, if its logo covers too much of the smallest one.
 * @throws invalid_input for a logo that covers too much of all
 */
export function planCode(
  { settings }: Pick<Deps, "settings">,
  hash: string,
  design: Design,
  logo: LogoShape | undefined,
): PlannedCode {
  const compact = design.compact ? compactAddress(settings.scanOrigin, hash) : undefined;
  const address = compact ?? `${settings.scanOrigin}/${hash}`;
  const planWith = (layout: LogoLayout) => planSymbol(address, design.ecc, isReadable(logo, layout));
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

/** Whether error correction restores what a logo covers of a symbol. */
const isReadable = (logo: LogoShape | undefined, layout: LogoLayout) =>
  logo === undefined
    ? undefined
    : (plan: SymbolPlan): boolean => {
        const { side } = plan.layout;
        const place = placeLogo(side, ratioOf(logo), layout);
        return restores(plan.layout, plan.level, coveredModules(place, side));
      };

/** The largest whole number that fits and is less than `end`, where smaller ones do, too; `least` if none does. */
function largest(least: number, end: number, fits: (number: number) => boolean): number {
  let [low, high] = [least, Math.ceil(end)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** A code whose design is to be saved. */
interface SavedStyle extends Style {
  readonly hash: string;
}

/**
 * Checks that the logo of a design that is to be saved leaves enough of the code, so that it can be drawn.
 * @param logo undefined for none
 * @throws invalid_input naming the size that it may have
 */
export function requireLogoFits(
  deps: Deps,
  { plan }: WorkspaceContext,
  code: SavedStyle,
  logo: LogoShape | undefined,
): void {
  if (logo !== undefined && plans[plan].fullDesign) planCode(deps, code.hash, designOf(code, plan), logo);
}

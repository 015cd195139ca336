import { limits } from "../../contract/limits.ts";
import { sameJson } from "../../lib/text/json.ts";
import { TimeoutError, withTimeout } from "../../lib/with-timeout.ts";
import type { Measurement } from "../../protocol/images.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid, ServiceError } from "../errors.ts";
import { UndrawableLogo } from "../logos/pictures.ts";
import { designOf, designProblem } from "./design.ts";
import { type Measured, measureAddresses, scoreOf } from "./measuring.ts";
import { rate } from "./scannability.ts";

/**
 * Checks a design that is about to be saved, for a few seconds.
 * @returns whether phones can read it, null if that has to be measured later
 * @throws invalid_input if they can't
 */
export async function judgeDesign(
  deps: Deps,
  context: WorkspaceContext,
  code: Measured,
): Promise<true | null> {
  if (!isOwnDesign(context, code)) return true;
  const { savingMilliseconds, floor } = limits.scannability;
  const until = deps.now() + savingMilliseconds;
  const measured = await withTimeout(deps, savingMilliseconds, () =>
    measureAddresses(deps, context, code, { isEnough, until }),
  ).catch((error: unknown) => {
    if (error instanceof TimeoutError || isUnavailable(error)) return undefined;
    throw error;
  });
  const isReadable = measured && verdictOf(measured.addresses);
  if (measured === undefined || isReadable === undefined) return null;
  if (isReadable) return true;
  const { score, changes } = rate(measured, designOf(code, context.plan), code.logoId !== null);
  throw invalid(
    "advanced",
    `makes a design that phones can't read reliably. Its score is ${score}, and it needs ${floor}. ${changes[0] ?? ""}`,
  );
}

/**
 * Judges a stored design, however long it takes.
 * @throws rate_limited; internal (503) while it can't be measured
 */
export async function judgeStored(deps: Deps, context: WorkspaceContext, code: Measured): Promise<boolean> {
  if (designProblem(code) !== undefined) return false;
  if (!isOwnDesign(context, code)) return true;
  try {
    const { addresses } = await measureAddresses(deps, context, code, { isEnough });
    return verdictOf(addresses) === true;
  } catch (error) {
    // Only browsers draw it, and nothing can be said about it.
    if (error instanceof UndrawableLogo) return true;
    if (error instanceof ServiceError && error.code === "invalid_input") return false;
    throw error;
  }
}

/** Returns whether a code has a design of its own. The default one can be read. */
const isOwnDesign = ({ plan }: WorkspaceContext, code: Measured): boolean =>
  code.logoId !== null || !sameJson(designOf(code, plan), designOf({}, plan));

/** Whether measuring isn't possible now, in this installation, or with this logo. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof UndrawableLogo ||
  (error instanceof ServiceError && (error.code === "rate_limited" || error.status === 503));

/** Returns whether the addresses measured so far show that a design can be read, or can't; undefined if neither. */
function verdictOf(addresses: readonly Measurement[]): boolean | undefined {
  const { floor, sure, designing, saved } = limits.scannability;
  if (addresses.length === 0) return undefined;
  const score = scoreOf(addresses);
  if (score < floor) return false;
  return addresses.length >= saved || (addresses.length >= designing && score >= sure) ? true : undefined;
}

const isEnough = (addresses: readonly Measurement[]): boolean => verdictOf(addresses) !== undefined;

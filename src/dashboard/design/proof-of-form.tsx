import type { DashboardRequest, Fragment } from "../frame/request.ts";
import { type ProofState, ProofStrip } from "./proof-strip.tsx";
import type { HtmxAttributes } from "./score.tsx";

/**
 * The disturbed pictures of the design in a form, with the result of each.
 * @param path of the request that shows them; the pictures are at the same path with `.png`
 * @param again the request that shows them again
 */
export async function proofOfDesign(
  { query, timeZone }: DashboardRequest,
  path: string,
  shown: ProofState | Promise<ProofState>,
  again: HtmxAttributes,
): Promise<Fragment> {
  const [state, zone] = await Promise.all([shown, timeZone()]);
  const fields = new URLSearchParams(query);
  if (state.kind === "measured") fields.set("of", state.proof.picturesTag);
  return {
    fragment: <ProofStrip state={state} pictures={`${path}.png?${fields}`} timeZone={zone} again={again} />,
  };
}

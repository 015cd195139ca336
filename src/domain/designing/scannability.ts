import { limits } from "../../contract/limits.ts";
import type { Scannability, ScannabilityInput } from "../../contract/resources/images/scannability.ts";
import { requireQr } from "../codes/require-code.ts";
import type { Caller, Member } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireScannable } from "../images/design.ts";
import { measureStyle } from "../images/scannability.ts";
import { applyStyle, loadStyleReferences } from "../templates/styles.ts";

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
  context: Caller | Member,
  { hashLength, ...input }: ScannabilityInput,
): Promise<Scannability> {
  requireScannable(input);
  const styled = applyStyle(context, input, await loadStyleReferences(deps, context, input));
  const style = {
    hash: "x".repeat(hashLength),
    colorConfig: styled.templateColors ?? styled.colorConfig ?? null,
    shape: styled.shape ?? null,
    advanced: (styled.templateAdvanced === undefined ? styled.advanced : styled.templateAdvanced) ?? null,
    logoId: styled.logoId ?? null,
  };
  requireScannable(style);
  return measureStyle(deps, context, style, limits.scannability.designing);
}

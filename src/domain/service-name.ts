import { serviceName } from "../contract/text.ts";
import type { Deps } from "./deps.ts";
import { logProblemOnce } from "./log-problem.ts";

/** Returns what people call the service: BRAND_NAME, unless it is empty or unusable. @param own the name otherwise */
export function serviceNameOf(deps: Deps, own = "QR codes"): string {
  const { brandName } = deps.settings;
  if (brandName === "") return own;
  const { data: name, error } = serviceName.safeParse(brandName);
  if (error !== undefined) {
    const problem = `BRAND_NAME ${error.issues[0]?.message}`;
    logProblemOnce(deps, "brand name is not usable", problem);
  }
  return name ?? own;
}

/** The service's own name where there is room for a longer one. */
export const fullName = "QR Code Management Service";

import type { Region } from "../contract/routing.ts";

const byContinent: Record<string, Region> = { SA: "sam", OC: "oc", AF: "afr", AN: "oc" };

/**
 * The feed nearest to a request, by its continent, and by its longitude where a continent has two. Any feed
 * is right, a near one is fast.
 */
export function regionOf(
  cf: Pick<IncomingRequestCfProperties, "continent" | "longitude"> | undefined,
): Region {
  const longitude = Number(cf?.longitude ?? Number.NaN);
  switch (cf?.continent) {
    case "NA":
      return longitude < -100 ? "wnam" : "enam";
    case "EU":
      return longitude > 20 ? "eeur" : "weur";
    case "AS":
      return longitude < 60 ? "me" : "apac";
    default:
      return byContinent[cf?.continent ?? ""] ?? "weur";
  }
}

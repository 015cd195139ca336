import { clientAddressOf } from "../../lib/web/network.ts";
import type { Region } from "../../protocol/regions.ts";

/** The facts about a request that its look-ups need. */
export interface RequestContext {
  readonly clientAddress: string;
  /** The region whose feed the isolate reads. */
  readonly region: Region;
  /** Schedules work for after the response. */
  defer(work: Promise<unknown>): void;
}

/** The part of an ExecutionContext that schedules work after the response. */
export interface Deferring {
  waitUntil(work: Promise<unknown>): void;
}

/** The context of a request. */
export const requestContext = (request: Request, ctx: Deferring): RequestContext => ({
  clientAddress: clientAddressOf(request),
  region: regionOf(request),
  defer: (work) => ctx.waitUntil(work),
});

/** Returns the region nearest to the edge that received the request. */
const regionOf = (request: Request): Region =>
  regionNear(request.cf as IncomingRequestCfProperties | undefined);

const byContinent: Record<string, Region> = { SA: "sam", OC: "oc", AF: "afr", AN: "oc" };

/**
 * Returns the region nearest to a place: by continent, and by longitude where a continent has two regions. Every
 * region's feed is correct; a near one is just faster.
 */
export function regionNear(
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

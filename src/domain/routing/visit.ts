import { addressOf } from "../../lib/web/network.ts";
import type { Region } from "../../protocol/routing.ts";

/** Who asks for what stands under a key, as far as finding it goes. */
export interface Visit {
  /** The client's address. */
  readonly address: string;
  readonly region: Region;
  /** Takes work to be done after the answer. */
  defer(work: Promise<unknown>): void;
}

/** What is needed of an ExecutionContext: a place for work after the answer. */
export interface Deferring {
  waitUntil(work: Promise<unknown>): void;
}

export const visitOf = (request: Request, ctx: Deferring): Visit => ({
  address: addressOf(request),
  region: regionOf(request),
  defer: (work) => ctx.waitUntil(work),
});

/** The region whose feed a request is answered by. */
export const regionOf = (request: Request): Region =>
  regionNear(request.cf as IncomingRequestCfProperties | undefined);

const byContinent: Record<string, Region> = { SA: "sam", OC: "oc", AF: "afr", AN: "oc" };

/**
 * The region nearest to a place, by its continent, and by its longitude where a continent has two. Any region's feed
 * is right, a near one is fast.
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

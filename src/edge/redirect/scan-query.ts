import { limits } from "../../contract/limits.ts";
import { extendQuery } from "../../lib/web/query.ts";
import type { Route } from "../../protocol/routes.ts";

/**
 * Returns a destination with the query of a scan, as it came: nothing is decoded. A result that is longer than a
 * destination can be is not used.
 * @param mode `merge` leaves out parameters that the destination has; `raw` appends the whole query
 * @param scanned the URL of the scan
 */
export function withScanQuery(
  destination: string,
  mode: NonNullable<Route["query"]>,
  scanned: string,
): string {
  const at = scanned.indexOf("?");
  const query = at === -1 ? "" : scanned.slice(at + 1).replace(/#.*$/, "");
  if (query === "" || destination.length + query.length >= 2 * limits.destination) return destination;
  const whole = extendQuery(destination, (own) => (mode === "raw" ? query : missingIn(own, query)));
  return whole.length <= limits.destination ? whole : destination;
}

/** Returns the parameters of a query whose names another query doesn't have. */
function missingIn(own: string, query: string): string {
  const present = new Set(own === "" ? [] : own.split("&").map(nameOf));
  return query
    .split("&")
    .filter((parameter) => parameter !== "" && !present.has(nameOf(parameter)))
    .join("&");
}

const nameOf = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

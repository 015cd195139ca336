import { limits } from "../contract/limits.ts";
import type { Route } from "../protocol/routes.ts";

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
  const [, base = "", fragment = ""] = /^([^#]*)(.*)$/s.exec(destination) ?? [];
  const passed = mode === "raw" ? query : missingIn(base, query);
  if (passed === "") return destination;
  const joint = !base.includes("?") ? "?" : /[?&]$/.test(base) ? "" : "&";
  const whole = `${base}${joint}${passed}${fragment}`;
  return whole.length <= limits.destination ? whole : destination;
}

/** Returns the parameters of a query whose names an address doesn't have. */
function missingIn(address: string, query: string): string {
  const at = address.indexOf("?");
  const present = new Set(
    at === -1
      ? []
      : address
          .slice(at + 1)
          .split("&")
          .map(nameOf),
  );
  return query
    .split("&")
    .filter((parameter) => parameter !== "" && !present.has(nameOf(parameter)))
    .join("&");
}

const nameOf = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

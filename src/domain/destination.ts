import { limits } from "../contract/limits.ts";
import type { QrData } from "../contract/qr.ts";
import type { Deps } from "../deps.ts";
import { readDestination, sameHost } from "../lib/destination.ts";
import { invalid } from "./errors.ts";

/**
 * A code's data as it is stored: the destination normalised and checked.
 * @throws invalid_input for a destination that is no http(s) address, or is this service itself
 */
export function normaliseData(deps: Deps, data: QrData): QrData {
  const destination = readDestination(data.url, limits.destination);
  if (!destination.ok) throw invalid("data.url", destination.problem);
  if (sameHost(destination.host, deps.scanHost)) {
    throw invalid("data.url", "must not lead back to this service: scans would go round in circles");
  }
  return { ...data, url: destination.url };
}

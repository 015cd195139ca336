import { ServiceError } from "../../../domain/errors.ts";
import { exportList } from "../../../domain/scans/list.ts";
import { csvRow } from "../../../lib/text/csv.ts";
import { describeAgent } from "../../../lib/text/user-agent.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import { streamOf } from "../../../lib/web/stream-of.ts";
import { deviceName } from "../../../ui/report/labels.ts";
import { countryName } from "../../../ui/charts/format.ts";
import { fieldSentence } from "../../../ui/forms/form.ts";
import { csvFile } from "../../frame/csv-file.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import { type ScanFilterName, readScanQuery, scanFilters } from "./filters.ts";

const head = csvRow(["time", "country", "city", "device", "system", "browser"]);

/**
 * Returns the scan log shown on a page as CSV: filtered, newest first. @throws not_found, invalid_input, rate_limited
 */
export async function scanLogFile(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const zone = zoneOf(await request.timeZone());
  const read = readScanQuery(query, zone);
  if ("problems" in read) {
    const [[name, problem] = ["from", "isn't valid"]] = Object.entries(read.problems);
    throw new ServiceError(
      "invalid_input",
      fieldSentence(scanFilters[name as ScanFilterName] ?? name, problem),
    );
  }
  const lines = await exportList(deps, context, request.param("id"), read.list, {
    head,
    linesOf: (events) =>
      events
        .map(({ scannedAt, country, city, device, os, userAgent }) =>
          csvRow([
            zone.format(Date.parse(scannedAt)),
            country === null ? null : countryName(country),
            city,
            device === null ? null : deviceName(device),
            os,
            describeAgent(userAgent).browser,
          ]),
        )
        .join(""),
  });
  return csvFile("scan-log.csv", streamOf(lines, deps));
}

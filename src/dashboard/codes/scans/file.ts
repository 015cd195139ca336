import { exportList } from "../../../domain/scans/list.ts";
import { csvRow } from "../../../lib/text/csv.ts";
import { describeAgent } from "../../../lib/text/user-agent.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import { countryName } from "../../../ui/charts/format.ts";
import { deviceName } from "../../../ui/report/labels.ts";
import { queryForFile } from "../../filters/query.ts";
import { csvStream } from "../../frame/csv-file.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import { scanFilters } from "./filters.ts";

const head = csvRow(["time", "country", "city", "device", "system", "browser", "via", "bot rule"]);

/**
 * Returns the scan log shown on a page as CSV: filtered, newest first. @throws not_found, invalid_input, rate_limited
 */
export async function scanLogFile(request: DashboardRequest): Promise<Response> {
  const { deps, context, query } = request;
  const zone = zoneOf(await request.timeZone());
  const list = queryForFile(scanFilters, query, zone);
  const lines = await exportList(deps, context, request.param("id"), list, {
    head,
    linesOf: (events) =>
      events
        .map(({ scannedAt, country, city, device, os, userAgent, via, botRule = null }) =>
          csvRow([
            zone.format(Date.parse(scannedAt)),
            country === null ? null : countryName(country),
            city,
            device === null ? null : deviceName(device),
            os,
            describeAgent(userAgent).browser,
            via,
            botRule,
          ]),
        )
        .join(""),
  });
  return csvStream("scan-log.csv", lines, deps);
}

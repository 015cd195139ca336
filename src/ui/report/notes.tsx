import type { Analytics } from "../../contract/resources/scans/analytics.ts";
import { formatPercent } from "../charts/format.ts";
import { Notice } from "../notice.tsx";
import { formatCount, formatDate } from "../values/format.ts";

/** Notes on data that a report couldn't count as requested. */
export function ReportNotes({ timeZone, rebuilding, incomplete }: Analytics) {
  const { otherTimeZoneUntil, daysWithoutVisitors } = incomplete;
  return (
    <>
      {rebuilding !== null && (
        <Notice kind="info">
          <p>
            Reports are changing to the time zone {rebuilding.timeZone}: {formatPercent(rebuilding.progress)}{" "}
            of the scans have been recounted. In the meantime, days and hours are in {timeZone}.
          </p>
        </Notice>
      )}
      {otherTimeZoneUntil !== null && (
        <Notice kind="info">
          <p>
            Days up to {formatDate(otherTimeZoneUntil)} were counted in an earlier time zone. Their scans are
            no longer kept, so they can't be recounted.
          </p>
        </Notice>
      )}
      {daysWithoutVisitors > 0 && (
        <Notice kind="info">
          <p>
            On {formatCount(daysWithoutVisitors, "day")} of this range, scans were recorded without visitors,
            so the number of visitors in the whole range is unknown.
          </p>
        </Notice>
      )}
    </>
  );
}

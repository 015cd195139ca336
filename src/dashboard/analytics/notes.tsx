import type { Analytics } from "../../contract/resources/analytics.ts";
import { formatCount, formatDate } from "../components/values/format.ts";
import { formatPercent } from "../charts/format.ts";
import { Notice } from "../components/notice.tsx";

/** ReportNotes on what a report could not count as asked. */
export function ReportNotes({ timeZone, rebuilding, incomplete }: Analytics) {
  const { otherTimeZoneUntil, daysWithoutVisitors } = incomplete;
  return (
    <>
      {rebuilding !== null && (
        <Notice kind="info">
          <p>
            Reports change to the time zone {rebuilding.timeZone}: {formatPercent(rebuilding.progress)} of the
            scans are counted again. Until all are, days and hours are those of {timeZone}.
          </p>
        </Notice>
      )}
      {otherTimeZoneUntil !== null && (
        <Notice kind="info">
          <p>
            Days up to {formatDate(otherTimeZoneUntil)} were counted in an earlier time zone. Their scans are
            not kept any more, so they can't be counted again.
          </p>
        </Notice>
      )}
      {daysWithoutVisitors > 0 && (
        <Notice kind="info">
          <p>
            On {formatCount(daysWithoutVisitors, "day")} of this range, scans were recorded without their
            visitors. The visitors of the whole range are not known.
          </p>
        </Notice>
      )}
    </>
  );
}

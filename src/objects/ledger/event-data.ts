import { timeOfId } from "../../lib/text/ids.ts";
import type { EventOf } from "../../protocol/events.ts";
import type { NewSubmission } from "../../protocol/workspace-ledger.ts";
import type { RecordedScan } from "./scans.ts";
import { isoTime } from "./times.ts";

/** The event of a scan. It has the scan's id. */
export const scannedEvent = ({ scan, device, os }: RecordedScan): EventOf<"qr.scanned"> => ({
  id: scan.id,
  kind: "qr.scanned",
  at: scan.at,
  data: {
    qrId: scan.qrId,
    hash: scan.hash,
    scannedAt: isoTime(scan.at),
    country: scan.country,
    city: scan.city,
    device,
    os,
  },
});

/** The event of a submission. It has the submission's id. */
export function submittedEvent({ id, pageId, fields }: NewSubmission): EventOf<"page.submitted"> {
  const at = timeOfId(id);
  return {
    id,
    kind: "page.submitted",
    at,
    data: { pageId, submissionId: id, submittedAt: isoTime(at), fields },
  };
}

import type { ScannedData, ServiceEvent, SubmittedData } from "../../protocol/events.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import type { RecordedScan } from "./scans.ts";
import type { NewSubmission } from "../../protocol/workspace-ledger.ts";

/** Events of what is written down in the ledger itself. They have the ids of what they tell of. */

export function scannedEvent({ scan, device, os }: RecordedScan): ServiceEvent {
  const data: ScannedData = {
    qrId: scan.qrId,
    hash: scan.hash,
    scannedAt: new Date(scan.at).toISOString(),
    country: scan.country,
    city: scan.city,
    device,
    os,
  };
  return { id: scan.id, kind: "qr.scanned", at: scan.at, data };
}

export function submittedEvent({ id, pageId, fields }: NewSubmission): ServiceEvent {
  const at = timeOfId(id);
  const data: SubmittedData = { pageId, submissionId: id, submittedAt: new Date(at).toISOString(), fields };
  return { id, kind: "page.submitted", at, data };
}

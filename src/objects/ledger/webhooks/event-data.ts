import { idFromHex, timeOfId } from "../../../lib/text/ids.ts";
import type { EventOf } from "../../../protocol/events.ts";
import type { NewSubmission } from "../../../protocol/workspace-ledger.ts";
import type { HumanScan } from "../scans/scans.ts";
import { isoTime } from "../times.ts";

/** The event of a scan. It has the scan's id. */
export function scannedEvent({ id: hexId, code, agent, place }: HumanScan): EventOf<"qr.scanned"> {
  const id = idFromHex(hexId);
  const at = timeOfId(id);
  const { qrId, hash } = code;
  const { country, city } = place;
  const { device, os } = agent;
  return {
    id,
    kind: "qr.scanned",
    at,
    data: { id, qrId, hash, scannedAt: isoTime(at), country, city, device, os },
  };
}

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

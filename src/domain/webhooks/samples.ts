import type { EventKind } from "../../contract/resources/enums.ts";
import type { EventData } from "../../contract/resources/webhooks/events.ts";
import { newId } from "../../lib/text/ids.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import { presentQr, rowWith } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

/** Returns a test event of this kind: made-up data of the same shape as a real event's, marked with `test: true`. */
export function sampleEvent(deps: Deps, context: WorkspaceContext, kind: EventKind): ServiceEvent {
  const now = deps.now();
  const data = { ...sampleData(deps, context, now)[kind], test: true };
  return { id: newId(now), kind, at: now, data } as ServiceEvent;
}

function sampleData(deps: Deps, context: WorkspaceContext, now: number): EventData {
  const at = new Date(now).toISOString();
  const data = { type: "url", url: "https://example.com/" } as const;
  const hash = "00000000";
  const code = rowWith(
    { id: newId(now), hash, hashFolded: hash, qrType: "url", name: "Test", tags: [], data },
    { workspaceId: context.workspaceId, version: 1, createdAt: now, updatedAt: now },
  );
  const qr = presentQr(code, deps.settings.scanOrigin);
  return {
    "qr.created": qr,
    "qr.updated": { ...qr, changed: ["name"] },
    "qr.deleted": qr,
    "qr.scanned": {
      id: newId(now),
      qrId: qr.id,
      hash: qr.hash,
      scannedAt: at,
      country: "DE",
      city: "Köln",
      device: "mobile",
      os: "iOS",
    },
    "bulk.completed": {
      jobId: newId(now),
      kind: "create",
      status: "completed",
      totalItems: 2,
      successCount: 2,
      failureCount: 0,
      createdAt: at,
      completedAt: at,
      error: null,
    },
    "subscription.updated": {
      workspaceId: context.workspaceId,
      previousPlan: context.plan,
      plan: context.plan,
    },
    "page.submitted": {
      pageId: newId(now),
      submissionId: newId(now),
      submittedAt: at,
      fields: { email: "someone@example.com" },
    },
  };
}

import type { EventKind } from "../../contract/resources/enums.ts";
import type { Deps } from "../../composition.ts";
import { newId } from "../../lib/text/ids.ts";
import type { Owner } from "../identity/caller.ts";

/** The `data` of a test event: as a real one has it, about things that do not exist, marked as a test. */
export function sampleOf(deps: Deps, owner: Owner, kind: EventKind, now: number): object {
  const at = new Date(now).toISOString();
  const hash = "00000000";
  const qr = {
    id: newId(now),
    hash,
    qrType: "url",
    name: "Test",
    folderId: null,
    tags: [],
    status: "active",
    scanUrl: `${deps.scanOrigin}/${hash}`,
    createdAt: at,
    updatedAt: at,
  };
  const samples: Record<EventKind, () => object> = {
    "qr.created": () => qr,
    "qr.updated": () => ({ ...qr, changed: ["name"] }),
    "qr.deleted": () => qr,
    "qr.scanned": () => ({
      qrId: qr.id,
      hash,
      scannedAt: at,
      country: "DE",
      city: "Köln",
      device: "mobile",
      os: "iOS",
    }),
    "bulk.completed": () => ({
      jobId: newId(now),
      status: "completed",
      totalItems: 2,
      successCount: 2,
      failureCount: 0,
      createdAt: at,
      completedAt: at,
    }),
    "subscription.updated": () => ({
      workspaceId: owner.workspaceId,
      previousPlan: owner.plan,
      plan: owner.plan,
    }),
    "page.submitted": () => ({
      pageId: newId(now),
      submissionId: newId(now),
      submittedAt: at,
      fields: { email: "someone@example.com" },
    }),
  };
  return { ...samples[kind](), test: true };
}

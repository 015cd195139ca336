import { expect } from "vitest";
import { BulkJob, BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import type { Service } from "../service.ts";
import type { Change, Owners } from "./scenario-requests.ts";

/** Returns the change of a bulk update. @param to another destination */
function bulkChange(change: Change, to: string): object {
  switch (change) {
    case "pause":
      return { status: "paused" };
    case "resume":
      return { status: "active" };
    case "remove":
      return { delete: true };
    default:
      return { replace: { prefix: { from: "https://example.com/", to: `${to}/` } } };
  }
}

const request = (service: Service, { client }: Owners, path: string, init: RequestInit = {}) =>
  service.fetch(`/api/v1${path}`, {
    headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
    ...(init as RequestInit<IncomingRequestCfProperties>),
  });

/** Starts a bulk update. @returns the job's id */
export async function startBulkUpdate(
  service: Service,
  owners: Owners,
  ids: readonly string[],
  change: Change,
  to: string,
): Promise<string> {
  const body = JSON.stringify({ ids, change: bulkChange(change, to) });
  const response = await request(service, owners, "/qr/bulk-update", { method: "POST", body });
  expect(response.status).toBe(202);
  return BulkJob.parse(await response.json()).jobId;
}

/** Returns the ids of the codes whose items have succeeded, so that scans must follow them. */
export async function succeededItems(service: Service, owners: Owners, jobId: string): Promise<Set<string>> {
  const response = await request(service, owners, `/qr/bulk/${jobId}`);
  const { items } = BulkJobWithItems.parse(await response.json());
  return new Set(items.flatMap(({ status, qrId }) => (status === "succeeded" && qrId ? [qrId] : [])));
}

import { env } from "cloudflare:workers";
import { PlanChange } from "../../../src/contract/endpoints/operator.ts";
import type { ApiClient } from "../service.ts";

/** Returns the bytes that the service counts for a workspace. */
export async function storedBytes({ workspaceId }: ApiClient): Promise<{ all: number; jobs: number }> {
  const row = await env.DB.prepare(
    'SELECT stored_bytes + job_bytes AS "all", job_bytes AS jobs FROM workspaces WHERE id = ?',
  )
    .bind(workspaceId)
    .first<{ all: number; jobs: number }>();
  if (row === null) throw new Error("there is no such workspace");
  return row;
}

/** Limits the workspace's storage to its current size plus a number of bytes. */
export async function leaveRoom(client: ApiClient, bytes: number): Promise<void> {
  const { all } = await storedBytes(client);
  await client.service.operator.expect(
    200,
    PlanChange,
    "PUT",
    `/operator/workspaces/${client.workspaceId}/plan`,
    { plan: "business", storedBytes: all + bytes },
  );
}

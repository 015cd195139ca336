import { expect } from "vitest";
import { apiKey } from "../../../scripts/lib/seed.ts";
import { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import type { LoadServer } from "../../e2e/support/load-server.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** Calls the API of a server with the demo workspace's key. */
export const call = (server: LoadServer, path: string, init: RequestInit = {}) =>
  fetch(`${server.origin}/api/v1${path}`, { headers, ...init });

/**
 * Waits until a bulk job is completed.
 * @param path of the job, with the items it shall have
 * @param pace how long to wait and between two requests, milliseconds
 */
export async function completed(
  server: LoadServer,
  path: string,
  pace: { readonly timeout: number; readonly interval: number },
): Promise<BulkJobWithItems> {
  let job: BulkJobWithItems | undefined;
  await expect
    .poll(async () => {
      job = await readStrictly(call(server, path), 200, BulkJobWithItems);
      return job.status;
    }, pace)
    .toBe("completed");
  if (job === undefined) throw new Error("the job was not read");
  return job;
}

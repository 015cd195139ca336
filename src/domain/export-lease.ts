import { limits } from "../contract/limits.ts";
import { describeError, log } from "../lib/log.ts";
import { inBlocks } from "../lib/web/in-blocks.ts";
import type { RemoteLedger } from "../protocol/workspace-ledger.ts";
import type { WorkspaceContext } from "./context/context.ts";
import type { Deps } from "./deps.ts";
import { ServiceError } from "./errors.ts";

/** How often a lease is renewed, milliseconds. */
const renewal = 15_000;

/**
 * Streams an export or another download. A workspace may run a few at a time, each under a lease of its ledger. The
 * lease is renewed as the client reads and released at the end; if this isolate dies, it expires. The bytes come in
 * blocks, so that a slow client keeps no more in memory than a page of the export and two blocks.
 * @param pieces of the download; text becomes UTF-8
 * @throws rate_limited if the workspace is at its limit
 */
export async function leaseExport(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const ledger = deps.ledger(workspaceId);
  const id = await acquire(deps, ledger);
  return leased(deps, ledger, id, inBlocks(encoded(pieces)));
}

/** Work that ends well before a lease does, such as a print, as one of the workspace's exports. @throws as leaseExport */
export async function withExportLease<T>(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  work: () => Promise<T>,
): Promise<T> {
  const ledger = deps.ledger(workspaceId);
  const id = await acquire(deps, ledger);
  try {
    return await work();
  } finally {
    await release(deps, ledger, id);
  }
}

async function acquire(deps: Deps, ledger: RemoteLedger): Promise<string> {
  const id = crypto.randomUUID();
  if (!(await ledger.acquireExport(id, deps.now()))) throw tooManyExports();
  return id;
}

async function* leased(
  deps: Deps,
  ledger: RemoteLedger,
  id: string,
  blocks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let renewedAt = deps.now();
  try {
    for await (const block of blocks) {
      yield block;
      if (deps.now() < renewedAt + renewal) continue;
      renewedAt = deps.now();
      await ledger.renewExport(id, renewedAt);
    }
  } finally {
    await release(deps, ledger, id);
  }
}

async function* encoded(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield typeof piece === "string" ? encoder.encode(piece) : piece;
}

async function release(deps: Deps, ledger: RemoteLedger, id: string): Promise<void> {
  try {
    await ledger.releaseExport(id, deps.now());
  } catch (error) {
    log("warn", "export lease not released; it will expire", { error: describeError(error) });
  }
}

const tooManyExports = () =>
  new ServiceError(
    "rate_limited",
    `A workspace can run at most ${limits.exports} exports, downloads and prints at a time. Wait until one ends.`,
    { headers: { "retry-after": "30" } },
  );

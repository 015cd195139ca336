import { limits } from "../../contract/limits.ts";
import type {
  DeadLetterList,
  DeadLetterQuery,
  Retried,
  RetryInput,
} from "../../contract/resources/operations/operations.ts";
import { keptScansMilliseconds } from "../../edge/scans/keep.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import { describeError, log } from "../../lib/log.ts";
import { isId, newId, timeOfId } from "../../lib/text/ids.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import type { ScanBatch, ScansMessage } from "../../protocol/messages.ts";
import * as store from "../../store/operations/dead-letters.ts";
import { saveDeadLetter as saveLetter } from "../../store/operations/save-dead-letter.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound, ServiceError } from "../errors.ts";
import { parseCursor, withCursor } from "../paging.ts";
import { dropErasedScans } from "./erased-scans.ts";
import { queuesOf, sourceOf } from "./queues.ts";

/** How long dead letters without scans are kept, milliseconds. */
const retention = 90 * 24 * 60 * 60_000;

/** How many dead letters one request retries, one read fetches, and one sweep deletes. */
const steps = { retried: 100, read: 20 };

/** The size limit of one `sendBatch`: 256 KB including the platform's overhead. */
const batchBytes = 240_000;

/** Stores a queue message that failed every retry. @param id the dead-letter queue's id of the message */
export async function saveDeadLetter(
  deps: Deps,
  deadLetterQueue: string,
  id: string,
  body: unknown,
): Promise<void> {
  const now = deps.now();
  const queue = sourceOf(deadLetterQueue);
  await saveLetter(deps.db, {
    id: newId(now),
    queue,
    messageId: id,
    body: JSON.stringify(body ?? null),
    createdAt: now,
    expiresAt: queue === "scans" ? oldestScan(body, now) + keptScansMilliseconds : now + retention,
  });
}

/**
 * Returns the time of a message's oldest scan. Retention counts from it, so that retries never restore a scan whose id
 * the ledger may no longer know.
 */
function oldestScan(body: unknown, now: number): number {
  const batches = asArray((body as Partial<ScansMessage> | null)?.batches);
  const ids = batches
    .map((batch) => batch as Partial<ScanBatch> | null)
    .flatMap((batch) => [...asArray(batch?.scans).map((scan) => asArray(scan)[0]), batch?.closed?.id])
    .map(String)
    .filter(isId);
  return ids.reduce((oldest, id) => Math.min(oldest, timeOfId(id)), now);
}

/** A message that failed every retry may have any form. */
const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/**
 * Returns a page of dead letters, newest first, without scans erased in the meantime. The page is short if letters had
 * only such scans, or if they involve too many workspaces. @throws invalid_input for a cursor of another list
 */
export async function listDeadLetters(
  deps: Deps,
  { queue, cursor, limit }: DeadLetterQuery,
): Promise<DeadLetterList> {
  const filters = { deadLetters: queue };
  const page = { queue, after: parseCursor(cursor, filters), limit: limit + 1 };
  const characters = limits.deadLetterBody;
  const rows = await store.listDeadLetters(deps.db, { ...page, characters }, deps.now());
  const { items, bodies } = await withoutErasedScans(deps, rows.slice(0, limit));
  const { nextCursor } = withCursor(items, rows.length > items.length, filters);
  return {
    items: items.flatMap(({ excerpt, createdAt, expiresAt, ...rest }) => {
      const body = rest.queue === "scans" ? bodies.get(rest.id) : excerpt;
      if (typeof body !== "string") return [];
      return {
        ...rest,
        body: body.slice(0, characters),
        bodyLength: bodies.get(rest.id)?.length ?? rest.bodyLength,
        createdAt: new Date(createdAt).toISOString(),
        expiresAt: new Date(expiresAt).toISOString(),
      };
    }),
    nextCursor,
  };
}

/**
 * Removes erased scans from the letters of a page.
 * @returns the letters up to the first with too many workspaces, and what is left of letters of scans, by id
 */
async function withoutErasedScans(
  deps: Deps,
  page: readonly store.DeadLetterExcerpt[],
): Promise<{ items: readonly store.DeadLetterExcerpt[]; bodies: Map<string, string | null> }> {
  const ids = page.filter(({ queue }) => queue === "scans").map(({ id }) => id);
  const bodies = new Map<string, string | null>();
  for (let i = 0; i < ids.length; i += steps.read) {
    const letters = await store.findDeadLetters(deps.db, ids.slice(i, i + steps.read), deps.now());
    const remaining = await dropErasedScans(deps, letters);
    for (const { id, body } of remaining) bodies.set(id, body);
    const next = letters[remaining.length];
    if (next !== undefined) {
      return {
        items: page.slice(
          0,
          page.findIndex(({ id }) => id === next.id),
        ),
        bodies,
      };
    }
  }
  return { items: page, bodies };
}

/**
 * Puts a dead letter back on its queue. Retrying twice is harmless, because every message's effect is idempotent.
 * @throws not_found; invalid_input for an unknown queue; internal (503) if the queue refuses
 */
export async function retryDeadLetter(deps: Deps, id: string): Promise<Retried> {
  const found = requireFound(await store.findDeadLetter(deps.db, id, deps.now()), "Dead letter");
  const { retried } = await sendBack(deps, found.queue, [found]);
  return { queue: found.queue, retried, remaining: await remaining(deps, found.queue) };
}

/** Puts a limited number of a queue's oldest dead letters back on it. @throws like retryDeadLetter */
export async function retryDeadLetters(deps: Deps, { queue }: RetryInput): Promise<Retried> {
  requireQueue(deps, queue);
  let retried = 0;
  for (let read = 0; read < steps.retried; ) {
    const messages = await store.oldestDeadLetters(deps.db, queue, steps.read, deps.now());
    if (messages.length === 0) break;
    const sent = await sendBack(deps, queue, messages);
    read += sent.read;
    retried += sent.retried;
  }
  return { queue, retried, remaining: await remaining(deps, queue) };
}

const remaining = (deps: Deps, queue: string) => store.countDeadLetters(deps.db, queue, deps.now());

/**
 * Sends the first messages, without scans erased in the meantime, and deletes each once its queue has accepted it.
 * @returns how many were read, and how many of these were sent
 */
async function sendBack(
  deps: Deps,
  name: string,
  messages: readonly store.StoredMessage[],
): Promise<{ read: number; retried: number }> {
  const queue = requireQueue(deps, name);
  const left = await dropErasedScans(deps, messages);
  const sized = left.flatMap(({ id, body }) =>
    body === null ? [] : [{ id, body, bytes: utf8Length(body) }],
  );
  for (const chunk of chunksBySize(sized, batchBytes, ({ bytes }) => bytes)) {
    try {
      await queue.sendBatch(chunk.map(({ body }) => ({ body: JSON.parse(body) as unknown })));
    } catch (error) {
      log("error", "dead letters not retried", { queue: name, error: describeError(error) });
      throw new ServiceError("internal", `The queue ${name} didn't accept the message. Try again.`, {
        status: 503,
      });
    }
    await store.deleteDeadLetters(
      deps.db,
      chunk.map(({ id }) => id),
    );
  }
  return { read: left.length, retried: sized.length };
}

function requireQueue(deps: Deps, name: string): Queue {
  const queues = queuesOf(deps);
  const queue = Object.hasOwn(queues, name) ? queues[name] : undefined;
  if (queue === undefined) {
    throw invalid("queue", `must be one of ${Object.keys(queues).join(", ")}, not ${name}`);
  }
  return queue;
}

/** Puts scans that could not be recorded yesterday or before back on their queue, a limited number at a time. */
export async function retryScans(deps: Deps): Promise<void> {
  const { retried } = await retryDeadLetters(deps, { queue: "scans" });
  log("warn", "scans retried", { messages: retried });
}

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import { BulkJob, BulkJobWithItems } from "../../src/contract/resources/codes/bulk.ts";
import type { BulkTask } from "../../src/protocol/messages.ts";
import { type Client, FakeClock, Service } from "./service.ts";
import { isQuestion } from "./world/wrapped-database.ts";

/** A service whose bulk queue collects messages in `queued` until a test delivers them. */
export class BulkHarness {
  readonly clock = new FakeClock();
  readonly queued: BulkTask[] = [];
  queueIsDown = false;
  readonly service = this.isolate();

  /** Another isolate of the service, with the same clock and queue. */
  isolate(overrides: DepsOverrides = {}): Service {
    const queue = {
      send: async (task: BulkTask) => {
        if (this.queueIsDown) throw new Error("queue is down");
        this.queued.push(task);
      },
      sendBatch: async (messages: Iterable<MessageSendRequest<BulkTask>>) => {
        for (const { body } of messages) await queue.send(body);
      },
    };
    return new Service({ now: this.clock.now, bulkQueue: queue as unknown as Queue<BulkTask>, ...overrides });
  }

  /** Delivers messages to the consumer, one at a time as configured in wrangler.toml, by default in this isolate. */
  async deliver(tasks: readonly BulkTask[], service = this.service) {
    const results = [];
    for (const body of tasks) results.push(await service.consume("bulk", [{ body }]));
    return {
      explicitAcks: results.flatMap((result) => result.explicitAcks),
      retryMessages: results.flatMap((result) => result.retryMessages),
    };
  }

  /** Delivers queued messages, and those that they queue, until none are left. */
  async drain(service = this.service): Promise<void> {
    while (this.queued.length > 0) await this.deliver(this.queued.splice(0), service);
  }

  /** Runs the sweep. */
  async sweep(): Promise<void> {
    await this.service.worker.scheduled(undefined, env);
  }

  csv(client: Client, text: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
    return client.send("POST", "/qr/bulk", text, { "content-type": "text/csv", ...headers });
  }

  json(client: Client, items: unknown): Promise<Response> {
    return client.send("POST", "/qr/bulk", { items });
  }

  update(client: Client, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return client.send("POST", "/qr/bulk-update", body, headers);
  }

  read(client: Client, jobId: string): Promise<BulkJobWithItems> {
    return client.expect(200, BulkJobWithItems, "GET", `/qr/bulk/${jobId}`);
  }

  async accepted(response: Response): Promise<BulkJob> {
    const body = await response.json();
    expect({ status: response.status, body }).toEqual({ status: 202, body: expect.anything() });
    return BulkJob.parse(body);
  }

  /** Runs a job from staging to its end. */
  async run(client: Client, response: Response): Promise<BulkJobWithItems> {
    const { jobId } = await this.accepted(response);
    await this.drain();
    return this.read(client, jobId);
  }
}

/** Returns a valid item of a JSON job. */
export const item = (i: number) => ({
  name: `Item ${i}`,
  qrType: "url",
  data: { type: "url", url: `example.com/${i}` },
});

/** Returns valid items. */
export const goodItems = (count: number) => Array.from({ length: count }, (_, i) => item(i));

/**
 * Stores codes of `https://example.com/…` in the catalogue by one statement, where a test is not about how they came there.
 * @param tags of each
 * @returns their ids, which have the order of their names
 */
export async function insertCodes(
  { workspaceId }: Client,
  count: number,
  tags: readonly string[] = [],
): Promise<string[]> {
  const { results } = await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
     INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, name, data, tags, status, created_at, updated_at)
     SELECT substr(?1, 1, 24) || printf('%05x', i) || substr(lower(hex(randomblob(4))), 2), ?1, lower(hex(randomblob(4))), 1, 'url', 'Item ' || i,
       json_object('type', 'url', 'url', 'https://example.com/' || i), ?3, 'active', i, i FROM n
     RETURNING id`,
  )
    .bind(workspaceId, count, JSON.stringify(tags))
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Deletes all codes of a workspace by one statement, where the next test needs none. */
export const withoutCodes = ({ workspaceId }: Client): Promise<unknown> =>
  env.DB.prepare("UPDATE qr_codes SET deleted_at = updated_at WHERE workspace_id = ? AND deleted_at IS NULL")
    .bind(workspaceId)
    .run();

/** Returns the catalogue with another way to run batches that change rows. */
export function catalogueWith(batch: (statements: D1PreparedStatement[]) => Promise<D1Result[]>): D1Database {
  const questions = new WeakSet<D1PreparedStatement>();
  const prepare = (sql: string) => (isQuestion(sql) ? noted(env.DB.prepare(sql)) : env.DB.prepare(sql));
  const noted = (statement: D1PreparedStatement): D1PreparedStatement => {
    questions.add(statement);
    const bind = statement.bind.bind(statement);
    statement.bind = (...values) => noted(bind(...values));
    return statement;
  };
  return {
    prepare,
    withSession: env.DB.withSession.bind(env.DB),
    batch: (statements: D1PreparedStatement[]) =>
      statements.every((each) => questions.has(each)) ? env.DB.batch(statements) : batch(statements),
  } as unknown as D1Database;
}

/** Returns the hashes of a workspace's codes whose routes are still to be published. */
export async function unpublished(client: Client): Promise<unknown[]> {
  const sql =
    "SELECT key FROM pending_publications WHERE key IN (SELECT hash FROM qr_codes WHERE workspace_id = ?)";
  const { results } = await env.DB.prepare(sql).bind(client.workspaceId).all();
  return results.map(({ key }) => key);
}

/** Returns a catalogue that hangs after a number of batches, as if its isolate had been killed. */
export function mortalCatalogue(batches: number): { db: D1Database; died: Promise<void> } {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  let left = batches;
  const db = catalogueWith(async (statements) => {
    if (left === 0) {
      die();
      return new Promise(() => {});
    }
    left -= 1;
    return env.DB.batch(statements);
  });
  return { db, died };
}

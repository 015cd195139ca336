import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { bulkBodyLimit, plans } from "../../../src/contract/plans.ts";
import { readBulkRows } from "../../../src/domain/bulk/rows/rows.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import type { Client } from "../../support/service.ts";

const harness = new BulkHarness();
const utf8 = new TextEncoder();
const types = { json: "application/json", csv: "text/csv" } as const;

/** A body of 20 MB that is made as it is read, and counts the bytes that were. */
class LongBody {
  bytesRead = 0;
  readonly stream: ReadableStream<Uint8Array>;

  /** @param unit repeated after `head` */
  constructor(head: string, unit: string) {
    const parts = [utf8.encode(head)];
    const block = utf8.encode(unit.repeat(Math.ceil((16 * 1024) / unit.length)));
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const bytes = parts.shift() ?? block.slice();
          this.bytesRead += bytes.length;
          controller.enqueue(bytes);
          if (this.bytesRead > 20_000_000) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** Bytes that may be read before a refusal takes effect. */
const readAhead = 256 * 1024;

async function post(client: Client, type: keyof typeof types, body: unknown, headers = {}) {
  const response = await client.send("POST", "/qr/bulk", body, { "content-type": types[type], ...headers });
  return { status: response.status, body: await response.json() };
}

const storedJobs = ({ workspaceId }: { readonly workspaceId: string }) =>
  env.DB.prepare("SELECT count(*) AS n FROM bulk_jobs WHERE workspace_id = ?").bind(workspaceId).first("n");

describe("a long body", () => {
  it.each([
    ["json", '{"items":[', "[],"],
    ["json", '{"items":[', `${JSON.stringify(item(1))},`],
    ["csv", "url\n", "a.example\n"],
  ] as const)("is refused at the first row beyond the plan's: %s, %s%s", async (type, head, unit) => {
    const client = await harness.service.workspace("pro");
    const body = new LongBody(head, unit);
    expect(await post(client, type, body.stream)).toEqual({
      status: 403,
      body: {
        code: "plan_limit",
        error: "Your Pro plan allows 1000 rows a bulk job. Split the file, or upgrade.",
      },
    });
    expect(body.bytesRead).toBeLessThan(unit.length * 1000 + readAhead);
    expect(await storedJobs(client)).toBe(0);
  });

  it("is refused at the limit of bytes", async () => {
    const client = await harness.service.workspace("pro");
    const body = new LongBody("url\n", `${" ".repeat(1000)}\n`);
    const limit = bulkBodyLimit(plans.pro);
    expect(await post(client, "csv", body.stream)).toEqual({
      status: 413,
      body: { code: "invalid_input", error: `The body can have at most ${limit} bytes.` },
    });
    expect(body.bytesRead).toBeLessThan(limit + readAhead);
  });

  it("is not read at all if its length is stated", async () => {
    const client = await harness.service.workspace("pro");
    const body = new LongBody("url\n", "\n");
    const fixed = body.stream.pipeThrough(new FixedLengthStream(20_000_000));
    expect((await post(client, "csv", fixed, { "content-length": "20000000" })).status).toBe(413);
    expect(body.bytesRead).toBeLessThan(readAhead);
  });

  it.each([
    ['{"items":[', "["],
    ['{"items":["', "x"],
    ['{"other":[', "[],"],
    ["{", " "],
  ])("without a row is refused by its longest part: %s%s", async (head, unit) => {
    const client = await harness.service.workspace("pro");
    const body = new LongBody(head, unit);
    const answer = await post(client, "json", body.stream);
    expect(answer).toEqual({
      status: 400,
      body: {
        code: "invalid_input",
        error: expect.stringMatching(new RegExp(`can have at most ${limits.body} characters`)),
      },
    });
    expect(body.bytesRead).toBeLessThan(limits.body + readAhead);
  });

  it.each(["free", "starter", "pro", "business"] as const)(
    "may be as long as the plan %s allows",
    async (plan) => {
      const asked: number[] = [];
      const source = {
        mediaType: "text/csv",
        async *blocks(maxBytes: number) {
          asked.push(maxBytes);
          yield utf8.encode(`url\n${"a.example\n".repeat(plans[plan].bulkRows)}`);
        },
      };
      const rows = await readBulkRows(harness.service.deps, serviceContext("w", plan), source);
      expect(rows).toHaveLength(plans[plan].bulkRows);
      expect(asked).toEqual([bulkBodyLimit(plans[plan])]);
    },
  );
});

it("the same Idempotency-Key with the same bytes is the same request, however they arrive", async () => {
  const client = await harness.service.workspace("pro");
  const body = JSON.stringify({ items: Array.from({ length: 900 }, (_, i) => item(i)) });
  const bytes = utf8.encode(body);
  expect(bytes.length).toBeGreaterThan(64 * 1024);
  const inPieces = (size: number) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
        controller.close();
      },
    });
  const key = { "idempotency-key": "pieces" };
  const first = await post(client, "json", body, key);
  expect(first.status).toBe(202);
  expect(await post(client, "json", inPieces(7_777), key)).toEqual(first);
  expect((await post(client, "json", `${body} `, key)).status).toBe(400);
  const refused = await post(client, "json", inPieces(100), { "idempotency-key": "" });
  expect(refused.status).toBe(400);
});

describe("the content type", () => {
  it.each(["text/csv", "", "text/plain;charset=UTF-8", "application/json", "application/vnd.ms-excel"])(
    "of a body of POST /qr/bulk/csv may be %j",
    async (type) => {
      const client = await harness.service.workspace();
      const headers = { "content-type": type };
      const response = await client.send("POST", "/qr/bulk/csv", "url\na.example\nb.example\n", headers);
      expect([response.status, await response.json()]).toMatchObject([202, { totalItems: 2 }]);
    },
  );

  it.each(["application/vnd.ms-excel", "Application/VND.ms-excel; charset=windows-1252"])(
    "of a CSV can be the one that Windows knows where Excel is installed: %s",
    async (type) => {
      const client = await harness.service.workspace();
      const headers = { "content-type": type };
      const response = await client.send("POST", "/qr/bulk?dryRun=true", "url\na.example\n", headers);
      expect([response.status, await response.json()]).toMatchObject([200, { created: 1 }]);
    },
  );

  it.each([
    ["", "is missing"],
    ["text/plain;charset=UTF-8", "can't be text/plain"],
    ["x".repeat(5000), `can't be ${"x".repeat(100)}`],
  ])("of a body of POST /qr/bulk is named with those to send: %s", async (type, problem) => {
    const client = await harness.service.workspace();
    const body = JSON.stringify({ items: [item(1)] });
    const response = await client.send("POST", "/qr/bulk", body, { "content-type": type });
    expect([response.status, await response.json()]).toEqual([
      415,
      { code: "invalid_input", error: `Content-Type ${problem}. Use application/json or text/csv.` },
    ]);
  });
});

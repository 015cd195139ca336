import { setTimeout as delay } from "node:timers/promises";
import { buildService } from "../scripts/lib/build.ts";
import { apiKey, memberCookie, origin, otherApiKey } from "../scripts/lib/seed.ts";
import { newHash } from "../src/lib/text/hash.ts";
import { newId } from "../src/lib/text/ids.ts";
import { measureUpdates } from "./bulk-update.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { untilIdle } from "./load/process-tree.ts";
import { Server } from "./load/server.ts";

interface Sizes {
  readonly rows: number;
  readonly warmUps: number;
  readonly rounds: number;
  /** For how long requests are measured without a job. */
  readonly aloneMilliseconds: number;
}

const headers = { authorization: `Bearer ${apiKey}` };

/** Bulk jobs compared with a bare Worker that inserts the same rows. */
export const bulk: Benchmark = {
  title: "Bulk",
  async run({ smoke }) {
    const sizes: Sizes = smoke
      ? { rows: 100, warmUps: 0, rounds: 1, aloneMilliseconds: 200 }
      : { rows: 10_000, warmUps: 1, rounds: 5, aloneMilliseconds: 5000 };
    const placement = { pinned: false };
    await using service = await Server.start("service", { size: 0, script: await buildService() }, placement);
    await using bare = await Server.start("insert", { size: 0 }, placement);

    const beside = await measurePace(service, sizes);
    const withoutWebhook = await measure("no webhook", service, bare, sizes);
    const registered = await fetch(`${service.origin}/api/v1/developer/webhooks`, {
      method: "POST",
      headers: { cookie: await memberCookie(), origin, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.com/", events: ["qr.deleted"] }),
    });
    if (registered.status !== 201) throw new Error(await registered.text());
    const withWebhook = await measure("one webhook", service, bare, sizes);
    const updates = await measureUpdates(service, placement, sizes, async (tag) => {
      const { completed } = await bulkJob(service, sizes.rows, [tag]);
      return completed;
    });

    const row = (title: string, { accepted, completed, inserted }: Measured) => [
      title,
      `${accepted.toFixed(0)} ms`,
      `${completed.toFixed(0)} ms`,
      `${inserted.toFixed(0)} ms`,
      `${(completed / inserted).toFixed(2)} ×`,
    ];
    return (
      `${sizes.rows} rows as CSV, median of ${sizes.rounds} rounds, compared with a bare Worker that inserts the same rows ` +
      "into the same table and indexes. The service also validates, stages and settles each row; with a webhook it writes " +
      "and forwards an event per row.\n\n" +
      table(
        ["", "POST to 202", "POST to completed", "bare insertion", "ratio"],
        [row("no webhook", withoutWebhook), row("one webhook", withWebhook)],
      ) +
      `\n\nRequests of another workspace, one after the other, alone and during a job of ${sizes.rows} rows with ` +
      `${tagsPerRow} tags each, from its POST until its last code exists. The job took ${beside.accepted.toFixed(0)} ms to ` +
      `the 202 and ${beside.completed.toFixed(0)} ms to its last code.\n\n` +
      table(
        ["", "alone: p50", "p99", "slowest", "beside the job: p50", "p99", "slowest", "p50, ratio"],
        beside.rows,
      ) +
      `\n\n${updates}`
    );
  },
};

/** How often a job is polled. Its worker shares a core with these requests. */
const pollMilliseconds = 25;

const tagsPerRow = 50;

/** Measures requests of another workspace alone and during a job with many tags. */
async function measurePace(
  service: Server,
  sizes: Sizes,
): Promise<{ accepted: number; completed: number; rows: string[][] }> {
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${otherApiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  };
  const data = { type: "url", url: "https://example.com/" };
  const { id } = JSON.parse(await call("POST", "/qr", { qrType: "url", data })) as { id: string };
  let changes = 0;
  const requests = {
    "GET /qr/{id}": () => call("GET", `/qr/${id}`),
    "PATCH /qr/{id}": () => {
      changes += 1;
      return call("PATCH", `/qr/${id}`, { name: `Change ${changes}` });
    },
  };
  /** Measures the latencies of each request in milliseconds, until `isOver`. */
  const pace = async (isOver: () => boolean) => {
    const latencies = new Map(Object.keys(requests).map((title) => [title, [] as number[]]));
    while (!isOver()) {
      for (const [title, send] of Object.entries(requests)) {
        const startedAt = performance.now();
        await send();
        latencies.get(title)?.push(performance.now() - startedAt);
      }
    }
    return latencies;
  };
  const aloneFor = (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    return pace(() => performance.now() > end);
  };
  await aloneFor(sizes.aloneMilliseconds / 2);
  const alone = await aloneFor(sizes.aloneMilliseconds);
  let isOver = false;
  const tags = Array.from({ length: tagsPerRow }, (_, i) => `tag-${i}`);
  const job = bulkJob(service, sizes.rows, tags);
  const measured = pace(() => isOver);
  const times = await job.finally(() => {
    isOver = true;
  });
  const beside = await measured;
  const rows = Object.keys(requests).map((title) => {
    const [before, during] = [summary(alone.get(title)), summary(beside.get(title))];
    const cells = [before, during].flatMap(({ p50, p99, slowest }) =>
      [p50, p99, slowest].map((time) => `${time.toFixed(1)} ms`),
    );
    return [title, ...cells, `${(during.p50 / before.p50).toFixed(1)} ×`];
  });
  return { ...times, rows };
}

function summary(latencies: readonly number[] = []) {
  const sorted = [...latencies].sort((a, b) => a - b);
  const at = (fraction: number) => sorted[Math.ceil(sorted.length * fraction) - 1] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), slowest: at(1) };
}

interface Measured {
  readonly accepted: number;
  readonly completed: number;
  readonly inserted: number;
}

/** Runs jobs and bare insertions alternately. @returns medians in milliseconds */
async function measure(title: string, service: Server, bare: Server, sizes: Sizes): Promise<Measured> {
  const results: Measured[] = [];
  for (let round = 1 - sizes.warmUps; round <= sizes.rounds; round += 1) {
    // The last job's routes are written to KV after its completion.
    await untilIdle(service.pid);
    const job = await bulkJob(service, sizes.rows);
    const result = { ...job, inserted: await bareInsertion(bare, sizes.rows) };
    const [to202, toCompleted, inserted] = Object.values(result).map((time) => `${time.toFixed(0)} ms`);
    console.log(`${title}, round ${round}: 202 ${to202}, completed ${toCompleted}, bare ${inserted}`);
    if (round > 0) results.push(result);
  }
  return {
    accepted: median(results.map((result) => result.accepted)),
    completed: median(results.map((result) => result.completed)),
    inserted: median(results.map((result) => result.inserted)),
  };
}

/** Posts a CSV and waits for its job. @param tags of each row @returns milliseconds to the 202, and to `completed` */
async function bulkJob(
  service: Server,
  rows: number,
  tags: readonly string[] = [],
): Promise<{ accepted: number; completed: number }> {
  const read = async (path: string) => (await fetch(`${service.origin}/api/v1${path}`, { headers })).text();
  const row = (i: number) => `Code ${i},https://example.com/${i},${tags.join("|")}\n`;
  const body = `name,url,tags\n${Array.from({ length: rows }, (_, i) => row(i)).join("")}`;
  const startedAt = performance.now();
  const response = await fetch(`${service.origin}/api/v1/qr/bulk`, {
    method: "POST",
    headers: { ...headers, "content-type": "text/csv" },
    body,
  });
  if (response.status !== 202) throw new Error(`bulk: ${response.status} ${await response.text()}`);
  const { jobId } = (await response.json()) as { jobId: string };
  const accepted = performance.now() - startedAt;
  const readJob = () => read(`/qr/bulk/${jobId}?items=none`);
  let job = await readJob();
  while (job.includes('"completedAt":null')) {
    await delay(pollMilliseconds);
    job = await readJob();
  }
  const completed = performance.now() - startedAt;
  if (!job.includes(`"status":"completed","totalItems":${rows},"successCount":${rows}`)) {
    throw new Error(job.slice(0, 300));
  }
  return { accepted, completed };
}

/** Inserts the same rows into the same table. @returns milliseconds */
async function bareInsertion(bare: Server, rows: number): Promise<number> {
  const codes = Array.from({ length: rows }, (_, i) => ({
    id: newId(Date.now()),
    workspaceId: "w",
    hash: newHash(),
    name: `Code ${i}`,
    data: { type: "url", url: `https://example.com/${i}` },
    at: Date.now(),
  }));
  const startedAt = performance.now();
  const response = await fetch(bare.origin, { method: "POST", body: JSON.stringify(codes) });
  if (response.status !== 200) throw new Error(await response.text());
  return performance.now() - startedAt;
}

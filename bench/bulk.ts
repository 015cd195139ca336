import { setTimeout as delay } from "node:timers/promises";
import { newHash } from "../src/lib/text/hash.ts";
import { newId } from "../src/lib/text/ids.ts";
import type { Benchmark } from "./benchmark.ts";
import { buildService } from "./build.ts";
import { Server } from "./load/server.ts";
import { median, table } from "./results.ts";
import { apiKey, memberCookie, origin } from "./seed.ts";

interface Sizes {
  readonly rows: number;
  readonly warmUps: number;
  readonly rounds: number;
}

const headers = { authorization: `Bearer ${apiKey}` };

/** Bulk jobs compared with a bare Worker that inserts the same rows. */
export const bulk: Benchmark = {
  title: "Bulk",
  async run({ smoke }) {
    const sizes: Sizes = smoke
      ? { rows: 100, warmUps: 0, rounds: 1 }
      : { rows: 10_000, warmUps: 1, rounds: 5 };
    const placement = { pinned: false };
    await using service = await Server.start("service", { size: 0, script: await buildService() }, placement);
    await using bare = await Server.start("insert", { size: 0 }, placement);

    const withoutWebhook = await measure("no webhook", service, bare, sizes);
    const registered = await fetch(`${service.origin}/api/v1/developer/webhooks`, {
      method: "POST",
      headers: { cookie: await memberCookie(), origin, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.com/", events: ["qr.deleted"] }),
    });
    if (registered.status !== 201) throw new Error(await registered.text());
    const withWebhook = await measure("one webhook", service, bare, sizes);

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
      "and forwards an event for each row.\n\n" +
      table(
        ["", "POST to 202", "POST to completed", "bare insertion", "ratio"],
        [row("no webhook", withoutWebhook), row("one webhook", withWebhook)],
      )
    );
  },
};

interface Measured {
  readonly accepted: number;
  readonly completed: number;
  readonly inserted: number;
}

/** Runs jobs and bare insertions alternately. @returns medians in milliseconds */
async function measure(title: string, service: Server, bare: Server, sizes: Sizes): Promise<Measured> {
  const results: Measured[] = [];
  for (let round = 1 - sizes.warmUps; round <= sizes.rounds; round += 1) {
    const job = await bulkJob(service, `${title} ${round}`, sizes.rows);
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

/**
 * Posts a CSV and waits for its job. The job is complete when a code with the last row's tag exists: polling the job
 * itself, whose response has all items, would slow it down.
 * @returns milliseconds to the 202, and to `completed`
 */
async function bulkJob(
  service: Server,
  title: string,
  rows: number,
): Promise<{ accepted: number; completed: number }> {
  const read = async (path: string) => (await fetch(`${service.origin}/api/v1${path}`, { headers })).text();
  const tag = `last-of-${title.replaceAll(" ", "-")}`;
  const row = (i: number) => `Code ${i},https://example.com/${i},${i === rows - 1 ? tag : ""}\n`;
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
  while ((await read(`/qr?tag=${tag}`)).includes('"items":[]')) await delay(10);
  const completed = performance.now() - startedAt;
  const job = await read(`/qr/bulk/${jobId}`);
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

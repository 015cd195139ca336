import { setTimeout as delay } from "node:timers/promises";
import { newHash } from "../src/lib/text/hash.ts";
import { newId } from "../src/lib/text/ids.ts";
import { build } from "./build.ts";
import { spawnServer, stopServer } from "./load.ts";
import { median, table, writeSection } from "./results.ts";
import { apiKey, memberCookie, origin } from "./seed.ts";

const rows = 10_000;
const rounds = 5;

build("src/index.ts", "dist");
const service = await spawnServer("service", 8960, 0);
const bare = await spawnServer("insert", 8961, 0);
const headers = { authorization: `Bearer ${apiKey}` };

/**
 * POSTs a CSV and waits for the job. The last row's tag shows when it is there: asking for the job itself, with its
 * 10 000 items, would slow what is watched.
 * @returns milliseconds to the 202, and to `completed`
 */
async function bulkJob(title: string): Promise<{ accepted: number; completed: number }> {
  const tag = `last-of-${title.replaceAll(" ", "-")}`;
  const row = (i: number) => `Code ${i},https://example.com/${i},${i === rows - 1 ? tag : ""}\n`;
  const body = `name,url,tags\n${Array.from({ length: rows }, (_, i) => row(i)).join("")}`;
  const began = performance.now();
  const response = await fetch(`${service.origin}/api/v1/qr/bulk`, {
    method: "POST",
    headers: { ...headers, "content-type": "text/csv" },
    body,
  });
  if (response.status !== 202) throw new Error(`bulk: ${response.status} ${await response.text()}`);
  const { jobId } = (await response.json()) as { jobId: string };
  const accepted = performance.now() - began;
  while ((await read(`/qr?tag=${tag}`)).includes('"items":[]')) await delay(10);
  const completed = performance.now() - began;
  const job = await read(`/qr/bulk/${jobId}`);
  if (!job.includes(`"status":"completed","totalItems":${rows},"successCount":${rows}`)) {
    throw new Error(job.slice(0, 300));
  }
  return { accepted, completed };
}

const read = async (path: string) => (await fetch(`${service.origin}/api/v1${path}`, { headers })).text();

/** The same rows into the same table. @returns milliseconds */
async function bareInsertion(): Promise<number> {
  const codes = Array.from({ length: rows }, (_, i) => ({
    id: newId(Date.now()),
    workspaceId: "w",
    hash: newHash(),
    name: `Code ${i}`,
    data: { type: "url", url: `https://example.com/${i}` },
    at: Date.now(),
  }));
  const began = performance.now();
  const response = await fetch(bare.origin, { method: "POST", body: JSON.stringify(codes) });
  if (response.status !== 200) throw new Error(await response.text());
  return performance.now() - began;
}

interface Measured {
  readonly accepted: number;
  readonly completed: number;
  readonly inserted: number;
}

/** Jobs and bare insertions in turn. The first round warms up. */
async function measure(title: string): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const job = await bulkJob(`${title}-${round}`);
    const result = { ...job, inserted: await bareInsertion() };
    const [to202, toCompleted, inserted] = Object.values(result).map((time) => `${time.toFixed(0)} ms`);
    console.log(`${title}, round ${round}: 202 ${to202}, completed ${toCompleted}, bare ${inserted}`);
    if (round > 0) all.push(result);
  }
  return {
    accepted: median(all.map((result) => result.accepted)),
    completed: median(all.map((result) => result.completed)),
    inserted: median(all.map((result) => result.inserted)),
  };
}

const silent = await measure("nobody listens");
const webhook = { url: "https://example.com/", events: ["qr.deleted"] };
const registered = await fetch(`${service.origin}/api/v1/developer/webhooks`, {
  method: "POST",
  headers: { cookie: await memberCookie(), origin, "content-type": "application/json" },
  body: JSON.stringify(webhook),
});
if (registered.status !== 201) throw new Error(await registered.text());
const heard = await measure("a webhook listens");
await stopServer(service);
await stopServer(bare);

const row = (title: string, { accepted, completed, inserted }: Measured) => [
  title,
  `${accepted.toFixed(0)} ms`,
  `${completed.toFixed(0)} ms`,
  `${inserted.toFixed(0)} ms`,
  `${(completed / inserted).toFixed(2)} ×`,
];
writeSection(
  "Bulk",
  `${rows} rows as CSV, median of ${rounds} rounds beside a bare Worker that inserts the same rows into the same table ` +
    "and indexes. The service also validates, stages and settles each row; where a webhook listens it writes each " +
    "row's event, and hands it on.\n\n" +
    table(
      ["", "POST to 202", "POST to completed", "bare insertion", "of bare"],
      [row("nobody listens", silent), row("a webhook listens", heard)],
    ),
);

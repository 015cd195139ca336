import { setTimeout as delay } from "node:timers/promises";
import { newHash } from "../src/lib/hash.ts";
import { newId } from "../src/lib/ids.ts";
import { build } from "./build.ts";
import { spawnServer, stopServer } from "./load.ts";
import { median, table, writeSection } from "./results.ts";
import { apiKey } from "./seed.ts";

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
async function bulkJob(round: number): Promise<{ accepted: number; completed: number }> {
  const tag = `last-of-${round}`;
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

const accepted: number[] = [];
const completed: number[] = [];
const inserted: number[] = [];
for (let round = 0; round <= rounds; round += 1) {
  const job = await bulkJob(round);
  const insertion = await bareInsertion();
  console.log(
    `round ${round}: 202 ${job.accepted.toFixed(0)} ms, ${job.completed.toFixed(0)} ms, bare ${insertion.toFixed(0)} ms`,
  );
  // The first round warms up.
  if (round === 0) continue;
  accepted.push(job.accepted);
  completed.push(job.completed);
  inserted.push(insertion);
}
await stopServer(service);
await stopServer(bare);

const milliseconds = (values: number[]) => `${median(values).toFixed(0)} ms`;
const ratio = median(completed) / median(inserted);
writeSection(
  "Bulk",
  `${rows} rows as CSV, median of ${rounds} rounds beside a bare Worker that inserts the same rows into the same table ` +
    "and indexes. The service also validates, stages, settles each row and writes its event.\n\n" +
    table(
      ["what", "time"],
      [
        ["POST to 202", milliseconds(accepted)],
        ["POST to completed", `${milliseconds(completed)} (${ratio.toFixed(2)} × bare)`],
        ["bare insertion", milliseconds(inserted)],
      ],
    ),
);

import { setTimeout as delay } from "node:timers/promises";
import { untilIdle } from "./load/process-tree.ts";
import type { Server } from "./load/server.ts";
import { median, table } from "./lib/results.ts";
import { apiKey } from "../scripts/lib/seed.ts";

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** Changes to each code of a job, by the work they require besides the catalogue. */
const changes = {
  "a tag added": (round: string) => ({ addTags: [`changed-${round}`] }),
  "the host replaced": (round: string) => ({
    replace: { host: { from: "example.com", to: `${round}.example` } },
  }),
};
type Title = keyof typeof changes;

/** Times of one round in milliseconds. */
type Round = Record<Title | "created", number>;

/**
 * Measures bulk updates of codes created by a bulk job, in rounds.
 * @param create creates codes that all have the tag @returns milliseconds until all of them exist
 */
export async function measureUpdates(
  service: Server,
  { rows, rounds, warmUps }: { readonly rows: number; readonly rounds: number; readonly warmUps: number },
  create: (tag: string) => Promise<number>,
): Promise<string> {
  const results: Round[] = [];
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    const name = `round-${round + warmUps}`;
    await untilIdle(service.pid);
    const created = await create(name);
    const times: Record<string, number> = {};
    for (const [title, change] of Object.entries(changes)) {
      await untilIdle(service.pid);
      times[title] = await update(service, name, change(name), rows);
    }
    const result = { created, ...times } as Round;
    console.log(`updates, round ${round}: ${JSON.stringify(result)}`);
    if (round > 0) results.push(result);
  }
  const created = median(results.map((result) => result.created));
  const row = (title: string, milliseconds: number) => [
    title,
    `${milliseconds.toFixed(0)} ms`,
    ((rows / milliseconds) * 1000).toFixed(0),
    `${(milliseconds / created).toFixed(2)} ×`,
  ];
  const titles = Object.keys(changes) as Title[];
  const changed = titles.map((title) => row(title, median(results.map((result) => result[title]))));
  return (
    `One bulk update of ${rows} codes, from its POST until its last code is changed, compared with the job that created them; ` +
    `median of ${rounds} rounds, with a webhook. A replaced host also changes routes: each slice is published to nine feeds ` +
    "and written to KV before its items succeed.\n\n" +
    table(["", "POST to the last code", "codes per second", "ratio"], [row("creation", created), ...changed])
  );
}

/** Changes the codes with a tag. @returns milliseconds until the last one is changed */
async function update(service: Server, tag: string, change: object, count: number): Promise<number> {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.origin}/api/v1${path}`, { headers, ...init });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return text;
  };
  // Codes are changed newest first, so the oldest is the last one. Polling the job itself would slow it down.
  let last: { id: string; updatedAt: string } | undefined;
  let cursor: string | null = "";
  // One request of a search examines only part of the codes.
  while (last === undefined && cursor !== null) {
    const page = await call(`/qr?q=Code%200&tag=${tag}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    const { items, nextCursor } = JSON.parse(page) as { items: (typeof last)[]; nextCursor: string | null };
    last = items.at(-1);
    cursor = nextCursor;
  }
  if (last === undefined) throw new Error(`no code with the tag ${tag}`);
  const startedAt = performance.now();
  const accepted = await call("/qr/bulk-update", {
    method: "POST",
    body: JSON.stringify({ filter: { tag }, change }),
  });
  const { jobId } = JSON.parse(accepted) as { jobId: string };
  while ((await call(`/qr/${last.id}`)).includes(`"updatedAt":"${last.updatedAt}"`)) await delay(10);
  const time = performance.now() - startedAt;
  for (;;) {
    const job = await call(`/qr/bulk/${jobId}?items=none`);
    if (job.includes('"status":"completed"')) {
      if (!job.includes(`"successCount":${count},"failureCount":0`)) throw new Error(job.slice(0, 300));
      return time;
    }
    await delay(200);
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { apiKey, codeId } from "../scripts/lib/seed.ts";
import { routing } from "../src/edge/routing/timing.ts";
import { median, table } from "./lib/results.ts";
import { cpuMicroseconds, untilIdle } from "./load/process-tree.ts";
import { type Placement, Server } from "./load/server.ts";

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** Changes to each code of a job, by the work they require besides the catalogue. */
const changes = {
  "a tag added": (round: string) => ({ addTags: [`changed-${round}`] }),
  "the host replaced": (round: string) => ({
    replace: { host: { from: "example.com", to: `${round}.example` } },
  }),
};
type Title = keyof typeof changes;

/** The work of a bare Worker for a replaced host, in the order of `reroute.js`. */
const floorParts = ["rows", "feeds", "kv"] as const;
type Part = (typeof floorParts)[number];

/** How long something took, and the CPU of its server's process tree. */
interface Cost {
  readonly milliseconds: number;
  readonly microseconds: number;
}

interface Round {
  readonly created: number;
  readonly changed: Readonly<Record<Title, Cost>>;
  /** The replaced host, until its routes are in KV; only the CPU counts, because the writes begin later. */
  readonly converged: Cost;
  readonly floor: Readonly<Record<Part, Cost>>;
}

interface Sizes {
  readonly rows: number;
  readonly rounds: number;
  readonly warmUps: number;
}

/**
 * Measures bulk updates of codes created by a bulk job, in rounds, and the same writes and calls of a bare Worker.
 * @param create creates codes that all have the tag @returns milliseconds until all of them exist
 */
export async function measureUpdates(
  service: Server,
  placement: Placement,
  { rows, rounds, warmUps }: Sizes,
  create: (tag: string) => Promise<number>,
): Promise<string> {
  await using bare = await Server.start("reroute", { size: rows }, placement);
  const results: Round[] = [];
  for (let round = 1 - warmUps; round <= rounds; round += 1) {
    const name = `round-${round + warmUps}`;
    await untilIdle(service.pid);
    const created = await create(name);
    await untilIdle(service.pid);
    const change = (title: Title) => () => update(service, name, changes[title](name), rows);
    const tagged = await costOf(service, change("a tag added"));
    await untilIdle(service.pid);
    const before = cpuMicroseconds(service.pid);
    const replaced = await costOf(service, change("the host replaced"));
    if (warmUps > 0) await delay(routing.convergeSeconds * 1000);
    await untilIdle(service.pid);
    const converged = { milliseconds: 0, microseconds: cpuMicroseconds(service.pid) - before };
    const floor = { rows: unmeasured, feeds: unmeasured, kv: unmeasured };
    for (const part of floorParts) {
      floor[part] = await costOf(bare, () => reroute(bare, part, round + warmUps + 1, rows));
    }
    const changed = { "a tag added": tagged, "the host replaced": replaced };
    const result = { created, changed, converged, floor };
    console.log(`updates, round ${round}: ${JSON.stringify(result)}`);
    if (round > 0) results.push(result);
  }
  const created = median(results.map((result) => result.created));
  const of = (cost: (result: Round) => Cost): Cost => ({
    milliseconds: median(results.map((result) => cost(result).milliseconds)),
    microseconds: median(results.map((result) => cost(result).microseconds)),
  });
  const row = (title: string, milliseconds: number) => [
    title,
    `${milliseconds.toFixed(0)} ms`,
    ((rows / milliseconds) * 1000).toFixed(0),
    `${(milliseconds / created).toFixed(2)} ×`,
  ];
  const changed = (Object.keys(changes) as Title[]).map((title) =>
    row(title, of((result) => result.changed[title]).milliseconds),
  );
  const replaced = of((result) => result.changed["the host replaced"]);
  const [inFeeds, inKv] = [["rows", "feeds"] as const, floorParts].map((parts) => ({
    milliseconds: parts.reduce((sum, part) => sum + of(({ floor }) => floor[part]).milliseconds, 0),
    microseconds: parts.reduce((sum, part) => sum + of(({ floor }) => floor[part]).microseconds, 0),
  })) as [Cost, Cost];
  const compared = (title: string, cost: Cost, floor: Cost, isTimed: boolean) => [
    title,
    ...(isTimed ? [`${cost.milliseconds.toFixed(0)} ms`, `${floor.milliseconds.toFixed(0)} ms`] : ["", ""]),
    isTimed ? `${(cost.milliseconds / floor.milliseconds).toFixed(2)} ×` : "",
    `${(cost.microseconds / rows).toFixed(0)} µs`,
    `${(floor.microseconds / rows).toFixed(0)} µs`,
    `${(cost.microseconds / floor.microseconds).toFixed(2)} ×`,
  ];
  return (
    `One bulk update of ${rows} codes, from its POST until its last item has succeeded, compared with the job that created them; ` +
    `median of ${rounds} rounds, with a webhook. A replaced host also changes routes: each slice is published to nine feeds ` +
    `before its items succeed, and written to KV ${routing.convergeSeconds} s later.\n\n` +
    table(
      ["", "POST to the last item", "codes per second", "ratio"],
      [row("creation", created), ...changed],
    ) +
    "\n\nThe replaced host compared with a bare Worker that does the same in the same slices, one after the other. CPU is " +
    "that of the server's whole process tree, by code. Until its items succeed, a slice's rows are written and its feeds called; " +
    `the bare Worker takes ${inKv.milliseconds.toFixed(0)} ms to write to KV, too.\n\n` +
    table(
      ["", "time", "bare", "ratio", "CPU", "bare", "ratio"],
      [
        compared("until the last item succeeded", replaced, inFeeds, true),
        compared(
          "until KV has the routes",
          of((result) => result.converged),
          inKv,
          false,
        ),
      ],
    )
  );
}

const unmeasured: Cost = { milliseconds: 0, microseconds: 0 };

async function costOf(server: Server, work: () => Promise<number>): Promise<Cost> {
  const before = cpuMicroseconds(server.pid);
  const milliseconds = await work();
  return { milliseconds, microseconds: cpuMicroseconds(server.pid) - before };
}

/** Makes a bare Worker do its part for each code. @returns milliseconds */
async function reroute(bare: Server, part: Part, version: number, rows: number): Promise<number> {
  const codes = Array.from({ length: rows }, (_, i) => ({
    id: codeId(i + 1),
    hash: String(i + 1).padStart(8, "0"),
    version,
    at: Date.now(),
    data: { type: "url", url: `https://round-${version}.example/${i}` },
  }));
  const startedAt = performance.now();
  const response = await fetch(bare.origin, { method: "POST", body: JSON.stringify({ codes, part }) });
  if (response.status !== 200) throw new Error(await response.text());
  return performance.now() - startedAt;
}

/** Changes the codes with a tag. @returns milliseconds until the last item succeeded */
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
  for (;;) {
    const job = await call(`/qr/bulk/${jobId}?items=none`);
    if (job.includes('"status":"completed"')) {
      if (!job.includes(`"successCount":${count},"failureCount":0`)) throw new Error(job.slice(0, 300));
      return performance.now() - startedAt;
    }
    await delay(25);
  }
}

import { build } from "./build.ts";
import { type Server, spawnServer, stopServer } from "./load.ts";
import { memoryBytes, untilIdle } from "./process-tree.ts";
import { median, table, writeSection } from "./results.ts";
import { apiKey } from "./seed.ts";

const scans = 1_000_000;
const rounds = 3;

build("src/index.ts", "dist");
const bare = await spawnServer("pages", 8970, scans);
const service = await spawnServer("ledger", 8971, scans);

interface Download {
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Bytes the server's memory grew by at its peak. */
  readonly growth: number;
}

async function download(server: Server, query: string, header: number): Promise<Download> {
  await untilIdle(server.pid);
  const idle = memoryBytes(server.pid);
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryBytes(server.pid));
  }, 50);
  const began = performance.now();
  const response = await fetch(`${server.origin}${server.paths[0]}${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  let bytes = 0;
  let lines = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  }
  const seconds = (performance.now() - began) / 1000;
  clearInterval(watch);
  if (lines !== scans + header) throw new Error(`${server.name}: ${lines} lines`);
  return { rowsPerSecond: scans / seconds, bytesPerSecond: bytes / seconds, growth: peak - idle };
}

const cases = [
  { title: "bare Worker, JSON lines", server: bare, query: "", header: 0, results: [] as Download[] },
  { title: "export, NDJSON", server: service, query: "?format=ndjson", header: 0, results: [] as Download[] },
  { title: "export, CSV", server: service, query: "?format=csv", header: 1, results: [] as Download[] },
];
for (let round = 0; round <= rounds; round += 1) {
  for (const { title, server, query, header, results } of cases) {
    const result = await download(server, query, header);
    console.log(
      `round ${round}, ${title}: ${result.rowsPerSecond.toFixed(0)} rows/s, ${result.growth >> 20} MiB`,
    );
    // The first round warms up; but its memory counts.
    results.push(round === 0 ? { ...result, rowsPerSecond: Number.NaN, bytesPerSecond: Number.NaN } : result);
  }
}
await stopServer(bare);
await stopServer(service);

const middle = (results: Download[], of: (result: Download) => number) =>
  median(results.map(of).filter((value) => !Number.isNaN(value)));
const reference = middle(cases[0]?.results ?? [], (result) => result.rowsPerSecond);
writeSection(
  "Export",
  `${scans} scans, median of ${rounds} rounds beside a bare Worker that pages rows out of a Durable Object. ` +
    "Memory is that of the server's process tree, its highest peak over its idle state.\n\n" +
    table(
      ["what", "rows/s", "MB/s", "of bare", "memory"],
      cases.map(({ title, results }) => {
        const rate = middle(results, (result) => result.rowsPerSecond);
        return [
          title,
          rate.toFixed(0),
          (middle(results, (result) => result.bytesPerSecond) / 1e6).toFixed(1),
          `${(rate / reference).toFixed(2)} ×`,
          `+${Math.max(...results.map((result) => result.growth >> 20))} MiB`,
        ];
      }),
    ),
);

import { buildService } from "../scripts/lib/build.ts";
import { apiKey } from "../scripts/lib/seed.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { memoryBytes, untilIdle } from "./load/process-tree.ts";
import { Server } from "./load/server.ts";

interface Download {
  readonly rowsPerSecond: number;
  readonly bytesPerSecond: number;
  /** Peak growth of the server's memory, in bytes. */
  readonly memoryGrowth: number;
}

/** Exports of scans compared with a bare Worker that reads rows from a Durable Object in pages. */
export const scanExport: Benchmark = {
  title: "Export",
  async run({ smoke }) {
    const sizes = smoke
      ? { scans: 1000, warmUps: 0, rounds: 1 }
      : { scans: 1_000_000, warmUps: 1, rounds: 3 };
    const { scans } = sizes;
    const placement = { pinned: false };
    await using bare = await Server.start("pages", { size: scans }, placement);
    await using service = await Server.start(
      "ledger",
      { size: scans, script: await buildService() },
      placement,
    );

    const cases = [
      { title: "bare Worker, JSON lines", server: bare, query: "", lines: scans },
      { title: "export, NDJSON", server: service, query: "?format=ndjson", lines: scans },
      { title: "export, CSV", server: service, query: "?format=csv", lines: scans + 1 },
    ].map((each) => ({ ...each, results: [] as Download[], peaks: [] as number[] }));
    for (let round = 1 - sizes.warmUps; round <= sizes.rounds; round += 1) {
      for (const { title, server, query, lines, results, peaks } of cases) {
        if (!smoke) await untilIdle(server.pid);
        const result = await download(server, query, lines);
        console.log(
          `round ${round}, ${title}: ${result.rowsPerSecond.toFixed(0)} rows/s, ${result.memoryGrowth >> 20} MiB`,
        );
        // Peak memory includes warm-up rounds.
        peaks.push(result.memoryGrowth >> 20);
        if (round > 0) results.push(result);
      }
    }

    const medianOf = (results: readonly Download[] = [], of: (result: Download) => number) =>
      median(results.map(of));
    const bareRate = medianOf(cases[0]?.results, (result) => result.rowsPerSecond);
    return (
      `${scans} scans, median of ${sizes.rounds} rounds, compared with a bare Worker that reads rows from a Durable Object in ` +
      "pages. Memory is the peak growth of the server's process tree over its idle state.\n\n" +
      table(
        ["Worker", "rows/s", "MB/s", "rate of bare", "memory"],
        cases.map(({ title, results, peaks }) => {
          const rate = medianOf(results, (result) => result.rowsPerSecond);
          return [
            title,
            rate.toFixed(0),
            (medianOf(results, (result) => result.bytesPerSecond) / 1e6).toFixed(1),
            `${(rate / bareRate).toFixed(2)} ×`,
            `+${Math.max(...peaks)} MiB`,
          ];
        }),
      )
    );
  },
};

/** @param expected number of lines @throws for any other number */
async function download(server: Server, query: string, expected: number): Promise<Download> {
  const idle = memoryBytes(server.pid);
  let peak = idle;
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryBytes(server.pid));
  }, 50);
  const startedAt = performance.now();
  let bytes = 0;
  let lines = 0;
  try {
    const response = await fetch(`${server.origin}${server.paths[0]}${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
    }
  } finally {
    clearInterval(sampling);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (lines !== expected) throw new Error(`${server.name}: ${lines} lines instead of ${expected}`);
  return { rowsPerSecond: expected / seconds, bytesPerSecond: bytes / seconds, memoryGrowth: peak - idle };
}

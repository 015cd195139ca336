import { build } from "../scripts/lib/build.ts";
import { codeId, memberCookie, workspaceId } from "../scripts/lib/seed.ts";
import { callLedger } from "./ledger-calls.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { corePlacement } from "./load/cores.ts";
import type { LoadRequest } from "./load/generator.ts";
import { LoadGenerator, type Measurement } from "./load/measure.ts";
import { Server } from "./load/server.ts";
import type { RollupSizes } from "./workers/traffic-shapes.ts";

const fullSizes = { codes: [25, 5000], scans: 10_000, warmUpSeconds: 2, measuredSeconds: 3, rounds: 3 };
const smokeSizes: typeof fullSizes = {
  codes: [25],
  scans: 500,
  warmUpSeconds: 0,
  measuredSeconds: 0.1,
  rounds: 1,
};

/** The number of days in the reports, which are in the last year of the scans. */
const days = 30;
const view = "range=custom&from=2100-12-02&to=2100-12-31";

interface PageTarget {
  readonly title: string;
  readonly path: string;
  /** Of the bare Worker. */
  readonly barePath: string;
  /** A part of the page that proves that it shows the measured content. */
  readonly shows: string;
}

const pages: readonly PageTarget[] = [
  {
    title: "list of codes",
    path: "/dashboard/codes?order=oldest",
    barePath: "/list",
    shows: 'class="code-image"',
  },
  {
    title: "a code",
    path: `/dashboard/codes/${codeId(1)}?${view}`,
    barePath: "/code",
    shows: 'id="over-time"',
  },
  { title: "overview", path: `/dashboard?${view}`, barePath: "/overview", shows: 'id="top-codes"' },
];

/** Pages of the dashboard, compared with a bare Worker that runs the statements and calls they need. */
export const dashboard: Benchmark = {
  title: "Dashboard",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const rows: string[][] = [];
    for (const codes of sizes.codes) rows.push(...(await measurePages(codes, sizes, smoke)));
    const head = ["page", "codes", "ms", "p99", "bare ms", "ratio", "CPU µs", "bare", "CPU ratio", "KB"];
    return (
      `Median of ${sizes.rounds} interleaved rounds of ${sizes.measuredSeconds} s over one connection. The reports are of ` +
      `${days} days, compared with those before, with ${sizes.scans} scans of one code over two years, each by another ` +
      "visitor. The bare Worker makes the D1 statements and calls of a Durable Object that the page needs, with as many " +
      `rows of the same size, and answers JSON. ${corePlacement} CPU is that of the server's whole process tree.\n\n` +
      table(head, rows)
    );
  },
};

async function measurePages(codes: number, sizes: typeof fullSizes, smoke: boolean): Promise<string[][]> {
  const placement = { pinned: !smoke };
  const script = await build("bench/workers/metered.ts");
  await using service = await Server.start("catalogue", { size: codes, scans: 0, script }, placement);
  await callLedger(service, workspaceId, "fill", [codeId(1), sizes.scans]);
  const headers = { cookie: await memberCookie() };
  const bytes = await Promise.all(pages.map((page) => sizeOf(service, page, headers)));
  const { codeDay } = await callLedger<RollupSizes>(service, workspaceId, "rollupSizes", [2 * days]);
  const reportRows = await callLedger<number>(service, workspaceId, "reportRows", []);
  const rowBytes = Math.round((codeDay * 2 * days) / reportRows);
  await using bare = await Server.start("barePages", { size: codes, scans: reportRows, rowBytes }, placement);
  await using generator = new LoadGenerator(placement);
  const load = (server: Server, path: string, seconds: number) => {
    const requests: LoadRequest[] = [{ method: "GET", path, headers }];
    return generator.measure(
      server,
      { requests, connections: 1, seconds },
      { expected: 200, awaitIdle: !smoke },
    );
  };
  const rows: string[][] = [];
  for (const [i, page] of pages.entries()) {
    const sides = [
      { server: service, path: page.path, results: [] as Measurement[] },
      { server: bare, path: page.barePath, results: [] as Measurement[] },
    ];
    for (let round = 1; round <= sizes.rounds; round += 1) {
      for (const { server, path, results } of sides) {
        if (sizes.warmUpSeconds > 0) await load(server, path, sizes.warmUpSeconds);
        results.push(await load(server, path, sizes.measuredSeconds));
      }
    }
    const row = rowOf(
      page.title,
      codes,
      sides.map(({ results }) => results),
      bytes[i] ?? 0,
    );
    console.log(row.join(" | "));
    rows.push(row);
  }
  if (!smoke) generator.assertNotSaturated();
  return rows;
}

/** Returns the size of a page in bytes. @throws if it doesn't show the measured content */
async function sizeOf(service: Server, { path, shows }: PageTarget, headers: { cookie: string }) {
  const response = await fetch(service.origin + path, { headers, redirect: "manual" });
  const page = await response.text();
  if (!page.includes(shows)) throw new Error(`${path} answered ${response.status} without ${shows}`);
  return Buffer.byteLength(page);
}

function rowOf(title: string, codes: number, sides: readonly Measurement[][], bytes: number): string[] {
  const medians = (of: (result: Measurement) => number) =>
    sides.map((results) => median(results.map(of))) as [service: number, bare: number];
  const [ms, bareMs] = medians(({ p50 }) => p50);
  const [p99] = medians((result) => result.p99);
  const [cpu, bareCpu] = medians(({ serverCpu }) => serverCpu);
  return [
    title,
    String(codes),
    ms.toFixed(1),
    p99.toFixed(1),
    bareMs.toFixed(1),
    `${(ms / bareMs).toFixed(2)} ×`,
    cpu.toFixed(0),
    bareCpu.toFixed(0),
    `${(cpu / bareCpu).toFixed(2)} ×`,
    (bytes / 1024).toFixed(0),
  ];
}

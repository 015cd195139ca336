import { build } from "../scripts/lib/build.ts";
import { apiKey, codeId, workspaceId } from "../scripts/lib/seed.ts";
import { callLedger } from "./ledger-calls.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { LoadGenerator } from "./load/measure.ts";
import { cpuMicroseconds, untilIdle } from "./load/process-tree.ts";
import { Server } from "./load/server.ts";
import { type RollupSizes, type ShapeName, shapes, type TrafficCost } from "./workers/traffic-shapes.ts";

const fullSizes = { ledgers: [10_000, 1_000_000], rounds: 3, seconds: 3, traffic: 1, part: 10_000 };
const smokeSizes: typeof fullSizes = { ledgers: [1000], rounds: 1, seconds: 0.1, traffic: 0.002, part: 1000 };

const titles: Readonly<Record<ShapeName, string>> = {
  hotCode: "one code, 27 000 scans a day, 500 scans a message",
  manyCodes: "10 000 codes with ten scans a day each, one scan a message",
  manyCountries: "one code, 27 000 scans a day from 200 countries with ten cities each, one scan a message",
};

/** The number of days over which the reported scans are spread. */
const filledDays = 730;

const authorization = `Bearer ${apiKey}`;
const dimensions = "country,city,device,os,browser,referrer,hourOfWeek";
const year = "from=2100-01-01&to=2100-12-31&compare=previous&dimensions=";
const reports = [
  ["of a code", `/api/v1/qr/${codeId(1)}/analytics?${year}${dimensions}`],
  ["of the workspace", `/api/v1/analytics?${year}${dimensions},code`],
] as const;

/** Reports of a year compared with plain SQL, and the cost of recording and folding scans. */
export const analytics: Benchmark = {
  title: "Analytics",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const reportRows: string[][] = [];
    for (const scans of sizes.ledgers) reportRows.push(...(await measureReports(scans, sizes, smoke)));
    const costRows = await measureCosts(sizes, smoke);
    const reportHead = ["report", "scans", "rows read", "p50 ms", "p99 ms", "bare p50 ms", "ratio"];
    const costHead = [
      "traffic",
      "rows written per scan",
      "by recording",
      "by folding",
      "rows read per scan",
      "alarms per 1000 scans",
      "CPU µs/scan",
      "bytes of a code and day",
      "of the workspace and day",
    ];
    return (
      "The report of a year by day with all dimensions, compared with the previous year, through the API, with scans spread " +
      `evenly over both years, each by a different visitor. Median of ${sizes.rounds} rounds of ${sizes.seconds} s over one ` +
      "connection, beside a bare Worker whose Durable Object reads as many rows of the same size with plain SQL.\n\n" +
      `${table(reportHead, reportRows)}\n\n` +
      "One day of scans, after a first day that introduces codes and places. Every visitor scans twice. Rows include index " +
      "entries, the key-value storage and alarms. CPU is that of the server's process tree, excluding the queue.\n\n" +
      table(costHead, costRows)
    );
  },
};

async function measureReports(scans: number, sizes: typeof fullSizes, smoke: boolean): Promise<string[][]> {
  const placement = { pinned: !smoke };
  const script = await build("bench/workers/metered.ts");
  await using service = await Server.start("catalogue", { size: 1, scans: 0, script }, placement);
  await callLedger(service, workspaceId, "fill", [codeId(1), scans]);
  await using generator = new LoadGenerator(placement);
  const load = (server: Server, path: string) =>
    generator.measure(
      server,
      {
        requests: [{ method: "GET", path, headers: { authorization } }],
        connections: 1,
        seconds: sizes.seconds,
      },
      { expected: 200, awaitIdle: false },
    );
  const { codeDay } = await callLedger<RollupSizes>(service, workspaceId, "rollupSizes", [filledDays]);
  const rows: string[][] = [];
  for (const [title, path] of reports) {
    await load(service, path);
    const rowsRead = await callLedger<number>(service, workspaceId, "reportRows", []);
    const size = { size: rowsRead, rowBytes: Math.round((codeDay * filledDays) / rowsRead) };
    await using bare = await Server.start("rollups", size, placement);
    await load(bare, "/");
    const [own, base]: [number[][], number[]] = [[], []];
    for (let round = 1; round <= sizes.rounds; round += 1) {
      const { p50, p99 } = await load(service, path);
      own.push([p50, p99]);
      base.push((await load(bare, "/")).p50);
    }
    const p50 = median(own.map(([value = Number.NaN]) => value));
    const p99 = median(own.map(([, value = Number.NaN]) => value));
    const row = [
      `report ${title}`,
      String(scans),
      String(rowsRead),
      p50.toFixed(1),
      p99.toFixed(1),
      median(base).toFixed(1),
      `${(p50 / median(base)).toFixed(2)} ×`,
    ];
    console.log(row.join(" | "));
    rows.push(row);
  }
  return rows;
}

/** Each kind of traffic has its own ledger. */
async function measureCosts(sizes: typeof fullSizes, smoke: boolean): Promise<string[][]> {
  const script = await build("bench/workers/metered.ts");
  await using server = await Server.start("catalogue", { size: 1, scans: 0, script }, { pinned: !smoke });
  const rows: string[][] = [];
  for (const shape of Object.keys(shapes) as ShapeName[]) {
    rows.push(await measureCost(server, shape, sizes, smoke));
  }
  return rows;
}

async function measureCost(
  server: Server,
  shape: ShapeName,
  sizes: typeof fullSizes,
  smoke: boolean,
): Promise<string[]> {
  const day = Math.round(shapes[shape].scansPerDay * sizes.traffic);
  await record(server, shape, 0, day, sizes.part);
  if (!smoke) await untilIdle(server.pid);
  const before = cpuMicroseconds(server.pid);
  const cost = await record(server, shape, day, 2 * day, sizes.part);
  const cpu = (cpuMicroseconds(server.pid) - before) / day;
  const { codeDay, workspaceDay } = await callLedger<RollupSizes>(server, shape, "rollupSizes", [
    smoke ? 2 : 1,
  ]);
  const row = [
    titles[shape],
    ((cost.recordingRows + cost.alarmRows) / day).toFixed(3),
    (cost.recordingRows / day).toFixed(3),
    (cost.alarmRows / day).toFixed(3),
    (cost.rowsRead / day).toFixed(1),
    ((cost.alarms * 1000) / day).toFixed(2),
    cpu.toFixed(0),
    (codeDay ?? 0).toFixed(0),
    (workspaceDay ?? 0).toFixed(0),
  ];
  console.log(row.join(" | "));
  return row;
}

/** Records a range of a traffic's scans, with several requests. @returns the total cost */
async function record(server: Server, shape: ShapeName, from: number, to: number, part: number) {
  const sum = { recordingRows: 0, alarmRows: 0, rowsRead: 0, alarms: 0 };
  for (let at = from; at < to; at += part) {
    const cost = await callLedger<TrafficCost>(server, shape, "recordTraffic", [
      shape,
      at,
      Math.min(at + part, to),
    ]);
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += cost[key];
  }
  return sum;
}

import { setTimeout as delay } from "node:timers/promises";
import { buildService } from "../scripts/lib/build.ts";
import { apiKey, memberCookie, otherApiKey } from "../scripts/lib/seed.ts";
import { Client } from "./client.ts";
import { phone } from "./compare.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { quantile, table } from "./lib/results.ts";
import type { LoadRequest } from "./load/generator.ts";
import { LoadGenerator } from "./load/measure.ts";
import { untilIdle } from "./load/process-tree.ts";
import { Receiver } from "./load/receiver.ts";
import { Server } from "./load/server.ts";

const fullSizes = {
  samples: 150,
  floodSeconds: 5,
  floodConnections: [1, 16],
  closedScans: 100_000,
  hosts: 5000,
  rows: 10_000,
  jobs: 2,
  dryRuns: 3,
};
const smokeSizes: typeof fullSizes = {
  samples: 3,
  floodSeconds: 0.2,
  floodConnections: [1],
  closedScans: 10,
  hosts: 50,
  rows: 50,
  jobs: 1,
  dryRuns: 1,
};

/** Latencies in milliseconds. */
interface Samples {
  readonly create: number[];
  readonly firstScan: number[];
  readonly scan: number[];
  readonly deliver: number[];
}

const titles: Readonly<Record<keyof Samples, string>> = {
  create: "POST /qr",
  firstScan: "first scan of a code",
  scan: "scan of a known code",
  deliver: "POST /qr to its event's arrival",
};

/** One workspace's requests, alone and during a load in another workspace. */
export const isolation: Benchmark = {
  title: "One workspace beside another",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const placement = { pinned: false };
    await using receiver = await Receiver.start();
    await using service = await Server.start("service", { size: 0, script: await buildService() }, placement);
    await using generator = new LoadGenerator(placement);
    const quiet = new Client(service, apiKey, await memberCookie());
    const busy = new Client(service, otherApiKey, await memberCookie("other"));
    await quiet.createWebhook(`${receiver.origin}/healthy`);
    const flooded = await busy.createCode(0);

    /** Measures the quiet workspace, one request after another, until `isOver` or there are enough samples. */
    const sample = async (isOver = () => false): Promise<Samples> => {
      const samples: Samples = { create: [], firstScan: [], scan: [], deliver: [] };
      const created: { id: string; at: number }[] = [];
      while (created.length < sizes.samples && !(isOver() && created.length > 0)) {
        const at = performance.now();
        const { id, hash } = await quiet.createCode(created.length);
        const createdAt = performance.now();
        await quiet.scan(hash);
        const scannedAt = performance.now();
        await quiet.scan(hash);
        samples.create.push(createdAt - at);
        samples.firstScan.push(scannedAt - createdAt);
        samples.scan.push(performance.now() - scannedAt);
        created.push({ id, at });
      }
      await receiver.waitUntil(() => created.every(({ id }) => receiver.arrivedAt.has(id)));
      for (const { id, at } of created) {
        samples.deliver.push((receiver.arrivedAt.get(id) ?? Number.NaN) - at);
      }
      return samples;
    };

    const alone = async (): Promise<Samples> => {
      if (!smoke) await untilIdle(service.pid);
      await sample();
      return sample();
    };
    const beside = async <T>(load: Promise<T>): Promise<[Samples, T]> => {
      let isOver = false;
      const watched = load.finally(() => {
        isOver = true;
      });
      return Promise.all([sample(() => isOver), watched]);
    };
    const rows: string[][] = [];
    const report = (title: string, before: Samples, during: Samples) => {
      for (const key of Object.keys(titles) as (keyof Samples)[]) {
        const row = rowOf([title, titles[key]], before[key], during[key]);
        console.log(row.join(" | "));
        rows.push(row);
      }
    };

    for (const connections of sizes.floodConnections) {
      const before = await alone();
      const requests: LoadRequest[] = [
        { method: "GET", path: `/${flooded.hash}`, headers: { "user-agent": phone } },
      ];
      const load = { requests, connections, seconds: sizes.floodSeconds };
      const [during, flood] = await beside(
        generator.measure(service, load, { expected: 302, awaitIdle: false }),
      );
      report(`${flood.requestsPerSecond.toFixed(0)} scans/s, ${connections} at a time`, before, during);
    }

    const closed = await busy.createCode(1);
    await busy.pause(closed.id);
    const beforeClosed = await alone();
    let scans = 0;
    const floodClosed = async () => {
      const headers = { "user-agent": phone };
      const requests: LoadRequest[] = [{ method: "GET", path: `/${closed.hash}`, headers }];
      const load = {
        requests,
        connections: Math.max(...sizes.floodConnections),
        seconds: sizes.floodSeconds,
      };
      while (scans < sizes.closedScans) {
        const options = { expected: 404, awaitIdle: false };
        scans += (await generator.measure(service, load, options)).responses;
      }
    };
    const [besideClosed] = await beside(floodClosed());
    while ((await busy.closedScans(closed.id)) < scans) await delay(50);
    report(`${scans} scans of a paused code`, beforeClosed, besideClosed);

    await busy.createCodes(sizes.hosts);
    const beforeHosts = await alone();
    const [besideHosts] = await beside(busy.changeHosts("example.com", "elsewhere.example"));
    report(`a change of ${sizes.hosts} hosts`, beforeHosts, besideHosts);

    const beforeJobs = await alone();
    const runJobs = async () => {
      for (let job = 0; job < sizes.jobs; job += 1) await busy.createCodes(sizes.rows);
    };
    const [besideJobs] = await beside(runJobs());
    report(`bulk jobs of ${sizes.rows} rows`, beforeJobs, besideJobs);

    await busy.upsertCodes(sizes.rows, "one.example");
    const beforeUpsert = await alone();
    const [besideUpsert] = await beside(busy.upsertCodes(sizes.rows, "two.example"));
    report(`an upsert of ${sizes.rows} rows`, beforeUpsert, besideUpsert);

    const beforeDryRuns = await alone();
    const runDry = async () => {
      for (let run = 0; run < sizes.dryRuns; run += 1) {
        await busy.dryRunAsAgent("two.example", "three.example");
      }
    };
    const [besideDryRuns] = await beside(runDry());
    report(`an agent's dry runs over ${sizes.rows} codes`, beforeDryRuns, besideDryRuns);

    const beforeBacklog = await alone();
    await busy.createWebhook(`${receiver.origin}/hanging`);
    await busy.createCodes(sizes.rows);
    await receiver.waitUntil(() => receiver.hangingRequests > 0);
    // The job's routes are written to KV after its last code exists.
    if (!smoke) await untilIdle(service.pid, 15_000);
    report(`a hanging receiver with ${sizes.rows} deliveries`, beforeBacklog, await sample());

    return (
      `Requests of one workspace, one after the other, ${sizes.samples} rounds at most: alone, and beside a load in another ` +
      "workspace. One process serves both workspaces and simulates D1, KV and the queues on the same thread, on a machine " +
      "that also runs the load: what Cloudflare spreads over many machines is added up here.\n\n" +
      table(
        ["beside", "", "alone: p50", "p99", "beside: p50", "p99", "slowest", "samples", "p50, ratio"],
        rows,
      )
    );
  },
};

function rowOf(titles: readonly string[], alone: readonly number[], beside: readonly number[]): string[] {
  const [before, during] = [alone, beside].map((values) => {
    const sorted = values.toSorted((a, b) => a - b);
    return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), slowest: quantile(sorted, 1) };
  }) as [Summary, Summary];
  const times = [before.p50, before.p99, during.p50, during.p99, during.slowest];
  return [
    ...titles,
    ...times.map((time) => `${time.toFixed(1)} ms`),
    String(beside.length),
    `${(during.p50 / before.p50).toFixed(1)} ×`,
  ];
}

interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

import { build, buildEdge } from "../scripts/lib/build.ts";
import { median, table } from "./lib/results.ts";
import type { LoadRequest } from "./load/generator.ts";
import { LoadGenerator, type Measurement } from "./load/measure.ts";
import { Server, ServerGroup } from "./load/server.ts";
import type { ServerName } from "./servers.ts";

/** A server whose redirects are measured. */
export interface Target {
  readonly title: string;
  readonly server: ServerName;
  /** The entry to build, for servers that run a build of the service. */
  readonly entry?: string;
  /** Whether the Worker for scans is in front. */
  readonly edge?: true;
  readonly variables?: Readonly<Record<string, string>>;
  /** The host that is requested, if not the server's own. */
  readonly host?: string;
  /** GET when absent. */
  readonly method?: "HEAD";
}

interface RedirectCase {
  readonly connections: number;
  /** How many different hashes are requested. */
  readonly hashes: number;
}

export interface RedirectSizes {
  /** Seconds of load before each measurement, during it, and before the first one. */
  readonly warmUpSeconds: number;
  readonly measuredSeconds: number;
  readonly firstWarmUpSeconds: number;
  /** Rounds are interleaved, so that noise affects all targets equally. */
  readonly rounds: number;
  readonly cases: readonly RedirectCase[];
  /** A smoke run doesn't wait for deferred work, and its processes share cores. */
  readonly smoke: boolean;
}

export const hashes = 1000;

export const fullSizes: RedirectSizes = {
  firstWarmUpSeconds: 6,
  warmUpSeconds: 2,
  measuredSeconds: 3,
  rounds: 2,
  cases: [
    { connections: 16, hashes },
    { connections: 16, hashes: 1 },
    { connections: 1, hashes },
    { connections: 1, hashes: 1 },
  ],
  smoke: false,
};

export const smokeSizes: RedirectSizes = {
  firstWarmUpSeconds: 0,
  warmUpSeconds: 0.05,
  measuredSeconds: 0.1,
  rounds: 1,
  cases: [{ connections: 4, hashes: 10 }],
  smoke: true,
};

/** A phone's user agent, whose scans count as human. */
export const phone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/**
 * Loads all targets in turn, in every case and round.
 * @param targets by name
 * @param bases short titles of the targets that rates and CPU are compared with
 * @returns a Markdown table for each case
 */
export async function compareRedirects<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  bases: Readonly<Partial<Record<Name, string>>>,
  sizes: RedirectSizes,
): Promise<string> {
  const names = Object.keys(targets) as Name[];
  const size = Math.max(...sizes.cases.map((each) => each.hashes));
  await using servers = await startServers(Object.values<Target>(targets), size, sizes.smoke);
  await using generator = new LoadGenerator({ pinned: !sizes.smoke });
  const load = (name: Name, { connections, hashes: hashCount }: RedirectCase, seconds: number) => {
    const server = servers.get(serverKey(targets[name]));
    const { method = "GET", host } = targets[name];
    const headers = { "user-agent": phone, ...(host !== undefined && { host }) };
    const requests = server.paths.slice(0, hashCount).map((path): LoadRequest => ({ method, path, headers }));
    const expected = targets[name].server === "hostedPage" ? 200 : 302;
    return generator.measure(
      server,
      { requests, connections, seconds },
      { expected, awaitIdle: !sizes.smoke },
    );
  };

  if (sizes.firstWarmUpSeconds > 0) {
    for (const name of names) await load(name, { connections: 16, hashes: size }, sizes.firstWarmUpSeconds);
  }
  const measurements = sizes.cases.map(() => new Map<Name, Measurement[]>(names.map((name) => [name, []])));
  for (let round = 1; round <= sizes.rounds; round += 1) {
    for (const [i, options] of sizes.cases.entries()) {
      for (const name of names) {
        // Measures the steady state, with the routes in memory.
        await load(name, { ...options, connections: 16 }, sizes.warmUpSeconds);
        const result = await load(name, options, sizes.measuredSeconds);
        measurements[i]?.get(name)?.push(result);
        console.log(
          `round ${round}, ${options.connections} × ${options.hashes}, ${name}: ` +
            `${result.requestsPerSecond.toFixed(0)}/s, ${result.serverCpu.toFixed(0)} µs, ` +
            `load generator ${(result.generatorCpu * 100).toFixed(0)} % of its core`,
        );
      }
    }
  }
  if (!sizes.smoke) generator.assertNotSaturated();

  const tables = sizes.cases.map(({ connections, hashes: hashCount }, i) => {
    const results = measurements[i] ?? new Map<Name, Measurement[]>();
    const heading = `${count(connections, "connection")}, ${count(hashCount, "hash", "hashes")}:`;
    return `${heading}\n\n${ratioTable(targets, bases, results)}`;
  });
  return tables.join("\n\n");
}

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Targets with the same key share a server. */
const serverKey = ({ server, entry, edge, variables }: Target) =>
  JSON.stringify([server, entry, edge, variables]);

async function startServers(
  targets: readonly Target[],
  size: number,
  smoke: boolean,
): Promise<ServerGroup<string>> {
  const byKey = new Map(targets.map((target) => [serverKey(target), target]));
  return ServerGroup.start(
    [...byKey].map(([key, { server, entry, edge, variables = {} }]) => {
      const start = async () => {
        const script = entry === undefined ? {} : { script: await build(entry) };
        const inFront = edge === undefined ? {} : { edge: await buildEdge() };
        return Server.start(server, { size, variables, ...script, ...inFront }, { pinned: !smoke });
      };
      return [key, start] as const;
    }),
  );
}

function ratioTable<Name extends string>(
  targets: Readonly<Record<Name, Target>>,
  bases: Readonly<Partial<Record<Name, string>>>,
  results: ReadonlyMap<Name, readonly Measurement[]>,
): string {
  const medianOf = (name: Name, of: (result: Measurement) => number) =>
    median((results.get(name) ?? []).map(of));
  const rate = (name: Name) => medianOf(name, (result) => result.requestsPerSecond);
  const cpu = (name: Name) => medianOf(name, (result) => result.serverCpu);
  const baseNames = Object.keys(bases) as Name[];
  const rows = (Object.keys(targets) as Name[]).map((name) => [
    targets[name].title,
    rate(name).toFixed(0),
    medianOf(name, (result) => result.p50).toFixed(2),
    medianOf(name, (result) => result.p99).toFixed(2),
    cpu(name).toFixed(0),
    ...baseNames.flatMap((base) => [
      `${(rate(name) / rate(base)).toFixed(2)} ×`,
      `${(cpu(name) / cpu(base)).toFixed(2)} ×`,
    ]),
    `${(medianOf(name, (result) => result.generatorCpu) * 100).toFixed(0)} %`,
  ]);
  const ratios = baseNames.flatMap((base) => [`rate of ${bases[base]}`, `CPU of ${bases[base]}`]);
  const head = ["Worker", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", ...ratios, "generator's core"];
  return table(head, rows);
}

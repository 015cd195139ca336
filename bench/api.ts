import { deepStrictEqual } from "node:assert";
import type { Benchmark } from "./benchmark.ts";
import { buildService } from "./build.ts";
import { corePlacement } from "./load/cores.ts";
import type { LoadRequest } from "./load/generator.ts";
import { LoadGenerator, type Measurement } from "./load/measure.ts";
import { Server, ServerGroup } from "./load/server.ts";
import { median, table } from "./results.ts";
import { apiKey, codeId } from "./seed.ts";

const full = {
  codes: 21_000,
  connections: [1, 8],
  warmUp: 1,
  measured: 3,
  rounds: 2,
};
const smallest: typeof full = {
  codes: 200,
  connections: [2],
  warmUp: 0,
  measured: 0.1,
  rounds: 1,
};

/** Codes that requests go to: all of them have scans. */
const used = 100;
const ids = Array.from({ length: used }, (_, i) => codeId(i + 1));

interface Endpoint {
  readonly title: string;
  /** @param run different for every load, so that a change in it is none that was made before */
  requests(run: string): readonly Pick<LoadRequest, "method" | "path" | "body">[];
  readonly expected: number;
}

const get = (path: string) => ({ method: "GET", path: `/api/v1${path}` }) as const;
const data = (url: string) => ({ type: "url", url });

/** PATCH comes last: the changes it makes are left in the queue and the feeds. */
export const endpoints: readonly Endpoint[] = [
  { title: "GET /qr", requests: () => [get("/qr")], expected: 200 },
  { title: "GET /qr/{id}", requests: () => ids.map((id) => get(`/qr/${id}`)), expected: 200 },
  { title: "GET /qr/{id}/scans", requests: () => ids.map((id) => get(`/qr/${id}/scans`)), expected: 200 },
  { title: "GET /folders", requests: () => [get("/folders")], expected: 200 },
  {
    title: "POST /qr",
    requests: () => [
      {
        method: "POST",
        path: "/api/v1/qr",
        body: JSON.stringify({ qrType: "url", name: "A code", data: data("https://example.com/new") }),
      },
    ],
    expected: 201,
  },
  {
    title: "PATCH /qr/{id}",
    // Twice as many as codes, so that every request changes its code, however often the list is sent.
    requests: (run) =>
      ["a", "b"].flatMap((turn) =>
        ids.map((id) => ({
          method: "PATCH" as const,
          path: `/api/v1/qr/${id}`,
          body: JSON.stringify({ data: data(`https://example.com/${run}/${turn}`) }),
        })),
      ),
    expected: 200,
  },
];

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** The load of an endpoint. */
export const apiRequests = (endpoint: Endpoint, run: string): LoadRequest[] =>
  endpoint.requests(run).map((request) => ({ ...request, headers }));

type Side = "service" | "bare";
const sides: readonly Side[] = ["service", "bare"];

/** The service beside a bare Worker that makes the same hops. */
export const api: Benchmark = {
  title: "API",
  async run({ smoke }) {
    const sizes = smoke ? smallest : full;
    const placement = { pinned: !smoke };
    const script = await buildService();
    await using servers = await ServerGroup.start<Side>([
      ["service", () => Server.start("catalogue", { size: sizes.codes, script }, placement)],
      ["bare", () => Server.start("bareApi", { size: sizes.codes }, placement)],
    ]);
    await assertSameAnswers(servers);
    await using generator = new LoadGenerator(placement);

    let runs = 0;
    const load = (side: Side, endpoint: Endpoint, connections: number, seconds: number) => {
      runs += 1;
      return generator.measure(
        servers.get(side),
        { requests: apiRequests(endpoint, String(runs)), connections, seconds },
        { expected: endpoint.expected, settle: !smoke },
      );
    };
    const rows: string[][] = [];
    for (const endpoint of endpoints) {
      for (const connections of sizes.connections) {
        const results: Record<Side, Measurement[]> = { service: [], bare: [] };
        for (let round = 1; round <= sizes.rounds; round += 1) {
          for (const side of sides) {
            if (sizes.warmUp > 0) await load(side, endpoint, connections, sizes.warmUp);
            results[side].push(await load(side, endpoint, connections, sizes.measured));
          }
        }
        const row = rowOf(endpoint.title, connections, results);
        console.log(row.join(" | "));
        rows.push(row);
      }
    }
    if (!smoke) generator.assertLight();
    const both = (what: string) => [`${what}, service`, "bare"];
    const head = [
      "",
      "connections",
      ...both("ms"),
      ...both("requests/s"),
      ...both("CPU µs/request"),
      "CPU of bare",
    ];
    return (
      `${sizes.codes} codes, median of ${sizes.rounds} interleaved rounds of ${sizes.measured} s, beside a bare Worker ` +
      "with the same hops: one call of a counter object, the same D1 statements, for scans a second object, for POST a " +
      "KV put, for PATCH, of the destination, a KV put, nine objects and a queue. The route repair that follows a PATCH 15 s later is left " +
      `out on both sides. ${corePlacement} CPU is that of the server's whole process tree until it is at rest again.\n\n` +
      table(head, rows)
    );
  },
};

function rowOf(title: string, connections: number, results: Readonly<Record<Side, Measurement[]>>): string[] {
  const each = (of: (result: Measurement) => number) => sides.map((side) => median(results[side].map(of)));
  const cpu = each((result) => result.serverCpu);
  const [service = Number.NaN, bare = Number.NaN] = cpu;
  return [
    title,
    String(connections),
    ...each((result) => result.mean).map((value) => value.toFixed(2)),
    ...each((result) => result.requestsPerSecond).map((value) => value.toFixed(0)),
    ...cpu.map((value) => value.toFixed(0)),
    `${(service / bare).toFixed(2)} ×`,
  ];
}

/** @throws where the bare Worker answers a GET otherwise than the service: it would then do other work */
async function assertSameAnswers(servers: ServerGroup<Side>): Promise<void> {
  for (const endpoint of endpoints) {
    const [request] = apiRequests(endpoint, "");
    if (request?.method !== "GET") continue;
    const [service, bare] = await Promise.all(
      sides.map(async (side) => {
        const response = await fetch(`${servers.get(side).origin}${request.path}`, { headers });
        // The cursor is the service's own.
        const { nextCursor, ...body } = (await response.json()) as { nextCursor?: string };
        return { ...body, more: typeof nextCursor === "string" };
      }),
    );
    deepStrictEqual(bare, service, `${endpoint.title} is answered otherwise by the bare Worker`);
  }
}

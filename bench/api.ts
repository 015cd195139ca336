import { deepStrictEqual } from "node:assert";
import { buildService } from "../scripts/lib/build.ts";
import { apiKey, codeId } from "../scripts/lib/seed.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { corePlacement } from "./load/cores.ts";
import type { LoadRequest } from "./load/generator.ts";
import { LoadGenerator, type Measurement } from "./load/measure.ts";
import { Server, ServerGroup } from "./load/server.ts";

const fullSizes = {
  codes: 21_000,
  connections: [1, 8],
  warmUpSeconds: 1,
  measuredSeconds: 3,
  rounds: 2,
};
const smokeSizes: typeof fullSizes = {
  codes: 200,
  connections: [2],
  warmUpSeconds: 0,
  measuredSeconds: 0.1,
  rounds: 1,
};

/** How many codes are requested. All of them have scans. */
const requestedCodes = 100;
const ids = Array.from({ length: requestedCodes }, (_, i) => codeId(i + 1));

interface Endpoint {
  readonly title: string;
  /** @param run unique to each load, so that its PATCH requests set new values */
  requests(run: string): readonly Pick<LoadRequest, "method" | "path" | "body">[];
  /** The status of every response. */
  readonly expected: number;
}

const get = (path: string) => ({ method: "GET", path: `/api/v1${path}` }) as const;
const data = (url: string) => ({ type: "url", url });

/** Two requests per code, so that each one changes its code even if the list is repeated. */
const changing = (bodyOf: (value: string) => object) => (run: string) =>
  ["a", "b"].flatMap((variant) =>
    ids.map((id) => ({
      method: "PATCH" as const,
      path: `/api/v1/qr/${id}`,
      body: JSON.stringify(bodyOf(`${run}/${variant}`)),
    })),
  );

/** A change that scans don't depend on. */
const renaming: Endpoint = {
  title: "PATCH /qr/{id}, its name",
  requests: changing((value) => ({ name: `Code ${value}` })),
  expected: 200,
};

/** PATCH of a destination comes last, because its changes stay in the queue and the feeds. */
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
  renaming,
  {
    title: "PATCH /qr/{id}, its destination",
    requests: changing((value) => ({ data: data(`https://example.com/${value}`) })),
    expected: 200,
  },
];

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** Returns the requests of an endpoint's load. @param run unique to each load */
export const apiRequests = (endpoint: Endpoint, run: string): LoadRequest[] =>
  endpoint.requests(run).map((request) => ({ ...request, headers }));

type Side = "service" | "bare";
const sides: readonly Side[] = ["service", "bare"];

/** The service compared with a bare Worker that makes the same calls and statements. */
export const api: Benchmark = {
  title: "API",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const placement = { pinned: !smoke };
    const script = await buildService();
    await using servers = await ServerGroup.start<Side>([
      ["service", () => Server.start("catalogue", { size: sizes.codes, script }, placement)],
      ["bare", () => Server.start("bareApi", { size: sizes.codes }, placement)],
    ]);
    await assertSameResponses(servers);
    await using generator = new LoadGenerator(placement);

    let runs = 0;
    const load = (side: Side, endpoint: Endpoint, connections: number, seconds: number) => {
      runs += 1;
      return generator.measure(
        servers.get(side),
        { requests: apiRequests(endpoint, String(runs)), connections, seconds },
        { expected: endpoint.expected, awaitIdle: !smoke },
      );
    };
    const rows: string[][] = [];
    for (const endpoint of endpoints) {
      for (const connections of sizes.connections) {
        const results: Record<Side, Measurement[]> = { service: [], bare: [] };
        for (let round = 1; round <= sizes.rounds; round += 1) {
          for (const side of sides) {
            if (sizes.warmUpSeconds > 0) await load(side, endpoint, connections, sizes.warmUpSeconds);
            results[side].push(await load(side, endpoint, connections, sizes.measuredSeconds));
          }
        }
        const row = rowOf(endpoint.title, connections, results);
        console.log(row.join(" | "));
        rows.push(row);
      }
    }
    if (!smoke) generator.assertNotSaturated();
    const bothSides = (quantity: string) => [`${quantity}, service`, "bare"];
    const head = [
      "",
      "connections",
      ...bothSides("ms"),
      ...bothSides("requests/s"),
      ...bothSides("CPU µs/request"),
      "CPU ratio",
    ];
    return (
      `${sizes.codes} codes, median of ${sizes.rounds} interleaved rounds of ${sizes.measuredSeconds} s, compared with a bare ` +
      "Worker that makes the same calls: one counter object and the same D1 statements, for scans a second object, for POST a " +
      "KV put, for PATCH of the destination a KV put, nine objects and a queue. On both sides, the route repairs that " +
      `follow a PATCH after 15 s do not run. ${corePlacement} CPU is that of the server's whole process tree until it is ` +
      "idle again.\n\n" +
      table(head, rows)
    );
  },
};

function rowOf(title: string, connections: number, results: Readonly<Record<Side, Measurement[]>>): string[] {
  const mediansOf = (of: (result: Measurement) => number) =>
    sides.map((side) => median(results[side].map(of)));
  const cpu = mediansOf((result) => result.serverCpu);
  const [service = Number.NaN, bare = Number.NaN] = cpu;
  return [
    title,
    String(connections),
    ...mediansOf((result) => result.mean).map((value) => value.toFixed(2)),
    ...mediansOf((result) => result.requestsPerSecond).map((value) => value.toFixed(0)),
    ...cpu.map((value) => value.toFixed(0)),
    `${(service / bare).toFixed(2)} ×`,
  ];
}

/** @throws if the bare Worker's response to a GET differs from the service's, since its work would differ as well */
async function assertSameResponses(servers: ServerGroup<Side>): Promise<void> {
  for (const endpoint of endpoints) {
    const [request] = apiRequests(endpoint, "");
    if (request?.method !== "GET") continue;
    const [service, bare] = await Promise.all(
      sides.map(async (side) => {
        const response = await fetch(`${servers.get(side).origin}${request.path}`, { headers });
        // Only the presence of a cursor is compared, because their formats differ.
        const { nextCursor, ...body } = (await response.json()) as { nextCursor?: string };
        return { ...body, hasMore: typeof nextCursor === "string" };
      }),
    );
    deepStrictEqual(bare, service, `${endpoint.title} has a different response from the bare Worker`);
  }
}

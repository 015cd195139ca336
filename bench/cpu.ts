import { build } from "../scripts/lib/build.ts";
import { apiKey, codeId, memberCookie } from "../scripts/lib/seed.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import type { LoadRequest } from "./load/generator.ts";
import { cpuMicroseconds, untilIdle } from "./load/process-tree.ts";
import { Server } from "./load/server.ts";

const fullSizes = { codes: 100, scans: 10_000, warmUp: 30, batches: 5, requests: 10 };
const smokeSizes: typeof fullSizes = { codes: 5, scans: 50, warmUp: 1, batches: 1, requests: 2 };

interface Target {
  readonly title: string;
  readonly expected: number;
  /** @param n different for each request */
  readonly request: (n: number) => LoadRequest;
}

/** Returns the measured requests: pages of the dashboard, the API's most frequent requests, and the sweep. */
async function targets(): Promise<Target[]> {
  const cookie = await memberCookie();
  const page = (title: string, path: string): Target => ({
    title,
    expected: 200,
    request: () => ({ method: "GET", path: `/dashboard${path}`, headers: { cookie } }),
  });
  const api = (
    method: LoadRequest["method"],
    path: string,
    expected: number,
    body?: (n: number) => object,
  ) => ({
    title: `${method} ${path.replace(codeId(1), "{id}")}`,
    expected,
    request: (n: number): LoadRequest => ({
      ...{ method, path: `/api/v1${path}` },
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body(n)) }),
    }),
  });
  const data = (n: number) => ({ type: "url", url: `https://example.com/${n}` });
  return [
    { title: "no binding (/healthz)", expected: 200, request: () => ({ method: "GET", path: "/healthz" }) },
    { title: "sweep without work", expected: 200, request: () => ({ method: "GET", path: "/bench/sweep" }) },
    api("GET", "/qr", 200),
    api("POST", "/qr", 201, (n) => ({ qrType: "url", data: data(n) })),
    api("PATCH", `/qr/${codeId(1)}`, 200, (n) => ({ data: data(n) })),
    page("overview", ""),
    page("list of codes", "/codes"),
    page("new code", "/codes/new"),
    page("a code", `/codes/${codeId(1)}`),
    page("edit a code", `/codes/${codeId(1)}/edit`),
    page("tags", "/tags"),
    page("folders", "/folders"),
    page("pages", "/pages"),
    page("new page", "/pages/new"),
    page("templates", "/templates"),
    page("new template", "/templates/new"),
    page("jobs", "/jobs"),
    page("import", "/codes/import"),
    page("developer", "/developer"),
    page("settings", "/settings"),
    page("brand", "/settings/brand"),
  ];
}

/** CPU time beside the 10 ms that Cloudflare's Free plan allows. */
export const cpu: Benchmark = {
  title: "CPU per request",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const script = await build("bench/workers/sweeping.ts");
    const start = () =>
      Server.start("catalogue", { size: sizes.codes, scans: sizes.scans, script }, { pinned: !smoke });
    await using warm = await start();
    const rows: string[][] = [];
    for (const target of await targets()) {
      // A server of its own, in which nothing is loaded yet.
      await using cold = await start();
      const first = await measure(cold, target, 0, 1);
      await measure(warm, target, 0, sizes.warmUp);
      const batches: number[] = [];
      for (let from = sizes.warmUp; batches.length < sizes.batches; from += sizes.requests) {
        batches.push(await measure(warm, target, from, sizes.requests));
      }
      const row = [target.title, first.toFixed(0), median(batches).toFixed(1)];
      console.log(row.join(" | "));
      rows.push(row);
    }
    return (
      `CPU of the server's whole process tree until it is idle again, median of ${sizes.batches} batches of ` +
      `${sizes.requests} requests one after the other, after ${sizes.warmUp}, with ${sizes.codes} codes and ` +
      `${sizes.scans} scans. It includes the HTTP server, and D1, KV, queues and Durable Objects, which Cloudflare ` +
      "doesn't count towards the Worker's CPU time: the first row is the part without any. The first request of an isolate " +
      "loads its part of the script.\n\n" +
      table(["", "first request, ms", "later ones, ms"], rows)
    );
  },
};

/** Returns the CPU time of each request in milliseconds, with what continues after the response. */
async function measure(server: Server, target: Target, from: number, requests: number): Promise<number> {
  await untilIdle(server.pid);
  const before = cpuMicroseconds(server.pid);
  await send(server, target, from, requests);
  await untilIdle(server.pid);
  return (cpuMicroseconds(server.pid) - before) / requests / 1000;
}

async function send(server: Server, { title, request, expected }: Target, from: number, requests: number) {
  for (let n = from; n < from + requests; n += 1) {
    const { path, ...init } = request(n);
    const response = await fetch(server.origin + path, { ...init, redirect: "manual" });
    await response.arrayBuffer();
    if (response.status !== expected) throw new Error(`${title} answered ${response.status}`);
  }
}

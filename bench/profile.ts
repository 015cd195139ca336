import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build } from "../scripts/lib/build.ts";
import { apiRequests, endpoints } from "./api.ts";
import { table } from "./lib/results.ts";
import { type CpuProfile, ranModules, type Share, selfTimes } from "./load/cpu-profile.ts";
import { Inspector } from "./load/inspector.ts";
import { LoadGenerator } from "./load/measure.ts";
import { Server } from "./load/server.ts";

// `profile.ts redirect|api [--endpoint 'GET /qr/{id}'] [--seconds 5] [--connections 16] [--isolate core:user]` profiles
// an isolate of the service under load. Prints the functions and lines with the most self time, and writes profiles for
// a browser's developer tools. The build is not minified, to keep names.
const { values, positionals } = parseArgs({
  options: {
    endpoint: { type: "string" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "16" },
    isolate: { type: "string", default: "core:user" },
  },
  allowPositionals: true,
});
const placement = { pinned: true };
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const titles = endpoints.map(({ title }) => title).join("; ");
const [subject] = positionals;
if (subject === "redirect") await profileRedirect();
else if (subject === "api") await profileApi();
else {
  console.error(`Usage: profile.ts redirect|api [options]. Endpoints: ${titles}`);
  process.exitCode = 2;
}

async function profileRedirect(): Promise<void> {
  const script = await build("src/index.ts", { readable: true });
  await using server = await Server.start("service", { size: 1000, script, inspector: true }, placement);
  await using generator = new LoadGenerator(placement);
  const requests = server.paths.map((path) => ({ method: "GET", path }) as const);
  const load = (time: number) =>
    generator.measure(server, { requests, connections, seconds: time }, { expected: 302, awaitIdle: false });
  await load(3);
  report("redirect", script, await profile(server, () => load(seconds)));
}

async function profileApi(): Promise<void> {
  const chosen = endpoints.filter(({ title }) => values.endpoint === undefined || title === values.endpoint);
  if (chosen.length === 0)
    throw new Error(`unknown endpoint ${values.endpoint}; the endpoints are ${titles}`);
  const script = await build("src/index.ts", { readable: true });
  await using server = await Server.start("catalogue", { size: 21_000, script, inspector: true }, placement);
  await using generator = new LoadGenerator(placement);
  for (const endpoint of chosen) {
    const load = (run: string, time: number) =>
      generator.measure(
        server,
        { requests: apiRequests(endpoint, run), connections, seconds: time },
        { expected: endpoint.expected, awaitIdle: false },
      );
    await load("warm-up", 1);
    report(endpoint.title, script, await profile(server, () => load("profiled", seconds)));
  }
}

async function profile(server: Server, load: () => Promise<unknown>): Promise<CpuProfile> {
  using inspector = await Inspector.attach(server.inspector ?? "", values.isolate);
  await inspector.start();
  await load();
  // Awaited, because returning detaches the debugger.
  return await inspector.stop();
}

function report(title: string, script: string, cpuProfile: CpuProfile): void {
  const file = `dist/bench/${title.toLowerCase().replace(/[^a-z]+/g, "-")}.cpuprofile`;
  writeFileSync(file, JSON.stringify(cpuProfile));
  const { busy, functions, lines } = selfTimes(cpuProfile, script);
  const list = (head: string, shares: readonly Share[]) =>
    table(
      ["self", head, "module (line of the build)"],
      shares.map(({ label, place, share }) => [`${(share * 100).toFixed(1)} %`, label, place]),
    );
  console.log(
    `\n## ${title}\n\nBusy ${(busy * 100).toFixed(0)} % of the time; shares are of that. ${file}\n`,
  );
  const modules = ranModules(cpuProfile, script);
  console.log(`${modules.length} modules of src/ on the sampled stacks: ${modules.join(", ")}\n`);
  console.log(`${list("function", functions.slice(0, 40))}\n\n${list("line", lines.slice(0, 25))}`);
}

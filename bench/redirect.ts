import { build } from "./build.ts";
import { type Measurement, measure, type Server, spawnServer, stopServer } from "./load.ts";
import { median, table, writeSection } from "./results.ts";

const hashes = 1000;
const warmUpSeconds = 6;
const seconds = 3;
const rounds = 2;
const cases = [
  { connections: 16, hashes },
  { connections: 16, hashes: 1 },
  { connections: 1, hashes },
  { connections: 1, hashes: 1 },
] as const;

const titles = {
  constant: "(a) constant 302",
  kv: "(b) one KV read",
  d1: "(c) one D1 read",
  service: "(d) the service, recording",
  hostedPage: "(e) the service, a hosted page with a form",
};
type Compared = keyof typeof titles;
const serverNames = Object.keys(titles) as Compared[];

build("src/index.ts", "dist");
const servers: (Server & { name: Compared })[] = [];
for (const [i, name] of serverNames.entries()) {
  servers.push({ ...(await spawnServer(name, 8950 + i, hashes)), name });
}
for (const server of servers) await measure(server, { connections: 16, hashes, seconds: warmUpSeconds });

/** By case, then by server: every round's measurement. Rounds are interleaved, so that noise meets all alike. */
const measured = cases.map(() => new Map<Compared, Measurement[]>(serverNames.map((name) => [name, []])));
for (let round = 1; round <= rounds; round += 1) {
  for (const [i, options] of cases.entries()) {
    for (const server of servers) {
      // What is measured is the steady state: routes that have been asked for lately are in memory.
      await measure(server, { ...options, connections: 16, seconds: 2 });
      const result = await measure(server, { ...options, seconds });
      measured[i]?.get(server.name)?.push(result);
      console.log(
        `round ${round}, ${options.connections} × ${options.hashes}, ${server.name}: ` +
          `${result.requestsPerSecond.toFixed(0)}/s, ${result.cpu.toFixed(0)} µs`,
      );
    }
  }
}
for (const server of servers) await stopServer(server);

const middle = (results: Measurement[] | undefined, of: (result: Measurement) => number) =>
  median((results ?? []).map(of));

const tables = cases.map(({ connections, hashes: used }, i) => {
  const results = measured[i];
  const rate = (name: Compared) => middle(results?.get(name), (result) => result.requestsPerSecond);
  const rows = serverNames.map((name) => {
    const own = results?.get(name);
    return [
      titles[name],
      rate(name).toFixed(0),
      middle(own, (result) => result.p50).toFixed(0),
      middle(own, (result) => result.p99).toFixed(0),
      middle(own, (result) => result.cpu).toFixed(0),
      `${(rate(name) / rate("constant")).toFixed(2)} ×`,
      `${(rate(name) / rate("kv")).toFixed(2)} ×`,
    ];
  });
  const head = ["Worker", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "of (a)", "of (b)"];
  return `${connections} connections, ${used} ${used === 1 ? "hash" : "hashes"}:\n\n${table(head, rows)}`;
});

writeSection(
  "Redirect",
  `Median of ${rounds} interleaved rounds of ${seconds} s, each after 2 s of warm-up. CPU is that of the server's whole process tree, from ` +
    "/proc, until it is at rest again: queue, consumer and ledger included.\n\n" +
    tables.join("\n\n"),
);

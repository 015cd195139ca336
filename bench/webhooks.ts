import { createServer } from "node:http";
import { build } from "./build.ts";
import { spawnServer, stopServer } from "./load.ts";
import { median, table, writeSection } from "./results.ts";
import { apiKey, memberCookie, origin } from "./seed.ts";

const backlog = 10_000;
const samples = 100;

/** When each code's event reached the healthy receiver, by the code's id. */
const arrived = new Map<string, number>();
let hanging = 0;
const receiver = createServer((request, response) => {
  if (request.url === "/hanging") {
    hanging += 1;
    return;
  }
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    arrived.set((JSON.parse(body) as { data: { id: string } }).data.id, performance.now());
    response.end();
  });
}).listen(8985, "127.0.0.1");

build("src/index.ts", "dist");
const service = await spawnServer("service", 8984, 0);
const cookie = await memberCookie();

async function send(path: string, body: object, headers: Record<string, string>): Promise<{ id: string }> {
  const response = await fetch(`${service.origin}/api/v1${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string };
}

const withKey = { authorization: `Bearer ${apiKey}` };
const webhook = (path: string, events: string[]) =>
  send("/developer/webhooks", { url: `http://127.0.0.1:8985${path}`, events }, { cookie, origin });
const code = (i: number) => ({ qrType: "url", data: { type: "url", url: `https://example.com/${i}` } });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Creates codes one after the other. @returns milliseconds from each request to its event's arrival */
async function latencies(): Promise<number[]> {
  const sent: { id: string; at: number }[] = [];
  for (let i = 0; i < samples; i += 1) {
    const at = performance.now();
    sent.push({ id: (await send("/qr", code(i), withKey)).id, at });
    await pause(200);
  }
  const end = performance.now() + 60_000;
  while (sent.some(({ id }) => !arrived.has(id)) && performance.now() < end) await pause(50);
  return sent.map(({ id, at }) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - at).sort((a, b) => a - b);
}

const quantile = (values: number[], part: number) =>
  values[Math.ceil(values.length * part) - 1] ?? Number.NaN;
await webhook("/healthy", ["qr.created"]);
const alone = await latencies();
await webhook("/hanging", ["qr.created"]);
// The backlog comes with a bulk job, whose codes are events for both.
await send("/qr/bulk", { items: Array.from({ length: backlog }, (_, i) => code(i)) }, withKey);
const drained = performance.now() + 120_000;
while (arrived.size < samples + backlog && performance.now() < drained) await pause(200);
const beside = await latencies();

await stopServer(service);
receiver.closeAllConnections();
receiver.close();

const row = (title: string, values: number[]) => [
  title,
  `${median(values).toFixed(0)} ms`,
  `${quantile(values, 0.95).toFixed(0)} ms`,
  `${quantile(values, 1).toFixed(0)} ms`,
];
writeSection(
  "Webhooks",
  `From a request that creates a code to the arrival of its qr.created at a receiver, ${samples} times: alone, and beside ` +
    `a receiver that never answers and has ${backlog} deliveries waiting (it was tried ${hanging} times meanwhile).\n\n` +
    table(["", "p50", "p95", "slowest"], [row("alone", alone), row("beside one that hangs", beside)]),
);

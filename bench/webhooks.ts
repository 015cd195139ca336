import { setTimeout as delay } from "node:timers/promises";
import { buildService } from "../scripts/lib/build.ts";
import { apiKey, memberCookie, otherApiKey } from "../scripts/lib/seed.ts";
import { Client } from "./client.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, quantile, table } from "./lib/results.ts";
import { cpuMicroseconds, untilIdle } from "./load/process-tree.ts";
import { Receiver } from "./load/receiver.ts";
import { Server } from "./load/server.ts";

/** As many as the largest plan allows. */
const most = 50;

const fullSizes = { backlog: 10_000, samples: 100, pause: 200, deliveries: 5000, events: 500 };
const smokeSizes: typeof fullSizes = { backlog: 50, samples: 3, pause: 0, deliveries: 50, events: 2 };

/** How soon events arrive, alone and beside hanging receivers, and their cost with many webhooks. */
export const webhooks: Benchmark = {
  title: "Webhooks",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    return `${await besideHanging(sizes)}\n${await besideOthers(sizes, smoke)}`;
  },
};

/** A server with a receiver, and clients of two workspaces. */
class Setting implements AsyncDisposable {
  readonly receiver: Receiver;
  readonly service: Server;
  readonly client: Client;
  readonly other: Client;

  private constructor(receiver: Receiver, service: Server, cookies: { first: string; other: string }) {
    this.receiver = receiver;
    this.service = service;
    this.client = new Client(service, apiKey, cookies.first);
    this.other = new Client(service, otherApiKey, cookies.other);
  }

  static async start(): Promise<Setting> {
    const cookies = { first: await memberCookie(), other: await memberCookie("other") };
    const service = await Server.start(
      "service",
      { size: 0, script: await buildService() },
      { pinned: false },
    );
    return new Setting(await Receiver.start(), service, cookies);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
    await this.receiver[Symbol.asyncDispose]();
  }
}

/** Measures the time from a request that creates a code to its event's arrival at a receiver. */
async function besideHanging({ samples, pause, backlog }: typeof fullSizes): Promise<string> {
  await using setting = await Setting.start();
  const { receiver, client, other } = setting;

  /** Creates codes one after another. @returns milliseconds from each request to its event's arrival, ascending */
  const latencies = async () => {
    const sent: { id: string; at: number }[] = [];
    for (let i = 0; i < samples; i += 1) {
      const at = performance.now();
      const { id } = await client.createCode(i);
      sent.push({ id, at });
      await delay(pause);
    }
    await receiver.waitUntil(() => sent.every(({ id }) => receiver.arrivedAt.has(id)));
    return sent.map(({ id, at }) => (receiver.arrivedAt.get(id) ?? Number.NaN) - at).sort((a, b) => a - b);
  };

  await client.createWebhook(`${receiver.origin}/healthy`);
  const alone = await latencies();
  await client.createWebhook(`${receiver.origin}/hanging`);
  // The bulk job's codes are events for both webhooks, which fills the second one's backlog.
  await client.createCodes(backlog);
  await receiver.waitUntil(() => receiver.arrivedAt.size >= samples + backlog);
  const besideOne = await latencies();
  const attempts = receiver.hangingRequests;
  for (let i = 0; i < most; i += 1) await other.createWebhook(`${receiver.origin}/hanging`);
  await other.createCodes(backlog / most);
  const besideMany = await latencies();

  const row = (title: string, values: readonly number[]) => [
    title,
    `${median(values).toFixed(0)} ms`,
    `${quantile(values, 0.95).toFixed(0)} ms`,
    `${quantile(values, 1).toFixed(0)} ms`,
  ];
  return (
    `Time from a request that creates a code to the arrival of its qr.created event at a receiver, ${samples} ` +
    `times: alone; beside a second receiver that never answers and has a backlog of ${backlog} deliveries (with ` +
    `${attempts} attempts in that time); and, besides, while another workspace sends ${backlog} deliveries to ${most} ` +
    `webhooks whose receivers never answer (with ${receiver.hangingRequests - attempts} attempts in that time).\n\n` +
    table(
      ["", "p50", "p95", "slowest"],
      [
        row("alone", alone),
        row("beside a hanging receiver", besideOne),
        row(`beside ${most} of another workspace`, besideMany),
      ],
    )
  );
}

/** Measures the cost per delivery in a workspace with many webhooks. */
async function besideOthers({ deliveries, events }: typeof fullSizes, smoke: boolean): Promise<string> {
  const cases = [
    { webhooks: 1, codes: deliveries },
    { webhooks: 10, codes: deliveries / 10 },
    { webhooks: most, codes: deliveries / most },
    { webhooks: most, codes: events },
  ];
  const rows: string[][] = [];
  for (const { webhooks, codes } of cases) {
    await using setting = await Setting.start();
    const { receiver, client, service } = setting;
    for (let i = 0; i < webhooks; i += 1) await client.createWebhook(`${receiver.origin}/healthy`);
    if (!smoke) await untilIdle(service.pid);
    const before = cpuMicroseconds(service.pid);
    const startedAt = performance.now();
    await client.createCodes(codes);
    await receiver.waitUntil(() => receiver.deliveries >= codes * webhooks);
    const seconds = (performance.now() - startedAt) / 1000;
    if (!smoke) await untilIdle(service.pid);
    const cpu = (cpuMicroseconds(service.pid) - before) / 1000 / (codes * webhooks);
    console.log(`${webhooks} webhooks, ${codes} events: ${seconds.toFixed(1)} s, ${cpu.toFixed(2)} ms`);
    rows.push([
      `${webhooks}`,
      `${codes}`,
      `${codes * webhooks}`,
      `${seconds.toFixed(1)} s`,
      `${cpu.toFixed(1)} ms`,
    ]);
  }
  return (
    "Events of a bulk job, from its POST until the last has arrived at every webhook. CPU is that of the server's whole " +
    "process tree, from /proc, until it is idle again, by delivery; it includes the creation of the codes.\n\n" +
    table(["webhooks", "events", "deliveries", "POST to the last arrival", "CPU by delivery"], rows)
  );
}

import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark } from "./benchmark.ts";
import { buildService } from "./build.ts";
import { Client } from "./client.ts";
import { Receiver } from "./load/receiver.ts";
import { Server } from "./load/server.ts";
import { median, quantile, table } from "./results.ts";
import { apiKey, memberCookie } from "./seed.ts";

/** The time from a request that creates a code to its event's arrival at a receiver. */
export const webhooks: Benchmark = {
  title: "Webhooks",
  async run({ smoke }) {
    const sizes = smoke
      ? { backlog: 20, samples: 3, pause: 0 }
      : { backlog: 10_000, samples: 100, pause: 200 };
    const placement = { pinned: false };
    await using receiver = await Receiver.start();
    await using service = await Server.start("service", { size: 0, script: await buildService() }, placement);
    const client = new Client(service, apiKey, await memberCookie());

    /** Creates codes one after another. @returns milliseconds from each request to its event's arrival, ascending */
    const latencies = async () => {
      const sent: { id: string; at: number }[] = [];
      for (let i = 0; i < sizes.samples; i += 1) {
        const at = performance.now();
        const { id } = await client.createCode(i);
        sent.push({ id, at });
        await delay(sizes.pause);
      }
      await receiver.waitUntil(() => sent.every(({ id }) => receiver.arrivedAt.has(id)));
      return sent.map(({ id, at }) => (receiver.arrivedAt.get(id) ?? Number.NaN) - at).sort((a, b) => a - b);
    };

    await client.createWebhook(`${receiver.origin}/healthy`);
    const alone = await latencies();
    await client.createWebhook(`${receiver.origin}/hanging`);
    // The codes of a bulk job are events for both webhooks, and so make the second one's backlog.
    await client.createCodes(sizes.backlog);
    await receiver.waitUntil(() => receiver.arrivedAt.size >= sizes.samples + sizes.backlog);
    const besideHanging = await latencies();

    const row = (title: string, values: readonly number[]) => [
      title,
      `${median(values).toFixed(0)} ms`,
      `${quantile(values, 0.95).toFixed(0)} ms`,
      `${quantile(values, 1).toFixed(0)} ms`,
    ];
    return (
      `Time from a request that creates a code to the arrival of its qr.created event at a receiver, ${sizes.samples} ` +
      `times: alone, and beside a second receiver that never answers and has a backlog of ${sizes.backlog} deliveries (with ` +
      `${receiver.hangingRequests} attempts in that time).\n\n` +
      table(
        ["", "p50", "p95", "slowest"],
        [row("alone", alone), row("beside a hanging receiver", besideHanging)],
      )
    );
  },
};

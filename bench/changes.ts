import type { Benchmark } from "./benchmark.ts";
import { buildService } from "../scripts/lib/build.ts";
import { Server } from "./load/server.ts";
import { median, table } from "./results.ts";
import { apiKey, codeId } from "../scripts/lib/seed.ts";

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** PATCH requests of one code at once, compared with as many of different codes. */
export const changes: Benchmark = {
  title: "Changes at once",
  async run({ smoke }) {
    const sizes = smoke ? { requests: [4], rounds: 1 } : { requests: [60, 200], rounds: 5 };
    const placement = { pinned: false };
    const script = await buildService();
    await using service = await Server.start("catalogue", { size: 200, script }, placement);

    let runs = 0;
    /** Sends changes at once, each to the code that `target` numbers. @returns milliseconds until all are answered */
    const change = async (requests: number, target: (i: number) => number): Promise<number> => {
      runs += 1;
      const startedAt = performance.now();
      const responses = await Promise.all(
        Array.from({ length: requests }, (_, i) =>
          fetch(`${service.origin}/api/v1/qr/${codeId(target(i))}`, {
            method: "PATCH",
            headers,
            body: JSON.stringify({ data: { type: "url", url: `https://example.com/${runs}/${i}` } }),
          }),
        ),
      );
      const bodies = await Promise.all(responses.map((response) => response.text()));
      const elapsed = performance.now() - startedAt;
      const failed = responses.findIndex(({ status }) => status !== 200);
      if (failed !== -1) throw new Error(bodies[failed]);
      return elapsed;
    };

    const rows: string[][] = [];
    for (const requests of sizes.requests) {
      await change(requests, (i) => i + 1);
      const oneCode: number[] = [];
      const manyCodes: number[] = [];
      for (let round = 1; round <= sizes.rounds; round += 1) {
        oneCode.push(await change(requests, () => 1));
        manyCodes.push(await change(requests, (i) => i + 1));
      }
      const [one, many] = [median(oneCode), median(manyCodes)];
      rows.push([
        String(requests),
        `${one.toFixed(0)} ms`,
        `${many.toFixed(0)} ms`,
        `${(one / many).toFixed(2)} ×`,
      ]);
    }
    return (
      "Time until all PATCH requests that are sent at once have been answered: of the destination of one code, and of as " +
      `many codes. Median of ${sizes.rounds} interleaved rounds.\n\n${table(
        ["requests at once", "one code", "as many codes", "ratio"],
        rows,
      )}`
    );
  },
};

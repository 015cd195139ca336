import type { Benchmark } from "./lib/benchmark.ts";
import { build, buildService } from "../scripts/lib/build.ts";
import { Server } from "./load/server.ts";
import { median, table } from "./lib/results.ts";
import { apiKey, codeId } from "../scripts/lib/seed.ts";

const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

interface Sizes {
  readonly requests: readonly number[];
  readonly rounds: number;
}

/** Concurrent PATCH requests of one code, compared with the same number for different codes. */
export const changes: Benchmark = {
  title: "Changes at once",
  async run({ smoke }) {
    const sizes: Sizes = smoke ? { requests: [4], rounds: 1 } : { requests: [60, 200], rounds: 5 };
    const near = await measure("beside the service", await buildService(), sizes);
    const distant = await measure("30 ms further away", await build("bench/workers/distant.ts"), sizes);
    return (
      "Time until all PATCH requests that are sent at once have been answered: of the destination of one code, and of as " +
      `many codes; with the catalogue where it is, and with 30 ms before each call of it. Median of ${sizes.rounds} ` +
      `interleaved rounds.\n\n${table(
        ["catalogue", "requests at once", "one code", "as many codes", "ratio"],
        [...near, ...distant],
      )}`
    );
  },
};

/** @param title of the rows @param script the service's build */
async function measure(title: string, script: string, { requests, rounds }: Sizes): Promise<string[][]> {
  await using service = await Server.start("catalogue", { size: 200, script }, { pinned: false });

  let runs = 0;
  /** Sends concurrent changes, each to the code numbered by `target`. @returns milliseconds until all are answered */
  const change = async (count: number, target: (i: number) => number): Promise<number> => {
    runs += 1;
    const startedAt = performance.now();
    const responses = await Promise.all(
      Array.from({ length: count }, (_, i) =>
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
  for (const count of requests) {
    await change(count, (i) => i + 1);
    const oneCode: number[] = [];
    const manyCodes: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      oneCode.push(await change(count, () => 1));
      manyCodes.push(await change(count, (i) => i + 1));
    }
    const [one, many] = [median(oneCode), median(manyCodes)];
    rows.push([
      title,
      String(count),
      `${one.toFixed(0)} ms`,
      `${many.toFixed(0)} ms`,
      `${(one / many).toFixed(2)} ×`,
    ]);
  }
  return rows;
}

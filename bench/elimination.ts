import type { Benchmark } from "./benchmark.ts";
import { compareRedirects, fullSizes, hashes, smokeSizes } from "./compare.ts";
import { corePlacement } from "./load/cores.ts";

/** Where a redirect's cost is: the service with its last steps left out, one more each. */
export const elimination: Benchmark = {
  title: "Redirect, by elimination",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : { ...fullSizes, rounds: 3, cases: [{ connections: 16, hashes }] };
    const service = { server: "service", entry: "src/index.ts" } as const;
    const partial = { server: "service", entry: "bench/workers/partial.ts" } as const;
    const tables = await compareRedirects(
      {
        constant: { title: "(a) constant 302", server: "constant" },
        unrecorded: { ...service, title: "(b) the service, nothing recorded (HEAD)", method: "HEAD" },
        unqueued: {
          title: "(c) scans read, buffered and encoded, then dropped",
          ...partial,
          variables: { LEFT_OUT: "queue" },
        },
        unstored: {
          title: "(d) scans queued and consumed, then dropped",
          ...partial,
          variables: { LEFT_OUT: "ledger" },
        },
        service: { ...service, title: "(e) the whole service" },
      },
      { constant: "(a)" },
      sizes,
    );
    return (
      `Median of ${sizes.rounds} interleaved rounds of ${sizes.measured} s. ${corePlacement} ` +
      `CPU includes deferred work; the difference between two lines is the cost of what the second adds.\n\n${tables}`
    );
  },
};

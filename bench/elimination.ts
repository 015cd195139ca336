import { compareRedirects, fullSizes, hashes, smokeSizes } from "./compare.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { corePlacement } from "./load/cores.ts";

/** The cost of each step of a redirect: the service without its last steps, with one more step per target. */
export const elimination: Benchmark = {
  title: "Redirect, by elimination",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : { ...fullSizes, rounds: 3, cases: [{ connections: 16, hashes }] };
    const service = { server: "service", entry: "src/index.ts" } as const;
    const partial = { server: "service", entry: "bench/workers/partial.ts" } as const;
    const tables = await compareRedirects(
      {
        constant: { title: "(a) constant 302", server: "constant" },
        unrecorded: { ...service, title: "(b) the service, without recording (HEAD)", method: "HEAD" },
        unqueued: {
          title: "(c) scans buffered and encoded, then dropped",
          ...partial,
          variables: { OMITTED_STEP: "queue" },
        },
        unstored: {
          title: "(d) scans queued and consumed, then dropped",
          ...partial,
          variables: { OMITTED_STEP: "ledger" },
        },
        service: { ...service, title: "(e) the whole service" },
      },
      { constant: "(a)" },
      sizes,
    );
    return (
      `Median of ${sizes.rounds} interleaved rounds of ${sizes.measuredSeconds} s. ${corePlacement} ` +
      `CPU includes deferred work; the difference between two lines is the cost of the steps that the second one ` +
      `adds.\n\n${tables}`
    );
  },
};

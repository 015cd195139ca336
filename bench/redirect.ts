import { compareRedirects, fullSizes, smokeSizes } from "./compare.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { corePlacement } from "./load/cores.ts";
import { domainHost } from "./servers.ts";

/** Redirects of the service compared with those of bare Workers. */
export const redirect: Benchmark = {
  title: "Redirect",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const tables = await compareRedirects(
      {
        constant: { title: "(a) constant 302", server: "constant" },
        kv: { title: "(b) one KV read", server: "kv" },
        d1: { title: "(c) one D1 read", server: "d1" },
        service: { title: "(d) the service, recording", server: "service", entry: "src/index.ts" },
        edge: {
          title: "(h) the same, with the Worker for scans in front",
          server: "service",
          entry: "src/index.ts",
          edge: true,
        },
        domain: {
          title: "(f) the service, at a domain",
          server: "domain",
          entry: "src/index.ts",
          host: domainHost,
        },
        alias: {
          title: "(g) the service, by an alias at a domain",
          server: "alias",
          entry: "src/index.ts",
          host: domainHost,
        },
        hostedPage: {
          title: "(e) the service, a hosted page with a form",
          server: "hostedPage",
          entry: "src/index.ts",
        },
      },
      { constant: "(a)", kv: "(b)" },
      sizes,
    );
    return (
      `Median of ${sizes.rounds} interleaved rounds of ${sizes.measuredSeconds} s, each after ${sizes.warmUpSeconds} s of ` +
      `warm-up. ${corePlacement} CPU is that of the server's whole process tree, from /proc, until it is idle again, which ` +
      `includes queue, consumer and ledger.\n\n${tables}`
    );
  },
};

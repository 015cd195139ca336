import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, buildEdge, buildImages, buildService, sizes } from "../scripts/lib/build.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";

const execute = promisify(execFile);

/** The start-up time and size of the built Workers. */
export const startup: Benchmark = {
  title: "Start-up",
  async run({ smoke }) {
    /** Interleaved start-ups of each Worker. */
    const runs = smoke ? 1 : 25;
    const workers = [
      { name: "a bare Worker with a constant 302", script: "bench/workers/constant.js" },
      { name: "the Worker for scans", script: await buildEdge() },
      { name: "the main Worker", script: await buildService() },
      { name: "the main Worker, without lazy loading", script: await build("bench/workers/eager.ts") },
      { name: "the images Worker", script: join(await buildImages(), "index.js") },
    ];

    const times = workers.map((): number[] => []);
    for (let run = 0; run < runs; run += 1) {
      for (const [i, { script }] of workers.entries()) {
        const args = ["--experimental-vm-modules", "--no-warnings", "bench/startup-once.ts", script];
        const { stdout } = await execute(process.execPath, args);
        times[i]?.push(Number(stdout));
      }
    }

    const rows = workers.map(({ name, script }, i) => {
      const { plain, gzip } = sizes(script);
      const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;
      return [name, `${median(times[i] ?? []).toFixed(1)} ms`, kilobytes(plain), kilobytes(gzip)];
    });
    return (
      `Compiling and evaluating the built script in V8, median of ${runs} fresh processes. WebAssembly counts with the script.\n\n` +
      table(["Worker", "start-up", "script", "gzip"], rows)
    );
  },
};

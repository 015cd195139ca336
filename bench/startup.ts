import { execFileSync } from "node:child_process";
import { build, sizes } from "./build.ts";
import { median, table, writeSection } from "./results.ts";

/** Start-ups measured of each Worker, interleaved. */
const runs = 25;

const workers = [
  { name: "a bare Worker with a constant 302", script: "bench/workers/constant.js" },
  { name: "the service", script: build("src/index.ts", "dist/service") },
  { name: "the service, all evaluated at start", script: build("bench/workers/eager.ts", "dist/eager") },
];

const times = workers.map(() => [] as number[]);
for (let run = 0; run < runs; run += 1) {
  for (const [i, { script }] of workers.entries()) {
    const printed = execFileSync(
      process.execPath,
      ["--experimental-vm-modules", "--no-warnings", "bench/startup-once.ts", script],
      { encoding: "utf8" },
    );
    times[i]?.push(Number(printed));
  }
}

const rows = workers.map(({ name, script }, i) => {
  const { plain, gzip } = sizes(script);
  const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;
  return [name, `${median(times[i] ?? []).toFixed(1)} ms`, kilobytes(plain), kilobytes(gzip)];
});
writeSection(
  "Start-up",
  `Compiling and evaluating the built script in V8, median of ${runs} fresh processes.\n\n` +
    table(["Worker", "start-up", "script", "gzip"], rows),
);

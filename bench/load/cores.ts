import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Returns the numbers of the cores this process may use; empty without /proc. */
function allowedCores(): number[] {
  let status = "";
  try {
    status = readFileSync("/proc/self/status", "utf8");
  } catch {
    return [];
  }
  const list = /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? "";
  return list.split(",").flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

const canPin = spawnSync("taskset", ["--version"]).status === 0;
const [first, second] = canPin ? allowedCores() : [];

/** Separate cores for the server and the load generator; undefined without `taskset` or a second core. */
const cores: { readonly server: number; readonly load: number } | undefined =
  first === undefined || second === undefined ? undefined : { server: first, load: second };

/** A sentence for reports on how server and load generator share cores. */
export const corePlacement =
  cores === undefined
    ? "Server and load generator share all cores (no `taskset` or second core), which makes fast servers appear slow."
    : "Server and load generator have a core each.";

/** Returns a command line that runs Node on the core of a part, or on any core. */
export function nodeOn(part: "server" | "load" | undefined, args: readonly string[]): [string, string[]] {
  return cores === undefined || part === undefined
    ? [process.execPath, [...args]]
    : ["taskset", ["--cpu-list", String(cores[part]), process.execPath, ...args]];
}

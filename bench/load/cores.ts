import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Cores this process may run on, by number; empty where the system does not say. */
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

/** A core for the server and another for its load; undefined where there is no `taskset` or only one core. */
export const cores: { readonly server: number; readonly load: number } | undefined =
  first === undefined || second === undefined ? undefined : { server: first, load: second };

/** Whether server and load share cores, in words for a report. */
export const corePlacement =
  cores === undefined
    ? "Server and load share all cores (no `taskset`, or a single core), which makes fast servers look slow."
    : "Server and load have a core each.";

/** A command line that runs Node on the core for that part, or on any. */
export function nodeOn(part: "server" | "load" | undefined, args: readonly string[]): [string, string[]] {
  return cores === undefined || part === undefined
    ? [process.execPath, [...args]]
    : ["taskset", ["--cpu-list", String(cores[part]), process.execPath, ...args]];
}

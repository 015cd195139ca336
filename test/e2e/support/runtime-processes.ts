import { readdirSync, readFileSync } from "node:fs";

/** Process ids of the runtimes that this process has started. */
export function runtimeProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [, command, , parent] =
          /\((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return command === "workerd" && Number(parent) === process.pid;
      } catch {
        return false; // The process has ended.
      }
    })
    .map(Number);
}

/** The memory of a process in bytes: now, and the most that it has had so far. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

import { readdirSync, readFileSync } from "node:fs";

/** The unit of CPU times in /proc, always 100 per second on Linux. */
const ticksPerSecond = 100;

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    // The command's name may contain spaces and brackets, so fields are counted from the last bracket.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(")").pop()?.trim().split(" ") ?? [];
    return { pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return undefined; // The process has ended.
  }
}

function tree(root: number): ProcessStat[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const members = all.filter((stat) => stat.pid === root);
  for (const member of members) members.push(...all.filter((stat) => stat.parent === member.pid));
  return members;
}

/** CPU time of a process and its descendants so far, in microseconds. */
export function cpuMicroseconds(root: number): number {
  return tree(root).reduce((sum, stat) => sum + (stat.ticks * 1_000_000) / ticksPerSecond, 0);
}

/** Resident memory of a process and its descendants, in bytes. */
export function memoryBytes(root: number): number {
  return tree(root).reduce((sum, { pid }) => {
    try {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      return sum + Number(kilobytes ?? 0) * 1024;
    } catch {
      return sum;
    }
  }, 0);
}

/**
 * Waits until the process tree has been idle for a second, which means that deferred work is done. @param limit in
 * milliseconds
 */
export async function untilIdle(root: number, limit = 60_000): Promise<void> {
  const end = Date.now() + limit;
  let before = cpuMicroseconds(root);
  for (let quiet = 0; quiet < 2 && Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const now = cpuMicroseconds(root);
    quiet = now - before <= 20_000 ? quiet + 1 : 0;
    before = now;
  }
}

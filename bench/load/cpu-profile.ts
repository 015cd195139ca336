import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A profile of the DevTools protocol: times in microseconds, lines of call frames from 0. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    /** Samples by line, from 1. */
    readonly positionTicks?: readonly { readonly line: number; readonly ticks: number }[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface Share {
  /** A function's name, or the text of a line. */
  readonly label: string;
  /** Its module and line of the build. */
  readonly place: string;
  /** Its share of the time that was not idle. */
  readonly share: number;
}

const idleNames = new Set(["(idle)", "(root)"]);

/**
 * Returns self time by function and by line, in descending order.
 * @param script the profiled build, whose comments name the module of each line
 * @returns busy: the share of the time that was not idle
 */
export function selfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  script: string,
): { busy: number; functions: Share[]; lines: Share[] } {
  const source = readFileSync(script, "utf8").split("\n");
  const modules = moduleOfLines(source);
  const isScript = (url: string) => url.endsWith(basename(script));
  const placeOf = (url: string, line: number) =>
    url === "" ? "" : `${(isScript(url) && modules[line]) || url} (${line})`;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const functions = new Shares();
  let total = 0;
  let busy = 0;
  for (const [i, sample] of samples.entries()) {
    const time = timeDeltas[i] ?? 0;
    total += time;
    const frame = byId.get(sample)?.callFrame;
    if (frame === undefined || idleNames.has(frame.functionName)) continue;
    busy += time;
    functions.add(frame.functionName || "(anonymous)", placeOf(frame.url, frame.lineNumber + 1), time);
  }

  const lines = new Shares();
  let ticks = 0;
  for (const { callFrame, positionTicks = [] } of nodes) {
    if (idleNames.has(callFrame.functionName)) continue;
    for (const position of positionTicks) {
      ticks += position.ticks;
      if (!isScript(callFrame.url)) continue;
      const text = (source[position.line - 1] ?? "").trim().slice(0, 100);
      lines.add(`\`${text}\``, placeOf(callFrame.url, position.line), position.ticks);
    }
  }
  return { busy: busy / total, functions: functions.sorted(busy), lines: lines.sorted(ticks) };
}

/** Returns the modules of src/ with a function on a sampled stack, sorted. */
export function ranModules({ nodes }: CpuProfile, script: string): string[] {
  const modules = moduleOfLines(readFileSync(script, "utf8").split("\n"));
  const ran = nodes.flatMap(({ callFrame: { url, lineNumber } }) =>
    url.endsWith(basename(script)) ? (modules[lineNumber + 1] ?? "") : [],
  );
  return [...new Set(ran)].filter((module) => module.startsWith("src/")).sort();
}

/** Returns the module of each line, by its number from 1, according to the comment that the bundler writes before each module. */
function moduleOfLines(source: readonly string[]): string[] {
  const modules = [""];
  let module = "";
  for (const line of source) {
    module = /^\s*\/\/ ((?:src|node_modules|bench)\/\S+)$/.exec(line)?.[1] ?? module;
    modules.push(module);
  }
  return modules;
}

/** Sums by label and place. */
class Shares {
  readonly #sums = new Map<string, { label: string; place: string; sum: number }>();

  add(label: string, place: string, value: number): void {
    const key = `${label} ${place}`;
    const existing = this.#sums.get(key);
    if (existing === undefined) this.#sums.set(key, { label, place, sum: value });
    else existing.sum += value;
  }

  /** Returns the sums in descending order. @param total the sum that shares relate to */
  sorted(total: number): Share[] {
    return [...this.#sums.values()]
      .sort((a, b) => b.sum - a.sum)
      .map(({ label, place, sum }) => ({ label, place, share: sum / total }));
  }
}

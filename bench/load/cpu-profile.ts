import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** A profile as the DevTools protocol has it; times in microseconds, lines of call frames from 0. */
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
  readonly what: string;
  readonly place: string;
  /** Of the time that was not idle. */
  readonly share: number;
}

const idleNames = new Set(["(idle)", "(root)"]);

/**
 * Where the time went that functions spent themselves, without what they called; most first.
 * @param script the build that was profiled; its comments say which module a line is from
 * @returns busy: the share of the time that was not idle
 */
export function selfTimes(
  { nodes, samples, timeDeltas }: CpuProfile,
  script: string,
): { busy: number; functions: Share[]; lines: Share[] } {
  const source = readFileSync(script, "utf8").split("\n");
  const modules = moduleOfLines(source);
  const isOurs = (url: string) => url.endsWith(basename(script));
  const placeOf = (url: string, line: number) =>
    url === "" ? "" : `${(isOurs(url) && modules[line]) || url} (${line})`;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const functions = new Shares();
  let all = 0;
  let busy = 0;
  for (const [i, sample] of samples.entries()) {
    const time = timeDeltas[i] ?? 0;
    all += time;
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
      if (!isOurs(callFrame.url)) continue;
      const text = (source[position.line - 1] ?? "").trim().slice(0, 100);
      lines.add(`\`${text}\``, placeOf(callFrame.url, position.line), position.ticks);
    }
  }
  return { busy: busy / all, functions: functions.sorted(busy), lines: lines.sorted(ticks) };
}

/** The module of each line, from 1, by the comments that the bundler puts before each. */
function moduleOfLines(source: readonly string[]): string[] {
  const modules = [""];
  let module = "";
  for (const line of source) {
    module = /^\s*\/\/ ((?:src|node_modules|bench)\/\S+)$/.exec(line)?.[1] ?? module;
    modules.push(module);
  }
  return modules;
}

/** Sums by what and where. */
class Shares {
  readonly #sums = new Map<string, { what: string; place: string; sum: number }>();

  add(what: string, place: string, value: number): void {
    const key = `${what} ${place}`;
    const known = this.#sums.get(key);
    if (known === undefined) this.#sums.set(key, { what, place, sum: value });
    else known.sum += value;
  }

  sorted(all: number): Share[] {
    return [...this.#sums.values()]
      .sort((a, b) => b.sum - a.sum)
      .map(({ what, place, sum }) => ({ what, place, share: sum / all }));
  }
}

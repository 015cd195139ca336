import type { Download } from "./download.ts";
import { ConnectionError } from "./errors.ts";
import { pause } from "./retry.ts";
import type { Scan } from "./types.ts";

/** An event of the live scans. */
export type LiveEvent =
  /** The first: how many scans the workspace has recorded. */
  | { event: "ready"; latest: number }
  | { event: "scan"; scan: Scan }
  /** So many scans aren't sent one by one. */
  | { event: "skipped"; scans: number };

/** Reads events, and connects again where a stream ends: after an hour, or when its connection breaks. */
export async function* liveEvents(
  connect: (after: number | undefined) => Promise<Download>,
  after: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveEvent, never, undefined> {
  let latest = after;
  let milliseconds = 2_000;
  for (;;) {
    const stream = await connect(latest);
    let [event, data] = ["", ""];
    try {
      for await (const line of stream.lines()) {
        const [, name, value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
        if (name === "id" && /^\d+$/.test(value)) latest = Number(value);
        else if (name === "retry" && /^\d+$/.test(value)) milliseconds = Number(value);
        else if (name === "event") event = value;
        else if (name === "data") data += value;
        else if (line === "") {
          const read = eventOf(event, data);
          [event, data] = ["", ""];
          if (read !== undefined) yield read;
        }
      }
    } catch (error) {
      if (signal?.aborted || !(error instanceof ConnectionError)) throw error;
    }
    await pause(milliseconds, signal);
  }
}

function eventOf(event: string, data: string): LiveEvent | undefined {
  if (event === "scan") return { event, scan: JSON.parse(data) as Scan };
  if (event === "ready" || event === "skipped") return { event, ...JSON.parse(data) } as LiveEvent;
  return undefined;
}

import { csvCell } from "./csv.ts";

/** How an export format writes a line: fragments of several columns each, and the rest of the line. */
interface ScanLine {
  fragment(names: readonly string[], values: readonly (string | null)[]): string;
  /** @param via,botRule null in lines without it */
  line(
    id: string,
    code: string,
    at: string,
    place: string,
    agent: string,
    via: string | null,
    botRule: string | null,
  ): string;
}

/** The lines of exported scans, by format. */
export const scanLines: Readonly<Record<"csv" | "ndjson", ScanLine>> = {
  csv: {
    fragment: (_, values) => values.map(csvCell).join(","),
    line: (id, code, at, place, agent, via, botRule) =>
      `${id},${code},${at},${place},${agent}${after(via)}${after(botRule)}\r\n`,
  },
  ndjson: {
    fragment: (names, values) => names.map((name, i) => `"${name}":${JSON.stringify(values[i])}`).join(","),
    line: (id, code, at, place, agent, via, botRule) =>
      `{"id":"${id}",${code},"scannedAt":"${at}",${place},${agent}${after(via)}${after(botRule)}}\n`,
  },
};

const after = (fragment: string | null): string => (fragment === null ? "" : `,${fragment}`);

/** The columns of each fragment. */
export const scanColumns = {
  code: ["qrId", "hash"],
  place: ["country", "city"],
  agent: ["device", "os", "userAgent"],
  via: ["via"],
  botRule: ["botRule"],
} as const;

import { csvCell } from "./csv.ts";

/** How an export format writes a line: fragments of several columns each, and the rest of the line. */
interface ScanLine {
  fragment(names: readonly string[], values: readonly (string | null)[]): string;
  /** @param via null in lines without it */
  line(id: string, code: string, at: string, place: string, agent: string, via: string | null): string;
}

/** The lines of exported scans, by format. */
export const scanLines: Readonly<Record<"csv" | "ndjson", ScanLine>> = {
  csv: {
    fragment: (_, values) => values.map(csvCell).join(","),
    line: (id, code, at, place, agent, via) =>
      `${id},${code},${at},${place},${agent}${via === null ? "" : `,${via}`}\r\n`,
  },
  ndjson: {
    fragment: (names, values) => names.map((name, i) => `"${name}":${JSON.stringify(values[i])}`).join(","),
    line: (id, code, at, place, agent, via) =>
      `{"id":"${id}",${code},"scannedAt":"${at}",${place},${agent}${via === null ? "" : `,${via}`}}\n`,
  },
};

/** The columns of each fragment. */
export const scanColumns = {
  code: ["qrId", "hash"],
  place: ["country", "city"],
  agent: ["device", "os", "userAgent"],
  via: ["via"],
} as const;

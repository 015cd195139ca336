import type { Child } from "hono/jsx";
import { NotAvailable } from "../missing.tsx";
import type { Column } from "../table.tsx";
import { formatCount, formatNumber } from "../values/format.ts";
import { Sparkline } from "./sparkline.tsx";

const sumOf = (days: readonly number[]): number => days.reduce((sum, day) => sum + day, 0);

/**
 * The columns of a list that show each row's scans in the last 30 days.
 * @param daysOf human scans on each day, oldest first; null if they aren't available now
 * @param isSorted whether the list begins with the most scanned
 * @param head of the number
 */
export const scanColumns = <Row,>(
  daysOf: (row: Row) => readonly number[] | null,
  isSorted = false,
  head: Child = "Scans",
): readonly Column<Row>[] => [
  {
    head: "Last 30 days",
    kind: "days",
    cell: (row) => {
      const days = daysOf(row);
      if (days === null) return <NotAvailable />;
      const label = `${formatCount(sumOf(days), "scan")} in the last 30 days`;
      return <Sparkline height={24} values={days} label={label} />;
    },
  },
  {
    head,
    kind: "number",
    sorted: isSorted ? "descending" : undefined,
    unit: (row) => (sumOf(daysOf(row) ?? []) === 1 ? "scan" : "scans"),
    cell: (row) => {
      const days = daysOf(row);
      return days === null ? "–" : formatNumber(sumOf(days));
    },
  },
];

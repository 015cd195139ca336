import type { Finding } from "./findings.ts";

const marks: Readonly<Record<Finding["status"], string>> = {
  ok: "✓",
  warning: "!",
  failed: "✗",
  unknown: "?",
};

/** The order of what calls for attention. */
const order = ["failed", "warning", "unknown"] as const;

const words = { failed: "failed", warning: "to look after", unknown: "not checked" };

/** Some of the text was read from the network, and could otherwise rewrite what the terminal shows. */
export const printable = (text: string): string => text.replace(/\p{Control}/gu, " ");

/**
 * Returns the lines of a report: what is wrong, each with how to fix it, then the sums.
 * @param all whether to list what is in order, too
 */
export function reportLines(findings: readonly Finding[], all: boolean): string[] {
  const shown = order.flatMap((status) => findings.filter((finding) => finding.status === status));
  const inOrder = findings.filter(({ status }) => status === "ok");
  const lines = [...shown, ...(all ? inOrder : [])].flatMap(({ name, status, what, mend }) => [
    printable(`${marks[status]} ${name}: ${what}`),
    ...(mend === null ? [] : [`    ${printable(mend)}`]),
  ]);
  const sums = order.map((status) => {
    const count = findings.filter((finding) => finding.status === status).length;
    return count === 0 ? [] : [`${count} ${words[status]}`];
  });
  return [
    ...lines,
    ...(lines.length === 0 ? [] : [""]),
    [...sums.flat(), `${inOrder.length} in order`].join(", "),
  ];
}

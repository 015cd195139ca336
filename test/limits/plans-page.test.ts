import { expect, it } from "vitest";
import page from "../../docs/operating/plans.md?raw";

/** Two tables of the page follow from that of what things use, whose figures plan-figures.test.ts measures. */

/** The columns of that table. */
interface Use {
  readonly d1Read: number;
  readonly d1Written: number;
  readonly kvReads: number;
  readonly kvWrites: number;
  readonly objectRequests: number;
  readonly objectWritten: number;
  readonly messages: number;
}

const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Returns the rows of the table that begins with these cells. */
function tableOf(...heading: readonly string[]): string[][] {
  const lines = page.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading.join(" | ")} |`));
  const after = lines.slice(start + 2);
  const length = after.findIndex((line) => !line.startsWith("|"));
  return after.slice(0, length).map(cellsOf);
}

/** Returns the number with which a cell begins; 0 for none. */
const numberOf = (cell = "") => Number(/^\D*?([\d,]+(\.\d+)?)/.exec(cell)?.[1]?.replaceAll(",", "") ?? 0);

const uses = tableOf("What", "D1 rows read");
function useOf(what: string): Use {
  const [, ...cells] = uses.find(([name]) => name === what) ?? expect.fail(`no row for ${what}`);
  const [
    d1Read = 0,
    d1Written = 0,
    kvReads = 0,
    kvWrites = 0,
    objectRequests = 0,
    objectWritten = 0,
    messages = 0,
  ] = cells.map(numberOf);
  return { d1Read, d1Written, kvReads, kvWrites, objectRequests, objectWritten, messages };
}

const scan = useOf("Scan by a new visitor");
const forgotten = useOf("The same, where the code isn't remembered");
const change = useOf("Change of where a code leads");
const creation = useOf("Creation of a code");

/** How much of each quota something uses. A message is written, read and deleted, and its delivery is a request. */
const quotas: Readonly<Record<string, (use: Use) => number>> = {
  "Requests to Workers": ({ messages }) => 1 + messages,
  "Queue operations, three a message": ({ messages }) => 3 * messages,
  "Rows written by Durable Objects": ({ objectWritten }) => objectWritten,
  "Requests to Durable Objects": ({ objectRequests }) => objectRequests,
  "KV reads": ({ kvReads }) => kvReads,
  "KV writes": ({ kvWrites }) => kvWrites,
  "Rows written to D1": ({ d1Written }) => d1Written,
  "Rows read from D1": ({ d1Read }) => d1Read,
};

it("the quotas of the Free plan allow as many a day as follows from what things use", () => {
  const table = tableOf("Quota", "A day");
  expect(table.map(([quota]) => quota)).toEqual(Object.keys(quotas));
  for (const [quota = "", day, ...cells] of table) {
    const of = quotas[quota];
    const allowed = [quota === "KV reads" ? forgotten : scan, change, creation].map((use) => {
      const used = of?.(use) ?? 0;
      return used === 0 ? 0 : Math.floor(numberOf(day) / used);
    });
    expect({ quota, allowed: cells.map(numberOf) }).toEqual({ quota, allowed });
  }
  const creations = numberOf(table.find(([quota]) => quota === "Rows written to D1")?.at(-1));
  expect(page).toContain(`or ${(Math.floor(creations / 100) * 100).toLocaleString("en")} creations`);
  const mixture = (of: (use: Use) => number) => 5000 * of(scan) + 100 * of(change) + 100 * of(creation);
  const rows = Math.round(mixture(({ objectWritten }) => objectWritten) / 1000);
  const writes = Math.round(mixture(({ kvWrites }) => kvWrites) / 10);
  expect(page).toContain(
    `${rows} % of the rows written by Durable Objects, ${writes} % of the KV writes and`,
  );
});

it("a month on Workers Paid costs what follows from what things use", () => {
  const table = tableOf("What", "Used");
  let sum = 5;
  for (const [what = "", used, included, price, costs] of table.slice(0, -1)) {
    const of = quotas[what];
    const expected = of === undefined ? 0 : 1_000_000 * of(scan) + 100_000 * of(creation);
    const beyond = (Math.max(0, expected - numberOf(included)) / 1_000_000) * numberOf(price);
    expect({ what, used: numberOf(used), costs: numberOf(costs).toFixed(2) }).toEqual({
      what,
      used: expected,
      costs: beyond.toFixed(2),
    });
    sum += beyond;
  }
  expect(table.map(([what]) => what).slice(0, -1)).toEqual(Object.keys(quotas));
  expect(table.at(-1)?.at(-1)).toBe(`**$${sum.toFixed(2)}**`);
});

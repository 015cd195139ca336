import type { ClosedCode, LiveEvent, Query, Report, Scan, Schema } from "../../index.ts";
import { command, filterOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { save } from "../files.ts";
import { listHelp, listOptions, pageOf, printList, tableOf, wholeList } from "../list.ts";
import type { Output } from "../output.ts";
import { codeHelp, findCode } from "./codes.ts";
import { exportOptions, tableFormatOf, tableFormats } from "./tables.ts";

const scanRow = (scan: Scan) =>
  [scan.scannedAt, scan.country, scan.city, scan.device, scan.os, scan.via].map((value) => value ?? "");

export const listScans = command({
  usage: "scans list CODE",
  about: "List the scans of a code",
  help: `
Lists the scans of a code, newest first.
${codeHelp}

Options:
  --filter NAME=VALUE  Only those with: from, to (days or times), country,
                       device, os, browser${listHelp}
`,
  options: { filter: { type: "string", multiple: true }, ...listOptions },
  async run({ args: [given = ""], values, output, signal, connect }) {
    const client = await connect();
    const { id } = await findCode(client, given, signal);
    const filter = { ...filterOf(values.filter), ...pageOf(values) };
    const head = ["TIME", "COUNTRY", "CITY", "DEVICE", "SYSTEM", "BY"];
    let closed: Schema<"ClosedScans"> | undefined;
    async function* scans() {
      for await (const page of client.scans.list(id, filter, { signal }).pages()) {
        closed ??= page.closed;
        yield* page.events;
      }
    }
    const code = await printList(scans(), { values, output }, tableOf(output, head, scanRow, [2, 5]));
    if (closed !== undefined && closed.total > 0) {
      const reasons = closed.reasons.map(({ reason, scans: n }) => `${reason.replaceAll("_", " ")} ${n}`);
      output.note(`${closed.total} more scans got no target: ${reasons.join(", ")}.`);
    }
    return code;
  },
});

export const listClosed = command({
  usage: "scans closed",
  about: "List codes that lead nowhere and are still scanned",
  help: `
Lists the codes that were scanned lately although they are paused, expired,
not started, suspended or deleted, the most scanned first.

Options:${wholeList.help}
`,
  options: wholeList.options,
  async run({ output, signal, connect }) {
    const client = await connect();
    const head = ["CODE", "REASON", "SCANS", "LAST SCAN", "SHORT LINK"];
    const row = ({ name, reason, scans, lastDay, scanUrl }: ClosedCode) => [
      ...[name, reason.replaceAll("_", " "), String(scans), lastDay, scanUrl],
    ];
    const list = { values: wholeList.values, output };
    return printList(client.scans.closed({ signal }), list, tableOf(output, head, row, [0, 4]));
  },
});

export const exportScans = command({
  usage: "scans export [CODE]",
  about: "Write scans as CSV or NDJSON",
  help: `
Writes the scans of the workspace, or of a code, oldest first.
${codeHelp}

Options:
  --filter NAME=VALUE  Only from and to: days, such as from=2026-01-31
  --format FORMAT      csv (default) or ndjson
  -o, --output FILE    A file instead of the standard output
`,
  options: exportOptions,
  choices: { format: tableFormats },
  async run({ args: [given], values, signal, connect }) {
    const format = tableFormatOf(values.format);
    const client = await connect();
    const code = given === undefined ? {} : { qrId: (await findCode(client, given, signal)).id };
    const filter = { ...filterOf(values.filter), ...code, format };
    await save(await client.scans.export(filter, { signal }), values.output, signal);
    return exitCodes.ok;
  },
});

export const watchScans = command({
  usage: "scans watch [CODE]",
  about: "Print scans as they happen",
  help: `
Prints the scans of the workspace, or of a code, as they happen, until Ctrl-C.
${codeHelp}

Options:
  --json   Print a line of JSON for each
`,
  options: {},
  async run({ args: [given], output, signal, connect }) {
    const client = await connect();
    const code = given === undefined ? {} : { qrId: (await findCode(client, given, signal)).id };
    for await (const event of client.scans.live(code, { signal })) printLive(output, event);
    return exitCodes.ok;
  },
});

function printLive(output: Output, event: LiveEvent): void {
  if (event.event === "ready") output.note("Waiting for scans. Ctrl-C ends.");
  else if (event.event === "skipped") output.note(`${event.scans} scans more`);
  else if (output.format !== "text") output.object(event.scan);
  else output.line([event.scan.qrId, ...scanRow(event.scan)].filter((text) => text !== "").join("  "));
}

export const report = command({
  usage: "report [CODE]",
  about: "Report on the scans of the workspace, or of a code",
  help: `
Reports on the scans of the workspace, or of a code: how many, by how many
people.
${codeHelp}

Options:
  --from DAY           The first day (default: 29 days before the last)
  --to DAY             The last day (default: today)
  --by NAME            country, city, device, os, browser, referrer or code: any
                       number of times
  --interval STEP      Also a row for each hour, day, week or month
  --compare PERIOD     previous (the days before) or year (a year earlier)
  --filter NAME=VALUE  Only codes with: tag, folderId
  --json               Print JSON
`,
  options: {
    from: { type: "string" },
    to: { type: "string" },
    by: { type: "string", multiple: true },
    interval: { type: "string" },
    compare: { type: "string" },
    filter: { type: "string", multiple: true },
  },
  choices: {
    by: ["country", "city", "device", "os", "browser", "referrer", "code"],
    interval: ["hour", "day", "week", "month"],
    compare: ["previous", "year"],
  },
  async run({ args: [given], values, output, signal, connect }) {
    const { from, to, interval, compare, by } = values;
    if (given !== undefined && values.filter !== undefined) {
      throw new UsageError("Give either CODE or --filter.");
    }
    const wanted = Object.entries({ from, to, interval, compare, dimensions: by?.join(",") });
    const query = Object.fromEntries(
      wanted.filter(([, value]) => value !== undefined),
    ) as Query<"codeAnalytics">;
    const client = await connect();
    const result =
      given === undefined
        ? await client.reports.workspace({ ...query, ...filterOf(values.filter) }, { signal })
        : await client.reports.code((await findCode(client, given, signal)).id, query, { signal });
    output.result(result, () => printReport(output, result, interval !== undefined));
    return exitCodes.ok;
  },
});

type Sums = Report["totals"];

const visitorsOf = ({ visitors }: Sums): string =>
  visitors === null ? "" : `${visitors.exact ? "" : "≈ "}${visitors.count}`;
const sumsRow = (sums: Sums) => [
  ...[String(sums.scans), visitorsOf(sums), String(sums.newVisitors), String(sums.botScans)],
];

function printReport(output: Output, result: Report, hasSeries: boolean): void {
  const periods = [result, ...(result.comparison === null ? [] : [result.comparison])];
  const head = ["SCANS", "VISITORS", "NEW", "BOT SCANS"];
  output.table(
    ["PERIOD", ...head],
    periods.map(({ from, to, totals }) => [`${from} to ${to}`, ...sumsRow(totals)]),
  );
  if (hasSeries) {
    output.line("");
    output.table(
      ["FROM", ...head],
      result.series.map((point) => [point.start, ...sumsRow(point)]),
    );
  }
  for (const [dimension, breakdown] of Object.entries(result.dimensions)) {
    if (breakdown === undefined) continue;
    const { items, other } = breakdown;
    const rows = items.map(({ value, name, country, scans }) => {
      const shown = name ?? value ?? "unknown";
      return [country ? `${shown}, ${country}` : shown, String(scans)];
    });
    if (other.values > 0) rows.push([`${other.values} others`, String(other.scans)]);
    output.line("");
    output.table([dimension.toUpperCase(), "SCANS"], rows, [0]);
  }
  output.note(`Days are those of ${result.timeZone}.`);
}

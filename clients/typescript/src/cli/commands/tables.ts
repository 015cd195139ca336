import type { BulkCreationPreview, BulkPreview, BulkUpdate, Qr, QrInput } from "../../index.ts";
import { ask, canAsk } from "../ask.ts";
import { command, filterOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { readInput, save } from "../files.ts";
import { followUndoable } from "../follow.ts";
import type { Output } from "../output.ts";
import { jsonRows } from "../rows.ts";

/** The formats of exports. */
export const tableFormats = ["csv", "ndjson"] as const;

/** @throws UsageError for another */
export function tableFormatOf(given = "csv"): (typeof tableFormats)[number] {
  const format = tableFormats.find((each) => each === given);
  if (format === undefined) throw new UsageError(`--format takes csv or ndjson, not ${given}`);
  return format;
}

/** Options of commands that write a table to a file. */
export const exportOptions = {
  filter: { type: "string", multiple: true },
  format: { type: "string" },
  output: { type: "string", short: "o" },
} as const;

export const exportCodes = command({
  usage: "export",
  about: "Write codes as CSV or NDJSON",
  help: `
Writes codes as a table, to edit and send back with qr relink.

Options:
  --filter NAME=VALUE  Only with: tag, folderId, qrType, status, q, and more
  --format FORMAT      csv (default) or ndjson
  --scans              With their scans, as the last columns
  -o, --output FILE    A file instead of the standard output
`,
  options: { ...exportOptions, scans: { type: "boolean" } },
  choices: { format: tableFormats },
  async run({ values, signal, connect }) {
    const format = tableFormatOf(values.format);
    const client = await connect();
    await save(
      await client.qr.export(
        { ...filterOf(values.filter), format, ...(values.scans && { include: "scans" as const }) },
        { signal },
      ),
      values.output,
      signal,
    );
    return exitCodes.ok;
  },
});

export const importCodes = command({
  usage: "import FILE",
  about: "Create a code for each row of a table",
  help: `
Creates a code for each row of a CSV file, whose column url is required, or for
each line of NDJSON with the fields of a code. - is the standard input.

Options:
  --upsert    Change the codes whose externalId a row has, and create the others
  --dry-run   Say what would be created, and do nothing
  --json      Print JSON
`,
  options: { upsert: { type: "boolean" }, "dry-run": { type: "boolean" } },
  async run({ args: [file = ""], values, output, signal, connect }) {
    const table = await readInput(file);
    // The service judges each row.
    const rows = (jsonRows(table) as QrInput[] | undefined) ?? table;
    const options = { upsert: values.upsert ? "externalId" : undefined, signal } as const;
    const client = await connect();
    if (values["dry-run"]) {
      const preview = await client.bulk.previewCreate(rows, options);
      output.result(preview, () => {
        const { created, changed, unchanged, failed, cleared, errors } = preview;
        output.line(`${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} would fail`);
        for (const line of cleared) output.line(line);
        printErrors(output, errors);
      });
      return preview.failed > 0 ? exitCodes.someRowsFailed : exitCodes.ok;
    }
    return followUndoable(client, await client.bulk.create(rows, options), output, signal);
  },
});

/** The fields of a code that would change, without its time of change. */
function differences(before: Qr, after: Qr): [field: string, before: string, after: string][] {
  const text = (value: unknown) =>
    typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  const flat = ({ data, ...code }: Qr): Record<string, unknown> =>
    data.type === "url" ? { ...code, url: data.url } : { ...code, data };
  const [old, next] = [flat(before), flat(after)];
  return Object.keys(next)
    .filter((field) => field !== "updatedAt" && text(old[field]) !== text(next[field]))
    .map((field) => [field, text(old[field]), text(next[field])]);
}

function printPreview(output: Output, { rows, samples }: BulkPreview): void {
  const changed = samples.flatMap(({ before, after, error }) => {
    const code = before.name ?? before.scanUrl;
    if (error !== null) return [[code, "fails", "", error]];
    return after === null
      ? [[code, "deleted", "", ""]]
      : differences(before, after).map((each) => [code, ...each]);
  });
  if (changed.length > 0) output.table(["CODE", "FIELD", "BEFORE", "AFTER"], changed, [0]);
  if (rows === null) return;
  output.line(`${rows.changed} to change, ${rows.unchanged} unchanged, ${rows.failed} would fail`);
  const shown = samples.filter(
    ({ before, after }) => after !== null && differences(before, after).length > 0,
  );
  if (rows.changed > shown.length) output.line(`The table shows the first ${shown.length}.`);
  for (const line of rows.cleared) output.line(line);
  printErrors(output, rows.errors);
}

/** Prints the rows that would fail, by their line in the file. */
function printErrors(output: Output, errors: BulkCreationPreview["errors"]): void {
  if (errors.length === 0) return;
  output.table(
    ["LINE", "ERROR"],
    errors.map(({ rowIndex, line, error }) => [String(line ?? rowIndex + 1), error]),
  );
}

export const relink = command({
  usage: "relink FILE",
  about: "Give codes what an edited export says",
  help: `
Gives each code what its row of FILE says: an export that you have edited, as
CSV or NDJSON. Shows what would change first, and asks. A code that has changed
since the export is left out.

Options:
  --dry-run   Only show what would change
  --yes       Don't ask
  --force     Also change codes that have changed since
  --json      Print JSON: of the dry run, or of the job
`,
  options: { "dry-run": { type: "boolean" }, yes: { type: "boolean" }, force: { type: "boolean" } },
  async run({ args: [file = ""], values, output, signal, connect }) {
    const table = await readInput(file);
    const items = jsonRows(table) as BulkUpdate["items"];
    const rows = items === undefined ? table : { items, force: values.force === true };
    const options = { force: values.force, signal };
    const client = await connect();
    const preview = await client.bulk.previewUpdate(rows, options);
    const { changed = 0, failed = 0 } = preview.rows ?? {};
    const isOver = values["dry-run"] === true || changed === 0;
    if (isOver || output.format === "text") output.result(preview, () => printPreview(output, preview));
    if (isOver) return failed > 0 ? exitCodes.someRowsFailed : exitCodes.ok;
    if (!values.yes) {
      if (!canAsk()) throw new UsageError("Nothing was changed. Add --yes to change the codes.");
      const answer = await ask(`Change ${changed} codes? [y/N] `, signal);
      if (!/^y(es)?$/i.test(answer)) {
        output.note("Nothing was changed.");
        return exitCodes.ok;
      }
    }
    return followUndoable(client, await client.bulk.update(rows, options), output, signal);
  },
});

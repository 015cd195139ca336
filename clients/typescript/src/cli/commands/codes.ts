import type { ListedQr, Qr, QrCodes, QrUpdate } from "../../index.ts";
import { command, filterOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { readInput } from "../files.ts";
import { followUndoable } from "../follow.ts";
import { listHelp, listOptions, pageOf, printList, tableOf } from "../list.ts";
import type { Output } from "../output.ts";
import { codesIn } from "../rows.ts";

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Finds a code by its id, its short link, its short name, or `ext:` and your own id. @throws UsageError if there is none */
export async function findCode(client: QrCodes, given: string, signal: AbortSignal): Promise<Qr> {
  if (isId(given)) return client.qr.get(given, { signal });
  if (given.startsWith("ext:")) return client.qr.getByExternalId(given.slice(4), { signal });
  const filter = /[./]/.test(given) ? { scanUrl: given } : { hash: given };
  const { items } = await client.qr.list(filter, { signal });
  const [code] = items;
  // An id answers with the service's own 404.
  return code ?? client.qr.get(given, { signal });
}

/** Finds the codes that the standard input names. */
async function codesOfInput(client: QrCodes, signal: AbortSignal): Promise<Qr[]> {
  const codes: Qr[] = [];
  for (const name of codesIn(await readInput("-"))) codes.push(await findCode(client, name, signal));
  return codes;
}

/** Returns the ids of the codes that the standard input names. @throws UsageError if it names none */
export async function idsOfInput(client: QrCodes, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  for (const name of codesIn(await readInput("-"))) {
    ids.push(isId(name) ? name : (await findCode(client, name, signal)).id);
  }
  if (ids.length === 0) throw new UsageError("The standard input names no code.");
  return ids;
}

/** Where a code leads, in one line. */
const destinationOf = ({ data }: Qr): string =>
  data.type === "url" ? data.url : `${data.type}: ${JSON.stringify({ ...data, type: undefined })}`;

function printCode(output: Output, code: Qr): void {
  output.result(code, () => printFields(output, code));
}

function printFields(output: Output, code: Qr): void {
  output.fields({
    ...{ id: code.id, name: code.name, "leads to": destinationOf(code), status: code.status },
    ...{
      "short link": code.scanUrl,
      "also at": code.aliases.join(", "),
      tags: code.tags.join(", "),
      folder: code.folderId,
    },
    ...{
      "own id": code.externalId,
      starts: code.startsAt,
      expires: code.expiresAt,
      updated: code.updatedAt,
    },
  });
}

/** Says how the last change of a code is undone. */
async function noteUndo(client: QrCodes, id: string, output: Output, signal: AbortSignal): Promise<void> {
  const { items } = await client.qr.history(id, { limit: 1 }, { signal });
  const [entry] = items;
  if (entry !== undefined) output.note(`Undo it with: qr undo ${entry.id}`);
}

const fields = {
  name: { type: "string" },
  tag: { type: "string", multiple: true },
  folder: { type: "string" },
  "external-id": { type: "string" },
  domain: { type: "string" },
  alias: { type: "string", multiple: true },
  status: { type: "string" },
  data: { type: "string" },
} as const;

const fieldsHelp = `
  --name NAME          A label
  --tag TAG            Any number of times
  --folder ID          A folder
  --external-id ID     Your own id of it
  --domain HOST        A domain of the workspace, for the short link
  --alias ADDRESS      Another address, such as go.example.com/menu: any number
                       of times. Replaces those that the code has
  --status STATUS      active or paused
  --data JSON          The content of a code of another type`;

/** The fields that options set. An empty text removes a value. */
function fieldsOf(
  values: { readonly [Name in keyof typeof fields]?: string | string[] | undefined },
): Omit<QrUpdate, "qrType"> {
  const text = (name: keyof typeof fields) => {
    const value = values[name];
    return typeof value === "string" ? value || null : undefined;
  };
  const list = (name: "tag" | "alias") => {
    const value = values[name];
    return Array.isArray(value) ? value.filter((each) => each !== "") : undefined;
  };
  const given = {
    ...{
      name: text("name"),
      folderId: text("folder"),
      externalId: text("external-id"),
      domain: text("domain"),
      status: text("status"),
    },
    tags: list("tag"),
    aliases: list("alias"),
    data: typeof values.data === "string" ? jsonOf(values.data) : undefined,
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as QrUpdate;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("--data takes JSON, as in the API's documentation");
  }
}

/** What names a code, for explanations. */
export const codeHelp = "CODE is its id, its short link, its short name, or ext: and your own id.";

/** The order that options choose. The service names those that it knows. */
const sortOf = ({ sort, order }: { sort?: string | undefined; order?: string | undefined }) =>
  ({ ...(sort !== undefined && { sort }), ...(order !== undefined && { order }) }) as Parameters<
    QrCodes["qr"]["list"]
  >[0];

const scanHeads = ["SCANS", "30 DAYS", "LAST SCAN"];

const scanCells = ({ scans = 0, scans30d = 0, lastScanAt }: ListedQr): string[] => [
  `${scans}`,
  `${scans30d}`,
  lastScanAt ?? "",
];

export const list = command({
  usage: "codes list",
  about: "List codes",
  help: `
Lists codes, newest first or sorted.

Options:
  --filter NAME=VALUE  Only those with: tag, folderId, qrType, status, q (part
                       of the name), externalId, destination, destinationHost
  --sort FIELD         Sort by createdAt, updatedAt or name; up to 10000 codes
                       also by folder, status, qrType, externalId, domain,
                       destination or hash, up to 50000 by scans or lastScan
  --order ORDER        asc or desc (default: newest first, or from A to Z)
  --scans              With their scans: all, of the last 30 days, the last one${listHelp}
`,
  options: {
    filter: { type: "string", multiple: true },
    sort: { type: "string" },
    order: { type: "string" },
    scans: { type: "boolean" },
    ...listOptions,
  },
  choices: {
    sort: [
      ...["createdAt", "updatedAt", "name", "folder", "status", "qrType", "externalId"],
      ...["domain", "destination", "hash", "scans", "lastScan"],
    ],
    order: ["asc", "desc"],
  },
  async run({ values, output, signal, connect }) {
    const client = await connect();
    const include = values.scans ? ({ include: "scans" } as const) : {};
    const query = { ...filterOf(values.filter), ...sortOf(values), ...include, ...pageOf(values) };
    return printList(
      client.qr.list(query, { signal }),
      { values, output },
      tableOf(
        output,
        ["NAME", "LEADS TO", "STATUS", "SHORT LINK", ...(values.scans ? scanHeads : [])],
        (code) => [
          ...[code.name ?? "", destinationOf(code), code.status, code.scanUrl],
          ...(values.scans ? scanCells(code) : []),
        ],
        [0, 1],
      ),
    );
  },
});

export const create = command({
  usage: "codes create [URL]",
  about: "Create a code",
  help: `
Creates a code that leads to URL, or of another type with --type and --data.

Options:${fieldsHelp}
  --type TYPE          vcard, sms, email and others
  --hash NAME          A short name for its link
  --json               Print JSON
`,
  options: { ...fields, type: { type: "string" }, hash: { type: "string" } },
  choices: { status: ["active", "paused"] },
  async run({ args: [url], values, output, signal, connect }) {
    const { data, ...others } = fieldsOf(values);
    if ((url === undefined) === (data === undefined)) throw new UsageError("Give either URL or --data.");
    const qrType = values.type ?? "url";
    const content = url === undefined ? { type: qrType, ...data } : { type: "url", url };
    const given = Object.entries(others).filter(([, value]) => value !== null);
    const hash = values.hash === undefined ? {} : { hash: values.hash };
    const code = { ...Object.fromEntries(given), ...hash, qrType, data: content };
    const client = await connect();
    printCode(output, await client.qr.create(code as Parameters<typeof client.qr.create>[0], { signal }));
    return exitCodes.ok;
  },
});

export const get = command({
  usage: "codes get CODE",
  about: "Print a code",
  help: `
Prints a code; with -, those that the standard input names: a line each, or the
JSON of codes, scans or changes.
${codeHelp}

Options:
  --json, --ndjson   Print JSON: of several, a list, or a line for each
`,
  options: { ndjson: { type: "boolean" } },
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    if (given !== "-") printCode(output, await findCode(client, given, signal));
    else {
      const codes = await codesOfInput(client, signal);
      output.result(codes, () => {
        for (const [index, code] of codes.entries()) {
          if (index > 0) output.line("");
          printFields(output, code);
        }
      });
    }
    return exitCodes.ok;
  },
});

export const set = command({
  usage: "codes set CODE",
  about: "Change a code",
  help: `
Changes a code, and says how to undo that. An empty value removes one. CODE is
its id, its short link, its short name, or ext: and your own id. With - it
changes all that the standard input names, as a bulk job.

Options:
  --url URL            Where it leads${fieldsHelp}
  --json               Print JSON
`,
  options: { ...fields, url: { type: "string" } },
  choices: { status: ["active", "paused"] },
  async run({ args: [given = ""], values, output, signal, connect }) {
    const { url } = values;
    const own = fieldsOf(values);
    const changes: QrUpdate = url === undefined ? own : { ...own, data: { type: "url", url } };
    if (Object.keys(changes).length === 0) throw new UsageError("Nothing to change: see qr codes set --help");
    const client = await connect();
    if (given === "-") {
      const items = (await idsOfInput(client, signal)).map((id) => ({ ...changes, id }));
      return followUndoable(client, await client.bulk.update({ items }, { signal }), output, signal);
    }
    const before = await findCode(client, given, signal);
    const after = await client.qr.update(before.id, changes, { signal });
    printCode(output, after);
    if (after.updatedAt === before.updatedAt) output.note("Nothing has changed.");
    else await noteUndo(client, before.id, output, signal);
    return exitCodes.ok;
  },
});

export const remove = command({
  usage: "codes delete CODE",
  about: "Delete a code",
  help: `
Deletes a code, and says how to undo that, for 30 days. CODE is its id, its
short link, its short name, or ext: and your own id. With - it deletes all that
the standard input names, as a bulk job.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    if (given === "-") {
      const ids = await idsOfInput(client, signal);
      const job = await client.bulk.update({ ids, change: { delete: true } }, { signal });
      return followUndoable(client, job, output, signal);
    }
    const code = await findCode(client, given, signal);
    const deleted = await client.qr.delete(code.id, { signal });
    output.result(deleted, () => output.line(`Deleted ${code.name ?? code.scanUrl}`));
    await noteUndo(client, code.id, output, signal);
    return exitCodes.ok;
  },
});

import type { Qr, QrCodes, QrUpdate } from "../../index.ts";
import { command, filterOf, numberOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import type { Output } from "../output.ts";

/** The most codes that a list shows, unless told otherwise. */
const shownCodes = 100;

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

/** Where a code leads, in one line. */
const destinationOf = ({ data }: Qr): string =>
  data.type === "url" ? data.url : `${data.type}: ${JSON.stringify({ ...data, type: undefined })}`;

function printCode(output: Output, code: Qr): void {
  output.result(code, () => {
    const rows = {
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
    };
    for (const [name, value] of Object.entries(rows)) {
      if (value !== null && value !== "") output.line(`${name.padEnd(11)} ${value}`);
    }
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
  type: { type: "string" },
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

export const list = command({
  usage: "codes list",
  help: `
Lists codes, newest first.

Options:
  --filter NAME=VALUE  Only those with: tag, folderId, qrType, status, q (part
                       of the name), externalId, destination, destinationHost
  --limit N            At most so many (default: ${shownCodes})
  --all                All of them
  --json               Print JSON
`,
  options: {
    filter: { type: "string", multiple: true },
    limit: { type: "string" },
    all: { type: "boolean" },
  },
  async run({ values, output, signal, connect }) {
    const most = values.all ? Number.POSITIVE_INFINITY : (numberOf("limit", values.limit) ?? shownCodes);
    const filter = { ...filterOf(values.filter), limit: Math.min(most, 100) };
    const client = await connect();
    const codes: Qr[] = [];
    let hasMore = false;
    for await (const code of client.qr.list(filter, { signal })) {
      if (codes.length >= most) {
        hasMore = true;
        break;
      }
      codes.push(code);
    }
    output.result(codes, () =>
      output.table(
        ["NAME", "LEADS TO", "STATUS", "SHORT LINK"],
        codes.map((code) => [code.name ?? "", destinationOf(code), code.status, code.scanUrl]),
        [0, 1],
      ),
    );
    if (hasMore) output.note(`There are more than ${most}: use --limit or --all.`);
    return exitCodes.ok;
  },
});

export const create = command({
  usage: "codes create [URL]",
  help: `
Creates a code that leads to URL, or of another type with --type and --data.

Options:${fieldsHelp}
  --type TYPE          vcard, sms, email and others
  --hash NAME          A short name for its link
  --json               Print JSON
`,
  options: { ...fields, hash: { type: "string" } },
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
  help: `
Prints a code. CODE is its id, its short link, its short name, or ext: and your
own id, such as ext:A-1.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [code = ""], output, signal, connect }) {
    printCode(output, await findCode(await connect(), code, signal));
    return exitCodes.ok;
  },
});

export const set = command({
  usage: "codes set CODE",
  help: `
Changes a code, and says how to undo that. An empty value removes one. CODE is
its id, its short link, its short name, or ext: and your own id.

Options:
  --url URL            Where it leads${fieldsHelp}
  --json               Print JSON
`,
  options: { ...fields, url: { type: "string" } },
  async run({ args: [given = ""], values, output, signal, connect }) {
    const { url } = values;
    const own = fieldsOf(values);
    const changes: QrUpdate = url === undefined ? own : { ...own, data: { type: "url", url } };
    if (Object.keys(changes).length === 0) throw new UsageError("Nothing to change: see qr codes set --help");
    const client = await connect();
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
  help: `
Deletes a code, and says how to undo that, for 30 days. CODE is its id, its
short link, its short name, or ext: and your own id.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const code = await findCode(client, given, signal);
    const deleted = await client.qr.delete(code.id, { signal });
    output.result(deleted, () => output.line(`Deleted ${code.name ?? code.scanUrl}`));
    await noteUndo(client, code.id, output, signal);
    return exitCodes.ok;
  },
});

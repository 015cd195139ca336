import type { Folder, QrCodes } from "../../index.ts";
import { command } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { listHelp, listOptions, pageOf, printList, tableOf, wholeList } from "../list.ts";
import type { Output } from "../output.ts";

const folderHelp = "FOLDER is its id, or its name if no other has it";

/** Finds a folder by its id or name. @throws UsageError if several have the name, or none */
async function findFolder(client: QrCodes, given: string, signal: AbortSignal): Promise<string> {
  const named: string[] = [];
  for await (const { id, name } of client.folders.list({}, { signal })) {
    if (id === given) return id;
    if (name === given) named.push(id);
  }
  const [folder, another] = named;
  if (another !== undefined) throw new UsageError(`Several folders are named ${given}: ${named.join(", ")}`);
  // An id answers with the service's own 404.
  return folder ?? given;
}

function printFolder(output: Output, folder: Folder): number {
  output.result(folder, () => output.fields({ id: folder.id, name: folder.name }));
  return exitCodes.ok;
}

export const listFolders = command({
  usage: "folders list",
  about: "List folders",
  help: `
Lists folders.

Options:${listHelp}
`,
  options: listOptions,
  async run({ values, output, signal, connect }) {
    const client = await connect();
    return printList(
      client.folders.list(pageOf(values), { signal }),
      { values, output },
      tableOf(output, ["NAME", "ID"], ({ name, id }) => [name, id], [0]),
    );
  },
});

export const createFolder = command({
  usage: "folders create NAME",
  about: "Create a folder",
  help: `
Creates a folder.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [name = ""], output, signal, connect }) {
    return printFolder(output, await (await connect()).folders.create({ name }, { signal }));
  },
});

export const renameFolder = command({
  usage: "folders rename FOLDER NAME",
  about: "Rename a folder",
  help: `
Renames a folder. ${folderHelp}.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = "", name = ""], output, signal, connect }) {
    const client = await connect();
    const id = await findFolder(client, given, signal);
    return printFolder(output, await client.folders.rename(id, name, { signal }));
  },
});

export const deleteFolder = command({
  usage: "folders delete FOLDER",
  about: "Delete a folder; its codes stay",
  help: `
Deletes a folder. Its codes stay, without one. It can be restored for 30 days.
${folderHelp}.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const id = await findFolder(client, given, signal);
    const deleted = await client.folders.delete(id, { signal });
    output.result(deleted, () => output.line(`Deleted ${given}`));
    output.note(`Undo it with: qr folders restore ${id}`);
    return exitCodes.ok;
  },
});

export const restoreFolder = command({
  usage: "folders restore ID",
  about: "Restore a folder with its codes",
  help: `
Restores a deleted folder with its codes, for 30 days.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [id = ""], output, signal, connect }) {
    return printFolder(output, await (await connect()).folders.restore(id, { signal }));
  },
});

export const listLists = command({
  usage: "lists list",
  about: "List saved lists",
  help: `
Lists the saved lists of the workspace: filters of codes with an order, named.

Options:${wholeList.help}
`,
  options: wholeList.options,
  async run({ output, signal, connect }) {
    const client = await connect();
    return printList(
      client.lists.list({ signal }),
      { values: wholeList.values, output },
      tableOf(
        output,
        ["NAME", "FILTER", "SORT", "ID"],
        ({ name, filter, sort, order, id }) => [
          ...[
            name,
            Object.entries(filter)
              .map(([field, value]) => `${field}=${value}`)
              .join(" "),
          ],
          ...[`${sort} ${order}`, id],
        ],
        [0, 1],
      ),
    );
  },
});

export const listDomains = command({
  usage: "domains list",
  about: "List domains",
  help: `
Lists the domains of the workspace: hosts at which its codes answer. Needs the
scope workspace:read. Domains are added in the dashboard.

Options:${wholeList.help}
`,
  options: wholeList.options,
  async run({ output, signal, connect }) {
    const client = await connect();
    return printList(
      client.domains.list({ signal }),
      { values: wholeList.values, output },
      tableOf(output, ["HOST", "STATUS", "PROBLEM"], ({ host, status, problem }) => [
        ...[host, status, problem ?? ""],
      ]),
    );
  },
});

export const getDomain = command({
  usage: "domains get DOMAIN",
  about: "Print a domain with the DNS records that it needs",
  help: `
Prints a domain with the DNS records that it needs. DOMAIN is its host or its
id. Needs the scope workspace:read.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const domains = await client.domains.list({ signal }).all();
    // An id answers with the service's own 404.
    const found = domains.find(({ id, host }) => id === given || host === given.toLowerCase());
    const domain = found ?? (await client.domains.get(given, { signal }));
    output.result(domain, () => {
      const { id, host, status, problem, detail } = domain;
      output.fields({ id, host, status, problem, found: detail });
      if (domain.records.length === 0) return;
      output.line("");
      output.table(
        ["TYPE", "NAME", "VALUE"],
        domain.records.map(({ type, name, value }) => [type, name, value]),
      );
    });
    return exitCodes.ok;
  },
});

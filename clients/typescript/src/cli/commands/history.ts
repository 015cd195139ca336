import type { HistoryEntry } from "../../index.ts";
import { command, filterOf } from "../command.ts";
import { listHelp, listOptions, pageOf, printList, tableOf } from "../list.ts";
import { codeHelp, findCode } from "./codes.ts";

const entryRow = ({ at, actor, action, object, changes, id }: HistoryEntry) => [
  ...[at, actor.name, action, object.name ?? object.id, Object.keys(changes).join(", "), id],
];

export const history = command({
  usage: "history [CODE]",
  about: "List changes, and who made them",
  help: `
Lists the changes in the workspace, or of a code, newest first. qr undo takes
their ids.
${codeHelp}

Options:
  --filter NAME=VALUE  Only those with: kind (such as code), object (an id),
                       actor, jobId, from, to${listHelp}
`,
  options: { filter: { type: "string", multiple: true }, ...listOptions },
  async run({ args: [given], values, output, signal, connect }) {
    const client = await connect();
    const filter = { ...filterOf(values.filter), ...pageOf(values) };
    const entries =
      given === undefined
        ? client.history.list(filter, { signal })
        : client.qr.history((await findCode(client, given, signal)).id, filter, { signal });
    return printList(
      entries,
      { values, output },
      tableOf(output, ["TIME", "WHO", "ACTION", "WHAT", "FIELDS", "ID"], entryRow, [1, 3, 4]),
    );
  },
});

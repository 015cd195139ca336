import { NotFoundError, type QrCodes } from "../../index.ts";
import { command } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readInput } from "../files.ts";
import { follow, report } from "../follow.ts";
import type { Output } from "../output.ts";
import { changesIn } from "../rows.ts";

export const job = command({
  usage: "job ID",
  about: "Print or follow a bulk job",
  help: `
Prints a bulk job with the rows that failed.

Options:
  --follow   Wait for its end. Ctrl-C leaves it running
  --json     Print JSON
`,
  options: { follow: { type: "boolean" } },
  async run({ args: [id = ""], values, output, signal, connect }) {
    const client = await connect();
    return values.follow ? follow(client, id, output, signal) : report(client, id, output, signal);
  },
});

export const undo = command({
  usage: "undo ID",
  about: "Undo a bulk job, or a change",
  help: `
Undoes a bulk job, or a change by the id of its entry in the history. With - it
undoes those that the standard input names, one after the other: a line each, or
the JSON of qr history. Needs the scope history:read, and the one to make the
change.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const ids = given === "-" ? changesIn(await readInput("-")) : [given];
    let code: number = exitCodes.ok;
    for (const id of ids) code = Math.max(code, await undoOne(client, id, output, signal));
    return code;
  },
});

/** @returns the exit code */
async function undoOne(client: QrCodes, id: string, output: Output, signal: AbortSignal): Promise<number> {
  const isJob = await client.bulk.get(id, { items: "none" }, { signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NotFoundError) return false;
      throw error;
    },
  );
  if (isJob) {
    const { jobId } = await client.history.undoJob(id, { signal });
    return follow(client, jobId, output, signal);
  }
  const reverted = await client.history.undo(id, { signal });
  // The entry of a job undoes the job.
  if (reverted.job !== null) return follow(client, reverted.job.jobId, output, signal);
  output.result(reverted, () => {
    const { entry } = reverted;
    output.line(`Undone: ${entry?.action ?? ""} ${entry?.object.name ?? ""}`);
  });
  if (reverted.entry !== null) output.note(`Undo that with: qr undo ${reverted.entry.id}`);
  return exitCodes.ok;
}

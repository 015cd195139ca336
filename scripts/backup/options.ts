import { parseCommandLine } from "../lib/command-line.ts";
import { Failure } from "../lib/failure.ts";
import { parsePort } from "../lib/port.ts";
import type { Place } from "./reach.ts";

export const backupUsage = `Usage: npm run backup -- INSTALLATION DIR [--move | --stay]
       npm run backup -- --local DIR [--move | --stay]
       npm run backup -- verify DIR

Copies everything of an installation into a folder of this machine: the catalogue, each workspace's scans, reports,
webhooks, submissions and history, and the files of R2. Run it again to go on after an interruption, or to bring the folder
up to date later. verify reads a whole backup and finds what is missing or was changed, without an account.

  INSTALLATION  its prefix, such as qr
  DIR           the folder; only you can read what is in it
  --local       npm run dev, instead of an installation
  --port N      its port (default: the environment's PORT, or 8787)
  --move        the installation moves to another: it refuses changes and sends no webhooks from now on
  --stay        it doesn't move after all: it accepts changes and sends webhooks again
  --help        show this`;

export const restoreUsage = `Usage: npm run restore -- DIR INSTALLATION [--finish]
       npm run restore -- DIR --local [--finish]

Restores a backup into an empty installation, and compares the two. Run it again to go on after an interruption. Until
--finish, the installation refuses changes and sends no webhooks, so that not both installations send them.

  DIR           the folder of a backup
  INSTALLATION  the prefix of an installation that has nothing yet
  --local       npm run dev, instead of an installation
  --port N      its port (default: the environment's PORT, or 8787)
  --finish      take it into use: record what the other installation got since a backup with --move, accept changes, send
                webhooks
  --help        show this`;

/** The task: take a backup, also for a move or to end one, or verify one; null to show the usage. */
export type BackupOptions =
  | { readonly command: "take" | "move" | "stay"; readonly place: Place; readonly folder: string }
  | { readonly command: "verify"; readonly folder: string }
  | null;

type Env = { readonly PORT?: string | undefined };

/** Parses the command line of `npm run backup`. @throws Failure, with the usage, for an invalid one */
export function parseBackupOptions(args: string[], env: Env): BackupOptions {
  const { values, positionals } = parse(args, backupUsage);
  if (values.help) return null;
  const [first = "", second = "", ...rest] = positionals;
  const command = values.move ? "move" : values.stay ? "stay" : "take";
  if (values.move && values.stay) throw new Failure(backupUsage);
  if (values.local && first !== "" && second === "") {
    return { command, place: { port: portOf(values.port, env) }, folder: first };
  }
  if (values.local || first === "" || second === "" || rest.length > 0) throw new Failure(backupUsage);
  return first === "verify"
    ? { command: "verify", folder: second }
    : { command, place: { prefix: first }, folder: second };
}

/** Where to restore a backup; null to show the usage. */
export type RestoreOptions = {
  readonly place: Place;
  readonly folder: string;
  readonly finish: boolean;
} | null;

/** Parses the command line of `npm run restore`. @throws Failure, with the usage, for an invalid one */
export function parseRestoreOptions(args: string[], env: Env): RestoreOptions {
  const { values, positionals } = parse(args, restoreUsage);
  if (values.help) return null;
  const [folder = "", prefix = "", ...rest] = positionals;
  if (folder === "" || (prefix === "") !== values.local || rest.length > 0) throw new Failure(restoreUsage);
  const place = values.local ? { port: portOf(values.port, env) } : { prefix };
  return { place, folder, finish: values.finish };
}

function parse(args: string[], usage: string) {
  return parseCommandLine(
    {
      args,
      allowPositionals: true,
      options: {
        local: { type: "boolean", default: false },
        port: { type: "string" },
        finish: { type: "boolean", default: false },
        move: { type: "boolean", default: false },
        stay: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  );
}

const portOf = (text = "", { PORT = "" }: Env): number => parsePort("--port", text || PORT || "8787");

import * as z from "zod";
import { parseCommandLine } from "../lib/command-line.ts";
import { Failure } from "../lib/failure.ts";
import { parseHost } from "../setup/options.ts";

interface Options {
  /** Which installation, if there are several. */
  readonly prefix: string | undefined;
}

export interface AddOptions extends Options {
  readonly action: "add";
  readonly host: string;
  /** The workspace whose domain the host becomes; undefined for another scan origin. */
  readonly workspaceId: string | undefined;
  readonly waitMinutes: number;
}

export interface RemoveOptions extends Options {
  readonly action: "remove";
  readonly host: string;
  readonly yes: boolean;
}

export type DomainsOptions =
  | AddOptions
  | RemoveOptions
  | (Options & { readonly action: "list" | "to-edge" | "to-main" })
  | { readonly action: "help" };

export const usage = `Usage: npm run domains -- list
       npm run domains -- add HOST [options]
       npm run domains -- remove HOST [options]
       npm run domains -- to-edge
       npm run domains -- to-main

Leads further hosts, such as qr.acme.com, to an installation. Their domains are in your Cloudflare account.

  list             shows the installation's hosts, and whether they lead to it
  add HOST         attaches the host to the service and waits until it answers
  remove HOST      detaches it; what was printed with the host stops working
  to-edge          leads all hosts but the dashboard's to the Worker for scans (npm run setup -- --edge)
  to-main          leads them to the service again, as before going back to 1.1.0

  --workspace ID   with add: make it a domain of this workspace, where only its codes answer.
                   Without it, every code answers there
  --wait MINUTES   with add: how long to wait for the certificate (default: 15)
  --yes            with remove: don't ask
  --prefix NAME    which installation, if there are several
  --help           show this

It uses CLOUDFLARE_API_TOKEN if that is set, and signs you in with wrangler otherwise. The operator's secret is read from
OPERATOR_SECRET or its file.`;

/**
 * Parses the command line.
 * @throws Failure for an invalid command line
 */
export function parseDomainsOptions(args: string[]): DomainsOptions {
  const { values, positionals } = parse(args);
  if (values.help) return { action: "help" };
  const [action, typed, ...rest] = positionals;
  const { prefix } = values;
  if (!isAction(action)) {
    throw new Failure(`${action === undefined ? "Say what to do" : `There is no ${action}`}\n\n${usage}`);
  }
  const given = { "--workspace": values.workspace, "--wait": values.wait, "--yes": values.yes || undefined };
  const foreign = Object.entries(given).find(
    ([name, value]) => value !== undefined && (name === "--yes" ? action !== "remove" : action !== "add"),
  );
  if (foreign !== undefined) throw new Failure(`${action} takes no ${foreign[0]}`);
  if (action !== "add" && action !== "remove") {
    if (typed !== undefined) throw new Failure(`${action} takes no host`);
    return { action, prefix };
  }
  if (typed === undefined || rest.length > 0) {
    throw new Failure(`Name one host, such as npm run domains -- ${action} qr.acme.com`);
  }
  const host = parseHost("HOST", typed);
  if (action === "remove") return { action, host, prefix, yes: values.yes };
  return {
    action,
    host,
    prefix,
    workspaceId: workspaceIdOf(values.workspace),
    waitMinutes: minutesOf(values.wait ?? "15"),
  };
}

const actions = ["list", "add", "remove", "to-edge", "to-main"] as const;

const isAction = (text: string | undefined): text is (typeof actions)[number] =>
  actions.some((action) => action === text);

function workspaceIdOf(text: string | undefined): string | undefined {
  if (text === undefined || z.uuid().safeParse(text).success) return text;
  throw new Failure(
    `--workspace must be the id of a workspace, such as 01900000-0000-7000-8000-0000000000c0, not "${text}"`,
  );
}

function minutesOf(text: string): number {
  const minutes = Number(text);
  if (text !== "" && Number.isInteger(minutes) && minutes >= 0 && minutes <= 120) return minutes;
  throw new Failure(`--wait must be 0 to 120 minutes, not "${text}"`);
}

function parse(args: string[]) {
  return parseCommandLine(
    {
      args,
      allowPositionals: true,
      options: {
        workspace: { type: "string" },
        wait: { type: "string" },
        yes: { type: "boolean", default: false },
        prefix: { type: "string" },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  );
}

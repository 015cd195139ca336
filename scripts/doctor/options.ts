import { resolve } from "node:path";
import { parseCommandLine } from "../lib/command-line.ts";
import { Failure } from "../lib/failure.ts";
import { parsePort } from "../lib/port.ts";

export interface DoctorOptions {
  /** The installation to check; undefined for the only one. */
  readonly prefix: string | undefined;
  readonly local: boolean;
  readonly port: number;
  /** The folder of the local data, as an absolute path; undefined for the usual one. */
  readonly persistTo: string | undefined;
  readonly scan: boolean;
  readonly all: boolean;
  readonly help: boolean;
}

export const usage = `Usage: npm run doctor [-- PREFIX] [options]

Checks an installation: its parts in your Cloudflare account, its addresses, and what the service itself finds. Prints
what is wrong, each with the command or page that fixes it, and what it could not check. Without an installation, checks
what \`npm run dev\` runs and stores. It changes nothing, except that it creates a code, scans it and deletes it.

  PREFIX             the installation (default: the only one in installations/)
  --local            check \`npm run dev\` and its data
  --port N           port of \`npm run dev\` (default: the environment's PORT, or 8787)
  --persist-to DIR   its data (default: .wrangler/state)
  --no-scan          create no code to scan
  --all              print what is in order, too
  --help             show this

It uses CLOUDFLARE_API_TOKEN, or your sign-in with wrangler, and the operator's secret from OPERATOR_SECRET or its file.
It exits with 1 if something has failed.`;

/** Parses the command line. @throws Failure, with the usage, for an invalid command line */
export function parseDoctorOptions(args: string[], env: { PORT?: string | undefined }): DoctorOptions {
  const { values, positionals } = parse(args);
  const [prefix, ...rest] = positionals;
  if (rest.length > 0) throw new Failure(`Only one installation at a time, not ${positionals.join(", ")}`);
  if (prefix !== undefined && values.local) throw new Failure("--local takes no installation");
  if (prefix !== undefined && !/^[a-z][a-z0-9-]*$/.test(prefix)) {
    throw new Failure(`The installation must be a prefix such as qr, not "${prefix}"`);
  }
  const port = parsePort("--port", values.port ?? (env.PORT || "8787"));
  const persistTo = values["persist-to"];
  return {
    prefix,
    local: values.local,
    port,
    persistTo: persistTo === undefined ? undefined : resolve(persistTo),
    scan: !values["no-scan"],
    all: values.all,
    help: values.help,
  };
}

function parse(args: string[]) {
  return parseCommandLine(
    {
      args,
      allowPositionals: true,
      options: {
        local: { type: "boolean", default: false },
        port: { type: "string" },
        "persist-to": { type: "string" },
        "no-scan": { type: "boolean", default: false },
        all: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  );
}

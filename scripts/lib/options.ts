import { resolve } from "node:path";
import { parseCommandLine } from "./command-line.ts";
import { Failure } from "./failure.ts";
import { parsePort } from "./port.ts";

export interface DevOptions {
  readonly port: number;
  /** The identity provider's port. */
  readonly oidcPort: number;
  /** Where a debugger attaches; wrangler picks one if undefined. */
  readonly inspectorPort: number | undefined;
  readonly reset: boolean;
  /** The example to add: a company, or a large workspace. */
  readonly example: "company" | "large" | undefined;
  /** The folder for local data, as an absolute path; undefined for `.wrangler/state`. */
  readonly persistTo: string | undefined;
  /** The place where all scans appear to come from; none if empty. */
  readonly place: { readonly country?: string; readonly city?: string };
  readonly help: boolean;
}

export const usage = `Usage: npm run dev -- [options]

  --port N            port to listen on (default: the environment's PORT, or 8787)
  --oidc-port N       port of the local identity provider (default: the one after the service's)
  --inspector-port N  port for a debugger (default: 9229, or the next free one)
  --example           add an example company: twelve codes and sixty days of scans
  --example large     add a workspace with 50,000 codes and a million scans, which takes minutes
  --reset             start over: delete the local data and the demo key first
  --persist-to DIR    keep the data in DIR instead of .wrangler/state
  --country CC        country that scans are recorded with, such as DE (default: none)
  --city NAME         city that scans are recorded with (default: none)
  --help              show this

The key of the demo workspace is kept in .dev.key, in the folder of --persist-to if that is given.`;

/**
 * Parses the command line.
 * @throws Failure, with the usage, for an invalid command line
 */
export function parseDevOptions(args: string[], env: { PORT?: string | undefined }): DevOptions {
  const at = args.indexOf("--example") + 1;
  const isLarge = at > 0 && args[at] === "large";
  const values = parse(isLarge ? args.toSpliced(at, 1) : args);
  const persistTo = values["persist-to"];
  if (persistTo === "") throw new Failure(`--persist-to needs a folder\n\n${usage}`);
  const port =
    values.port === undefined ? parsePort("PORT", env.PORT || "8787") : parsePort("--port", values.port);
  return {
    port,
    oidcPort: parseOidcPort(values["oidc-port"], port),
    inspectorPort: parseInspectorPort(values["inspector-port"]),
    reset: values.reset,
    example: isLarge ? "large" : values.example ? "company" : undefined,
    persistTo: persistTo === undefined ? undefined : resolve(persistTo),
    place: {
      ...(values.country === undefined ? {} : { country: parseCountry(values.country) }),
      ...(values.city === undefined ? {} : { city: values.city }),
    },
    help: values.help,
  };
}

function parse(args: string[]) {
  return parseCommandLine(
    {
      args,
      options: {
        port: { type: "string" },
        "oidc-port": { type: "string" },
        "inspector-port": { type: "string" },
        example: { type: "boolean", default: false },
        reset: { type: "boolean", default: false },
        "persist-to": { type: "string" },
        country: { type: "string" },
        city: { type: "string" },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  ).values;
}

function parseCountry(text: string): string {
  if (!/^[A-Z]{2}$/.test(text)) throw new Failure(`--country must be two letters such as DE, not "${text}"`);
  return text;
}

const parseInspectorPort = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parsePort("--inspector-port", text);

function parseOidcPort(text: string | undefined, port: number): number {
  if (text === undefined) return port < 65_535 ? port + 1 : port - 1;
  const oidcPort = parsePort("--oidc-port", text);
  if (oidcPort === port) throw new Failure(`--oidc-port must be another port than the service's, ${port}`);
  return oidcPort;
}

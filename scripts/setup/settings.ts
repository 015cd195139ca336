import type { Account, Zone } from "../lib/account/reads.ts";
import { Failure } from "../lib/failure.ts";
import { findZone } from "../lib/installation/hosts.ts";
import { hostsOf, isWorkersDev } from "../lib/installation/installation.ts";
import { type Ask, askUntilValid } from "../lib/terminal.ts";
import { parseHost, type SetupOptions } from "./options.ts";

type Vars = Readonly<Record<string, string>>;

interface Sources {
  readonly options: SetupOptions;
  /** wrangler.toml's own settings. */
  readonly defaults: Vars;
  /** The settings in the installation's file. */
  readonly written: Vars | undefined;
  /** The settings of the deployed service. */
  readonly deployed: Vars | undefined;
  readonly account: Account;
  readonly zones: readonly Zone[];
  /** The service's host at workers.dev, read if it is asked for. */
  readonly workersDevHost: () => Promise<string>;
  readonly ask: Ask | undefined;
  readonly say: (line: string) => void;
}

/**
 * Decides the settings of an installation: by the options, else as they are, else by asking.
 * @throws Failure for a scan domain that shouldn't be printed
 */
export async function decideSettings(sources: Sources): Promise<Vars> {
  const { options, defaults, written, deployed } = sources;
  const existing = written ?? deployed ?? {};
  const origins = options.workersDev
    ? { SCAN_ORIGIN: `https://${await sources.workersDevHost()}`, APP_ORIGIN: "" }
    : await decideOrigins(sources, existing);
  const { SCAN_ORIGIN: before } = deployed ?? {};
  if (before !== undefined && before !== origins.SCAN_ORIGIN && !options.moveScans) {
    throw new Failure(`Codes printed so far contain ${before}, and would stop working at ${origins.SCAN_ORIGIN}.
If none is in use: npm run setup -- --move-scans`);
  }
  const own = Object.entries(existing).filter(([name, value]) => value !== defaults[name]);
  return {
    // The workspaces of one's own installation have no reason to be on a smaller plan.
    DEFAULT_PLAN: "business",
    ...Object.fromEntries(own),
    ...origins,
    ...(options.oidcIssuer === undefined ? {} : { OIDC_ISSUER: options.oidcIssuer }),
    ...(options.oidcClientId === undefined ? {} : { OIDC_CLIENT_ID: options.oidcClientId }),
  };
}

async function decideOrigins(sources: Sources, existing: Vars) {
  const { options, zones, account } = sources;
  /** @throws Failure for a host that nobody can have, which isn't worth another question */
  const inZone = (host: string) => {
    if (!isWorkersDev(host)) findZone(zones, host, account);
    return host;
  };
  const [scansBefore] = hostsOf({ SCAN_ORIGIN: existing.SCAN_ORIGIN ?? "" });
  const zone = zones.find(({ status }) => status === "active")?.name;
  const scans =
    options.scanDomain ??
    scansBefore ??
    (await askHost(sources, "--scan-domain", "Host in your printed codes", zone && `qr.${zone}`, inZone));
  if (isWorkersDev(scans) && scans !== scansBefore) {
    throw new Failure(`Codes printed with ${scans} can't move to a domain of your own later.
Choose one of your domains with --scan-domain, or try the service out: npm run setup -- --workers-dev`);
  }
  const one = { SCAN_ORIGIN: `https://${scans}`, APP_ORIGIN: "" };
  if (isWorkersDev(scans)) return one;
  const [appBefore] =
    existing.APP_ORIGIN === "" ? [scans] : hostsOf({ APP_ORIGIN: existing.APP_ORIGIN ?? "" });
  const parent = findZone(zones, scans, account).name;
  const app =
    options.appDomain ??
    appBefore ??
    (await askHost(sources, "--app-domain", "Host of dashboard and API", `app.${parent}`, inZone));
  return app === scans ? one : { ...one, APP_ORIGIN: `https://${app}` };
}

function askHost(
  { ask, say }: Sources,
  option: string,
  question: string,
  proposal: string | undefined,
  check: (host: string) => string,
): Promise<string> {
  if (ask === undefined) throw new Failure(`Say which: ${option} HOST (npm run setup -- --help)`);
  const shown = `${question}${proposal === undefined ? "" : ` [${proposal}]`}: `;
  return askUntilValid(ask, say, shown, (answer) =>
    check(parseHost("It", answer === "" ? (proposal ?? "") : answer)),
  );
}

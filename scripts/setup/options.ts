import { domainToASCII } from "node:url";
import { parseCommandLine } from "../lib/command-line.ts";
import { Failure } from "../lib/failure.ts";

export interface SetupOptions {
  readonly prefix: string;
  /** The account's id or name. */
  readonly account: string | undefined;
  readonly scanDomain: string | undefined;
  /** The same as the scan domain for one origin. */
  readonly appDomain: string | undefined;
  readonly oidcIssuer: string | undefined;
  readonly oidcClientId: string | undefined;
  /** Whether everybody who can get an account at the provider may join. */
  readonly publicIssuer: boolean;
  /** Where alerts are sent. */
  readonly alertUrl: string | undefined;
  readonly withoutR2: boolean;
  /** Whether hosts lead to a Worker for scans; undefined to leave it as it is. A new installation has one. */
  readonly edge: boolean | undefined;
  readonly workersDev: boolean;
  readonly moveScans: boolean;
  readonly waitMinutes: number;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly help: boolean;
}

export const usage = `Usage: npm run setup -- [options]

Installs the service in your Cloudflare account, or completes an installation that was interrupted. It shows what it
will do before it changes anything. Questions are only asked for what is not given here.

  --scan-domain HOST      the host in your printed codes, such as qr.example.com; you can't change it in printed codes
  --app-domain HOST       the host of dashboard and API, such as app.example.com
  --account ID            the account's id or name (default: CLOUDFLARE_ACCOUNT_ID, or your only account)
  --prefix NAME           begins the names of everything it creates (default: qr)
  --oidc-issuer URL       your OpenID Connect provider; its client secret is read from OIDC_CLIENT_SECRET
  --oidc-client-id ID     this service's client id there
  --public-issuer         let everybody join who can get an account there, for example at accounts.google.com
  --alert-url URL         where to send alerts, such as an incoming webhook of Slack (default: ALERT_URL)
  --without-r2            don't use R2, which has to be enabled; run setup again without this to add it
  --edge                  answer scans by a small Worker of their own, to which their hosts point; new installations do
  --no-edge               answer them by the service's Worker, to which their hosts point then
  --workers-dev           use the account's workers.dev address instead of a domain, to try the service out
  --move-scans            give an installation another scan domain; codes printed so far stop working
  --wait MINUTES          how long to wait for the domains' certificates (default: 15)
  --dry-run               show what it would do, and change nothing
  --yes                   don't ask whether to continue
  --help                  show this

It uses CLOUDFLARE_API_TOKEN if that is set, and signs you in with wrangler otherwise.`;

/**
 * Parses the command line.
 * @throws Failure, with the usage, for an invalid command line
 */
export function parseSetupOptions(args: string[]): SetupOptions {
  const values = parse(args);
  const { prefix } = values;
  // Queues, buckets and Workers share these rules; the longest name of a Worker adds 24 characters to it.
  if (!/^[a-z][a-z0-9-]{0,28}[a-z0-9]$/.test(prefix)) {
    throw new Failure(
      `--prefix must be 2 to 30 lower-case letters, digits and hyphens, such as qr, not "${prefix}"`,
    );
  }
  if (values["workers-dev"] && (values["scan-domain"] ?? values["app-domain"]) !== undefined) {
    throw new Failure(
      "--workers-dev takes no --scan-domain or --app-domain: the address is the account's own",
    );
  }
  if (values.edge && values["no-edge"]) throw new Failure("--edge and --no-edge exclude each other");
  const waitMinutes = Number(values.wait);
  if (!Number.isInteger(waitMinutes) || waitMinutes < 0 || waitMinutes > 120) {
    throw new Failure(`--wait must be 0 to 120 minutes, not "${values.wait}"`);
  }
  return {
    prefix,
    account: values.account,
    scanDomain: host("--scan-domain", values["scan-domain"]),
    appDomain: host("--app-domain", values["app-domain"]),
    oidcIssuer: values["oidc-issuer"],
    oidcClientId: values["oidc-client-id"],
    publicIssuer: values["public-issuer"],
    alertUrl: values["alert-url"],
    withoutR2: values["without-r2"],
    edge: values.edge ? true : values["no-edge"] ? false : undefined,
    workersDev: values["workers-dev"],
    moveScans: values["move-scans"],
    waitMinutes,
    yes: values.yes,
    dryRun: values["dry-run"],
    help: values.help,
  };
}

/**
 * Reads a host as typed, or pasted as an address.
 * @param name what it is, for the error
 * @returns it in lower case, an international name in its ASCII form
 */
export function parseHost(name: string, text: string): string {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[/?#].*$/s, "")
    .replace(/\.$/, "");
  const typed = /[^\0-\x7f]/.test(bare) ? domainToASCII(bare) : bare;
  const parsed = URL.canParse(`https://${typed}`) ? new URL(`https://${typed}`) : undefined;
  if (parsed === undefined || parsed.hostname !== typed || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(typed)) {
    throw new Failure(`${name} must be a host such as qr.example.com, not "${text}"`);
  }
  if (/^[\d.]+$/.test(typed)) throw new Failure(`${name} must be a domain, not an IP address`);
  return typed;
}

const host = (name: string, text: string | undefined) =>
  text === undefined ? undefined : parseHost(name, text);

function parse(args: string[]) {
  return parseCommandLine(
    {
      args,
      options: {
        prefix: { type: "string", default: "qr" },
        account: { type: "string" },
        "scan-domain": { type: "string" },
        "app-domain": { type: "string" },
        "oidc-issuer": { type: "string" },
        "oidc-client-id": { type: "string" },
        "public-issuer": { type: "boolean", default: false },
        "alert-url": { type: "string" },
        "without-r2": { type: "boolean", default: false },
        edge: { type: "boolean", default: false },
        "no-edge": { type: "boolean", default: false },
        "workers-dev": { type: "boolean", default: false },
        "move-scans": { type: "boolean", default: false },
        wait: { type: "string", default: "15" },
        yes: { type: "boolean", default: false },
        "dry-run": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    },
    usage,
  ).values;
}

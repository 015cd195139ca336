import type { Unstable_Config } from "wrangler";
import { Plan } from "../../../src/contract/plans.ts";
import { serviceName } from "../../../src/contract/text.ts";
import { isWorkersDev } from "./installation.ts";
import { isPublicIssuer } from "./public-issuers.ts";

type Checked = Pick<Unstable_Config, "d1_databases" | "kv_namespaces" | "secrets" | "vars"> &
  Partial<Pick<Unstable_Config, "workers_dev" | "preview_urls">>;

const isPlaceholder = (id: string | undefined) => id === undefined || /^[0-]*$/.test(id);

function isHttpsOrigin(value: unknown): value is string {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === "https:" && url.origin === value;
}

const isHttps = (value: unknown): boolean =>
  typeof value === "string" && URL.canParse(value) && new URL(value).protocol === "https:";

/** An issuer may have a path. An empty one disables sign-in. */
const isIssuer = (value: unknown): boolean => value === "" || isHttps(value);

/** The scan origin's root would redirect to itself. */
function isHomeUrl(value: unknown, scans: URL | undefined): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, host, pathname } = new URL(value);
  return protocol === "https:" && (host !== scans?.host || pathname !== "/");
}

/** Returns the valid ones of the two origins. */
const originsOf = ({ vars }: Pick<Checked, "vars">): URL[] =>
  [vars.SCAN_ORIGIN, vars.APP_ORIGIN].filter(isHttpsOrigin).map((origin) => new URL(origin));

const isUnset = (value: unknown): boolean => value === "" || value === undefined;

/** Finds origins that are invalid, or whose hosts can't be told apart. */
function findOriginBlockers(config: Checked): string[] {
  const { SCAN_ORIGIN: scans, APP_ORIGIN: app } = config.vars;
  const blockers: string[] = [];
  if (!isHttpsOrigin(scans)) {
    blockers.push(`SCAN_ORIGIN must be an https origin like "https://qr.example.com", not "${scans}"`);
  }
  if (!isUnset(app) && !isHttpsOrigin(app)) {
    blockers.push(
      `APP_ORIGIN must be an https origin like "https://app.example.com", or empty, not "${app}"`,
    );
  }
  const [one, other] = originsOf(config);
  if (one !== undefined && one.hostname === other?.hostname && one.origin !== other.origin) {
    blockers.push("APP_ORIGIN must have another host than SCAN_ORIGIN: ports of a host share its cookies");
  }
  return blockers;
}

/** Checks that the service responds at its own hosts only. */
function findAddressBlockers(config: Checked): string[] {
  const hosts = [...new Set(originsOf(config).map(({ host }) => host))];
  // An installation to try the service out has no other address.
  if (hosts.length > 0 && hosts.every(isWorkersDev)) return [];
  const settings = ["workers_dev", "preview_urls"] as const;
  return settings
    .filter((setting) => config[setting] !== false)
    .map((setting) => `${setting} must be false: the service would also respond at a workers.dev address`);
}

/** Returns the problems in an installation's configuration that prevent a deployment. */
export function findBlockers(config: Checked): string[] {
  const blockers: string[] = [];
  for (const { binding, database_id } of config.d1_databases) {
    if (isPlaceholder(database_id)) blockers.push(`D1 database ${binding}: database_id is a placeholder`);
  }
  for (const { binding, id } of config.kv_namespaces) {
    if (isPlaceholder(id)) blockers.push(`KV namespace ${binding}: id is a placeholder`);
  }
  blockers.push(...findOriginBlockers(config), ...findAddressBlockers(config));
  const { HOME_URL: home } = config.vars;
  if (!isUnset(home) && !isHomeUrl(home, originsOf(config)[0])) {
    blockers.push(
      `HOME_URL must be an https address other than the root of SCAN_ORIGIN, or be empty, not "${home}"`,
    );
  }
  const { UPGRADE_URL: upgrade } = config.vars;
  if (!isUnset(upgrade) && !isHttps(upgrade)) {
    blockers.push(`UPGRADE_URL must be an https address, or be empty, not "${upgrade}"`);
  }
  const { BRAND_NAME: name } = config.vars;
  const { error } = serviceName.safeParse(name);
  if (!isUnset(name) && error !== undefined) blockers.push(`BRAND_NAME ${error.issues[0]?.message}`);
  blockers.push(...findCustomHostnameBlockers(config));
  for (const secret of config.secrets?.required ?? []) {
    if (secret in config.vars) {
      blockers.push(`${secret} must not be in [vars]: remove it, and set it with npm run setup`);
    }
  }
  blockers.push(...findSignInBlockers(config));
  return blockers;
}

/** Checks the zone whose custom hostnames are hosts of customers. */
function findCustomHostnameBlockers({ vars }: Checked): string[] {
  const { CUSTOM_HOSTNAMES_ZONE: zone, CUSTOM_HOSTNAMES_TARGET: target, MAX_CUSTOM_HOSTNAMES: most } = vars;
  const blockers: string[] = [];
  if (isUnset(zone) !== isUnset(target)) {
    blockers.push("CUSTOM_HOSTNAMES_ZONE and CUSTOM_HOSTNAMES_TARGET go together: set both, or neither");
  }
  if (!isUnset(zone) && !/^[\da-f]{32}$/.test(String(zone))) {
    blockers.push(`CUSTOM_HOSTNAMES_ZONE must be a zone's id, 32 hexadecimal digits, not "${zone}"`);
  }
  if (!isUnset(target) && !/^([a-z\d-]+\.)+[a-z\d-]+$/.test(String(target))) {
    blockers.push(
      `CUSTOM_HOSTNAMES_TARGET must be a host like "hosts.example.net", in lower case, not "${target}"`,
    );
  }
  if (!isUnset(most) && !/^\d{1,6}$/.test(String(most))) {
    blockers.push(`MAX_CUSTOM_HOSTNAMES must be a whole number, or be empty, not "${most}"`);
  }
  if ("CUSTOM_HOSTNAMES_TOKEN" in vars) {
    blockers.push(
      "CUSTOM_HOSTNAMES_TOKEN must not be in [vars]: remove it, and set it with wrangler secret put",
    );
  }
  return blockers;
}

const choices = {
  PASSKEYS: ["", "on", "off"],
  SIGN_UP: ["", "closed", "open"],
  OWNERS_CREATE_WORKSPACES: ["", "on", "off"],
  DEFAULT_PLAN: ["", ...Plan.options],
} as const;

/** Checks how people sign in, and the plan that they get. */
function findSignInBlockers({ vars }: Checked): string[] {
  const blockers: string[] = [];
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = vars;
  if (!isIssuer(issuer)) {
    blockers.push(`OIDC_ISSUER must begin with https://, or be empty, not "${issuer}"`);
  } else if ((issuer === "") !== (clientId === "")) {
    blockers.push("OIDC_ISSUER and OIDC_CLIENT_ID go together: set both, or neither");
  }
  for (const [name, values] of Object.entries(choices)) {
    const value = String(vars[name] ?? "");
    if (!(values as readonly string[]).includes(value)) {
      const list = values.filter((each) => each !== "").map((each) => `"${each}"`);
      blockers.push(`${name} must be ${list.join(", ")} or empty, not "${value}"`);
    }
  }
  const { SIGN_UP: signUp, DEFAULT_PLAN: plan } = vars;
  if (signUp === "open" && !isUnset(plan) && plan !== "free") {
    blockers.push("SIGN_UP can be open only if DEFAULT_PLAN is free: anyone could join on it");
  }
  return blockers;
}

/** Says who gets a workspace by these settings, and on which plan, and who can join one. */
export function whoGetsIn({ vars }: Pick<Checked, "vars">): string {
  const issuer = String(vars.OIDC_ISSUER ?? "");
  const hasPasskeys = vars.PASSKEYS === "on" || (isUnset(vars.PASSKEYS) && issuer === "");
  const owners = [
    ...(hasPasskeys && vars.SIGN_UP === "open" ? ["everyone"] : ["people with your one-time link"]),
    ...(issuer === ""
      ? []
      : [`everyone whom ${URL.canParse(issuer) ? new URL(issuer).host : issuer} lets in`]),
    ...(vars.OWNERS_CREATE_WORKSPACES === "on" ? ["owners of another"] : []),
  ];
  const plan = isUnset(vars.DEFAULT_PLAN) ? "free" : vars.DEFAULT_PLAN;
  return `workspaces on the ${plan} plan for ${owners.join("; ")}. Members invite others into theirs`;
}

/** Returns warnings about settings that don't prevent a deployment; undefined if there are none. */
export function deployWarning(config: Pick<Checked, "vars">): string | undefined {
  const { SCAN_ORIGIN: scans, APP_ORIGIN: app, OIDC_ISSUER: issuer, DEFAULT_PLAN: plan } = config.vars;
  const warnings: string[] = [];
  if (isUnset(app) || app === scans) {
    warnings.push(`Warning: scans, dashboard and API share the origin ${scans}, and so do hosted pages, which customers write, and
your users' sessions. Give the dashboard and the API another host: npm run setup -- --app-domain HOST
`);
  }
  if (isPublicIssuer(String(issuer ?? ""))) {
    warnings.push(`Warning: everybody can get an account at ${issuer}, and joins with a workspace on the plan ${isUnset(plan) ? "free" : plan}.
`);
  }
  return warnings.length === 0 ? undefined : warnings.join("\n");
}

/** Explains why the service can't be deployed, and what to do; undefined if it can. */
export function deployProblem(config: Checked): string | undefined {
  const blockers = findBlockers(config);
  if (blockers.length === 0) return undefined;
  return `The installation is not ready for a deployment:
${blockers.map((line) => `  ${line}`).join("\n")}

Correct its file in installations/, or let setup do it: npm run setup`;
}

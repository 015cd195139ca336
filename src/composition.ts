import { StoredCounter } from "./domain/counter.ts";
import type { CustomHostnameSettings, Deps, Settings } from "./domain/deps.ts";
import { slice } from "./domain/print/pace.ts";
import { buildEdgeDeps, readEdgeSettings } from "./edge/composition.ts";
import { readKeyring } from "./lib/crypto/keyring.ts";
import { notingFailures } from "./store/database-errors.ts";

/** Dependencies that tests and tools may replace. */
export type DepsOverrides = Partial<Omit<Deps, "settings">> & { readonly settings?: Partial<Settings> };

type BindingName = { [Name in keyof Env]: Env[Name] extends string ? never : Name }[keyof Env];

/** Every binding, and whether the service needs it. Without the others, it does less. */
const bindings: Readonly<Record<BindingName, "needed" | "optional">> = {
  DB: "needed",
  ROUTES: "needed",
  FILES: "optional",
  IMAGES: "optional",
  LEDGERS: "needed",
  METERS: "needed",
  FEEDS: "needed",
  SCANS: "needed",
  BULK: "needed",
  PRINTS: "needed",
  DELIVERIES: "needed",
  ROUTE_REPAIRS: "needed",
  UNKNOWN_HASHES: "needed",
  UNKNOWN_KEYS: "needed",
  SUBMISSIONS: "needed",
  ABUSE_REPORTS: "needed",
  MEASUREMENTS: "needed",
  DRAWINGS: "needed",
  SIGN_INS: "needed",
};

/** A binding and secrets that are not in wrangler.toml, because few installations have them. */
interface OptionalBindings {
  readonly FIGURES?: AnalyticsEngineDataset;
  readonly ALERT_URL?: string;
  readonly BACKUP_SECRET?: string;
  readonly CUSTOM_HOSTNAMES_TOKEN?: string;
}

/** Builds the dependencies from the Worker's bindings. No other module knows the bindings' names. */
export function buildDeps(env: Env, overrides: DepsOverrides = {}): Deps {
  const settings = buildSettings(env, overrides.settings);
  const edge = buildEdgeDeps(env, settings, overrides.now);
  return {
    ...edge,
    fetch: (input, init) => fetch(input, init),
    files: env.FILES,
    images: env.IMAGES,
    meter: (name) => notingFailures(env.METERS.get(env.METERS.idFromName(name))),
    drawings: {
      origin: `https://drawings.${new URL(settings.scanOrigin).host}`,
      open: () => caches.open("drawings"),
    },
    bulkQueue: env.BULK,
    printQueue: env.PRINTS,
    printSlice: slice,
    routeRepairQueue: env.ROUTE_REPAIRS,
    unknownKeyLimit: env.UNKNOWN_KEYS,
    submissionLimit: env.SUBMISSIONS,
    abuseReportLimit: env.ABUSE_REPORTS,
    measurementLimit: env.MEASUREMENTS,
    drawingLimit: env.DRAWINGS,
    signInLimit: env.SIGN_INS,
    counter: new StoredCounter({
      db: env.DB,
      now: Date.now,
      pause: (milliseconds) => scheduler.wait(milliseconds),
      points: (env as OptionalBindings).FIGURES,
    }),
    ...overrides,
    settings,
    now: edge.now,
  };
}

function buildSettings(env: Env, overrides: Partial<Settings> = {}): Settings {
  const edge = readEdgeSettings(env, overrides);
  return {
    missingBindings: Object.entries(bindings).flatMap(([name, need]) =>
      need === "needed" && env[name as BindingName] === undefined ? [name] : [],
    ),
    ...edge,
    homeUrl: env.HOME_URL ?? "",
    brandName: env.BRAND_NAME ?? "",
    upgradeUrl: env.UPGRADE_URL ?? "",
    ownHosts: [edge.scanOrigin, edge.appOrigin].map((origin) => new URL(origin).host),
    webhookSecrets: readKeyring(env, "WEBHOOK_SECRET"),
    reputationUrl: env.REPUTATION_URL ?? "",
    provider: {
      issuer: env.OIDC_ISSUER ?? "",
      clientId: env.OIDC_CLIENT_ID ?? "",
      clientSecrets: readKeyring(env, "OIDC_CLIENT_SECRET"),
      sessionSecrets: readKeyring(env, "SESSION_SECRET"),
    },
    passkeys: env.PASSKEYS === "on" || ((env.PASSKEYS ?? "") === "" && (env.OIDC_ISSUER ?? "") === ""),
    signUp: env.SIGN_UP ?? "",
    ownersCreateWorkspaces: env.OWNERS_CREATE_WORKSPACES === "on",
    defaultPlan: env.DEFAULT_PLAN ?? "",
    operatorSecrets: readKeyring(env, "OPERATOR_SECRET"),
    alertUrl: optional((env as OptionalBindings).ALERT_URL),
    backupSecret: optional((env as OptionalBindings).BACKUP_SECRET),
    dailyRequests: Number(env.DAILY_REQUESTS || 0) || null,
    customHostnames: customHostnames(env),
    dnsResolver: "https://cloudflare-dns.com/dns-query",
    exampleUrl: "",
    embedDemoKey: env.EMBED_DEMO_KEY,
    ...overrides,
  };
}

/** How many custom hostnames an installation may have by default: as many as Cloudflare includes. */
const includedHostnames = 100;

function customHostnames(env: Env): CustomHostnameSettings | null {
  const zoneId = env.CUSTOM_HOSTNAMES_ZONE ?? "";
  const target = (env.CUSTOM_HOSTNAMES_TARGET ?? "").toLowerCase();
  const token = optional((env as OptionalBindings).CUSTOM_HOSTNAMES_TOKEN);
  if (zoneId === "" || target === "" || token === "") return null;
  const max = Number(env.MAX_CUSTOM_HOSTNAMES || includedHostnames);
  return { zoneId, token, target, max: Number.isInteger(max) ? max : includedHostnames };
}

/** A secret that a deployment may omit. Cloudflare can't store empty secrets, so `none` stands for no secret. */
const optional = (secret: string | undefined): string =>
  secret === undefined || secret === "none" ? "" : secret;

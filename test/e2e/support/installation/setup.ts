import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import release from "../../../../package.json" with { type: "json" };
import { withAccess } from "../../../../scripts/backup/reach.ts";
import type { World as BackupWorld } from "../../../../scripts/backup/take.ts";
import { parseDomainsOptions } from "../../../../scripts/domains/options.ts";
import { type World as DomainsWorld, domains as runDomains } from "../../../../scripts/domains/run.ts";
import {
  type GoBackOptions,
  type GoBackWorld,
  goBack,
} from "../../../../scripts/lib/installation/go-back.ts";
import { queuesOf, readBaseConfigs } from "../../../../scripts/lib/installation/installation.ts";
import {
  type RotationOptions,
  type RotationWorld,
  rotate,
} from "../../../../scripts/lib/installation/rotation.ts";
import {
  type UpdateWorld,
  updateInstallation,
} from "../../../../scripts/lib/installation/update-installation.ts";
import { root } from "../../../../scripts/lib/wrangler.ts";
import { parseSetupOptions } from "../../../../scripts/setup/options.ts";
import { checkWorkspace } from "../../../../scripts/setup/proof.ts";
import { setup, type World } from "../../../../scripts/setup/run.ts";
import { Cloudflare, token } from "./cloudflare.ts";
import { contentsOf, filesIn, fillAccount, writeFiles } from "./copies.ts";
import { withProvider } from "./identity-provider.ts";
import { quickWrangler } from "./quick-wrangler.ts";

export const domains = ["--scan-domain", "qr.example.com", "--app-domain", "app.example.com"];
/** Options of an installation without questions. */
export const complete = ["--yes", "--wait", "0", ...domains];

/** The account of the test. */
export let cloudflare: Cloudflare;
/** The folder that setup may write to. */
export let folder: string;
let lines: string[];

/** Begins with an empty account. */
export async function renewAccount(): Promise<void> {
  cloudflare?.close();
  cloudflare = await Cloudflare.start();
}

/** Forgets what setup has said so far. */
export function clearLines(): void {
  lines = [];
}

/** Gives each test of the file an empty account and a folder. Files share this module, so each of them calls it. */
export function useAccount(): void {
  beforeEach(async () => {
    await renewAccount();
    folder = await mkdtemp(join(tmpdir(), "qr-setup-test-"));
    clearLines();
  });
  afterEach(async () => {
    cloudflare.close();
    await rm(folder, { recursive: true });
  });
}

/** Runs setup against the stand-in. */
export function install(args: string[] = complete, changes: Partial<World> = {}): Promise<void> {
  const signal = changes.signal ?? new AbortController().signal;
  return setup(parseSetupOptions(args), {
    env: { CLOUDFLARE_API_BASE_URL: cloudflare.base, CLOUDFLARE_API_TOKEN: token },
    folder: join(folder, "installations"),
    scratch: join(folder, "scratch"),
    say: (line) => lines.push(line),
    ask: undefined,
    wrangler: quickWrangler(cloudflare, signal),
    signIn: () => false,
    fetch: withProvider(cloudflare.fetch),
    pause: async () => {},
    lookUpAt: async () => ["192.0.2.1"],
    signal,
    ...changes,
  });
}

interface Made {
  readonly account: ReturnType<typeof contentsOf>;
  readonly files: ReturnType<typeof filesIn>;
}

/** The remains of installations, by their further options. */
const madeBy = new Map<string, Made>();

/**
 * Begins with what `install()` leaves in the account and in the folder. It is installed once for all tests of a process,
 * and copied for each of them.
 * @param more options besides those of `complete`
 */
export async function installed(...more: string[]): Promise<void> {
  const made = madeBy.get(more.join(" "));
  if (made === undefined) {
    await install([...complete, ...more]);
    madeBy.set(more.join(" "), { account: contentsOf(cloudflare), files: filesIn(folder) });
    clearLines();
  } else {
    fillAccount(cloudflare, made.account);
    writeFiles(folder, made.files);
  }
}

/** The means of the commands for an installation that exists. */
const commandWorld = () => {
  const { signal } = new AbortController();
  return {
    env: { CLOUDFLARE_API_BASE_URL: cloudflare.base },
    folder: join(folder, "installations"),
    scratch: join(folder, "scratch"),
    say: (line: string) => void lines.push(line),
    wrangler: quickWrangler(cloudflare, signal),
    fetch: cloudflare.fetch,
    doctor: async () => true,
    pause: async () => {},
    signal,
  };
};

/** Runs npm run deploy against the stand-in. */
export const deploy = (changes: Partial<UpdateWorld> = {}): Promise<void> => {
  cloudflare.version = release.version;
  return updateInstallation(undefined, { ...commandWorld(), ...changes });
};

/**
 * Runs npm run deploy -- --to against the stand-in. The release is this checkout, and says at `/healthz` that it is the
 * release.
 */
export const goBackTo = (
  version: string,
  options: Partial<GoBackOptions> = {},
  changes: Partial<GoBackWorld> = {},
): Promise<void> => {
  cloudflare.version = version;
  return goBack(
    { prefix: undefined, version, yes: false, ...options },
    { ...commandWorld(), ask: undefined, checkOut: async () => root, time: () => noon, ...changes },
  );
};

/** Runs npm run domains against the stand-in. */
export const changeDomains = (args: string[], changes: Partial<DomainsWorld> = {}): Promise<void> => {
  const options = parseDomainsOptions(args);
  if (options.action === "help") throw new Error("--help shows the usage, and does nothing else");
  return runDomains(options, {
    ...commandWorld(),
    ask: undefined,
    signIn: () => false,
    lookUpAt: async () => ["192.0.2.1"],
    ...changes,
  });
};

/** The time of the commands. */
export const noon = Date.UTC(2026, 10, 23, 12, 5);

/** Runs npm run rotate against the stand-in. @param time epoch milliseconds */
export const rotateAt = (
  time: number,
  name: string,
  options: Partial<RotationOptions> = {},
  env = {},
  changes: Partial<RotationWorld> = {},
): Promise<void> =>
  rotate(
    { name, prefix: undefined, finish: false, now: false, ...options },
    { ...commandWorld(), env, time: () => time, ...changes },
  );

/** Gives a command access to the installation's backup endpoints. @param fetch answers its requests */
export const backUp = (
  use: (world: BackupWorld) => Promise<void>,
  fetch: BackupWorld["fetch"],
): Promise<void> => withAccess({ prefix: "qr" }, { ...commandWorld(), time: () => noon, fetch }, use);

/** Runs something that must fail. @returns its message */
export async function messageOf(run: Promise<void>): Promise<string> {
  const error = await run.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : String(error);
}

/** Runs setup, which must fail. @returns its message */
export async function failure(args?: string[], changes?: Partial<World>): Promise<string> {
  return messageOf(install(args, changes));
}

/** All that setup has said. */
export const said = () => lines.join("\n");
/** Reads a file in the folder of installations. */
export const written = (name: string) => readFile(join(folder, "installations", name), "utf8");
/** Returns a binding of the deployed service. */
export const bindingOf = (name: string) =>
  cloudflare.scripts.get("qr-code-management-service")?.find((binding) => binding.name === name);

/** The names of the service's secrets, in order. */
export const secretNames = () =>
  (cloudflare.scripts.get("qr-code-management-service") ?? [])
    .filter(({ type }) => type === "secret_text")
    .map(({ name }) => name)
    .sort();

/** Rows of the catalogue. */
const rows = (sql: string) =>
  [...cloudflare.databases.values()].flatMap(({ sqlite }) => sqlite.prepare(sql).all());

/** Checks that the account has everything that an installation creates, apart from the ids that are random. */
export async function expectResources(): Promise<void> {
  const { databases, namespaces, buckets, queues, scripts, domains: hosts } = cloudflare.inventory;
  const withoutIds = (items: string[]) => items.map((item) => item.slice(item.indexOf(" ") + 1)).sort();
  expect({ databases: withoutIds(databases), namespaces: withoutIds(namespaces), buckets }).toEqual({
    databases: ["qr-catalogue"],
    namespaces: ["qr-routes"],
    buckets: ["qr-files"],
  });
  expect(withoutIds(queues)).toEqual(
    queuesOf(readBaseConfigs().service)
      .map((queue) => `qr-${queue} qr-code-management-service`)
      .sort(),
  );
  expect(scripts.sort()).toEqual(["qr-code-edge", "qr-code-images", "qr-code-management-service"]);
  expect(hosts).toEqual([
    ["qr.example.com", "qr-code-edge"],
    ["app.example.com", "qr-code-management-service"],
  ]);
  expect(bindingOf("IMAGES")).toMatchObject({ type: "service", service: "qr-code-images" });
  for (const name of readBaseConfigs().service.secrets?.required ?? []) {
    expect(bindingOf(name)).toMatchObject({ type: "secret_text" });
  }
  expect(bindingOf("OPERATOR_SECRET")?.text).toBe((await written("qr.operator-secret")).trim());
}

/** Checks that the account has an installation, and that the check of it left its workspace but no key that works. */
export async function expectInstalled(): Promise<void> {
  await expectResources();
  expect(rows("SELECT name FROM workspaces")).toEqual([{ name: checkWorkspace.name }]);
  expect(rows("SELECT 1 FROM api_keys WHERE revoked_at IS NULL")).toEqual([]);
  expect(cloudflare.codes).toEqual([]);
}

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { userName } from "./company/company.ts";
import type { addExample } from "./company/example.ts";
import { exampleName, findExample, joinExample } from "./company/example-member.ts";
import { largeCompany, largeName } from "./company/large/contents.ts";
import { clearCopies } from "./company/large/storage.ts";
import { sweepPath } from "./dev/paths.ts";
import { migrate, withCatalogue } from "./lib/catalogue.ts";
import { lockDataFolder, onNewMigrations, requireKnownData, requireRoom } from "./lib/data-folder.ts";
import { demoKey, insertDemo } from "./lib/demo.ts";
import { writeDevConfigs } from "./lib/dev-configs.ts";
import { Failure } from "./lib/failure.ts";
import { clientId, type Example, issuerAt, receiverPath, startProvider } from "./lib/identity/identity.ts";
import { ensureSecrets } from "./lib/installation/secrets.ts";
import { type DevOptions, parseDevOptions, usage } from "./lib/options.ts";
import { requireFreePort } from "./lib/port.ts";
import { readyMessage } from "./lib/ready-message.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { addedMigrations, readyAfter, StartOutput, steps } from "./lib/start-output.ts";
import { root, startWrangler } from "./lib/wrangler.ts";

const cronMilliseconds = 60_000;

/**
 * Runs the whole service on this machine.
 * @param signal stops the service
 * @returns wrangler's exit code
 */
async function dev(options: DevOptions, signal: AbortSignal): Promise<number> {
  const { port, oidcPort, inspectorPort, reset, example, persistTo, place } = options;
  await requireFreePort(port);
  await requireFreePort(oidcPort, "--oidc-port");
  const state = persistTo ?? join(root, ".wrangler/state");
  using _lock = lockDataFolder(state);
  const keyFile = join(persistTo ?? root, ".dev.key");
  const publishableFile = join(persistTo ?? root, ".dev.publishable-key");
  const providerFile = join(persistTo ?? root, ".dev.oidc.json");
  if (reset) {
    // Deletes only wrangler's data, in `v3`, because a folder given by --persist-to may contain other files.
    await rm(join(state, "v3"), { recursive: true, force: true });
    await rm(keyFile, { force: true });
    await rm(publishableFile, { force: true });
    await rm(providerFile, { force: true });
  }
  requireRoom(state);
  const migrations = join(root, "migrations");
  requireKnownData(state, migrations);
  using _watch = onNewMigrations(migrations, (names) => console.log(addedMigrations(names)));
  const startedAt = performance.now();
  console.log(steps.database);

  const secrets = await ensureSecrets(join(root, ".dev.vars"));
  const key = await demoKey(keyFile, "sk_live_");
  const publishableKey = await demoKey(publishableFile, "pk_live_");
  const issuer = issuerAt(oidcPort);
  const origin = `http://localhost:${port}`;
  const company = { state, origin, issuer, receiver: issuer + receiverPath, secrets };
  await clearCopies(state);
  const found = await withCatalogue(state, async (db) => {
    await migrate(db);
    await insertDemo(db, { key, publishableKey, origin, issuer }, Date.now());
    return {
      example: await findExample(db, issuer),
      large: await findExample(db, issuer, largeName),
    };
  });
  signal.throwIfAborted();
  const hasExample = found.example || (example === "company" && (await fillExample(company)));
  const hasLarge = found.large || (example === "large" && (await fillLarge(company)));

  const opening = new Opening();
  console.log(steps.provider);
  const provider = await startProvider({
    port: oidcPort,
    serviceOrigin: origin,
    clientSecret: secrets.OIDC_CLIENT_SECRET ?? "",
    keyFile: providerFile,
    people: { [exampleName]: userName, [largeName]: largeCompany.userName },
    example: opening,
  });
  signal.addEventListener("abort", () => provider.close());
  const listen = ["--port", String(port), "--ip", "127.0.0.1", "--show-interactive-dev-session=false"];
  if (inspectorPort !== undefined) listen.push("--inspector-port", String(inspectorPort));
  const configs = await writeDevConfigs(port, {
    ...secrets,
    SCAN_ORIGIN: origin,
    APP_ORIGIN: origin,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    PASSKEYS: "on",
    OWNERS_CREATE_WORKSPACES: "on",
    EMBED_DEMO_KEY: publishableKey,
  });
  const settings = [...configs.flatMap((config) => ["-c", config]), "--persist-to", state];
  const placeFile = join(state, "place.json");
  await mkdir(state, { recursive: true });
  await writeFile(placeFile, JSON.stringify(place));
  const run = async (stop: AbortSignal, whenStarted: () => void) => {
    console.log(steps.bundle);
    const output = new StartOutput((line) => console.log(line));
    const args = ["dev", ...listen, ...settings];
    const ended = startWrangler(args, placeFile, output, stop);
    void whenReady(origin).then(() => {
      if (stop.aborted) return;
      output.ready();
      whenStarted();
    });
    const code = await ended;
    if (!stop.aborted) output.failed();
    return code;
  };
  let whenStarted = () => {
    console.log(readyAfter(performance.now() - startedAt));
    const shownFile = persistTo === undefined ? ".dev.key" : keyFile;
    console.log(readyMessage({ origin, issuer, key, keyFile: shownFile }, { hasExample, hasLarge }));
    setInterval(fireCron, cronMilliseconds, origin);
  };
  for (;;) {
    const code = await run(AbortSignal.any([signal, opening.signal]), whenStarted);
    if (signal.aborted || !opening.isOpening()) return code;
    if (!(await withCatalogue(state, (db) => findExample(db, issuer)))) await fillExample(company);
    await withCatalogue(state, (db) => joinExample(db, Date.now()));
    whenStarted = () => {
      opening.done();
      console.log(`The example company is open at ${origin}/dashboard`);
    };
    opening.restart();
  }
}

/** A page's request to open the example company, for which the service restarts. */
class Opening implements Example {
  #stop = new AbortController();
  #state: "asked" | "done" | undefined;

  /** Aborted when the service has to stop. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  open(): void {
    if (this.isOpening()) return;
    this.#state = "asked";
    this.#stop.abort();
  }

  isOpening(): boolean {
    return this.#state === "asked";
  }

  isOpen(): boolean {
    return this.#state === "done";
  }

  /** The service starts again. */
  restart(): void {
    this.#stop = new AbortController();
  }

  /** The service has started again. */
  done(): void {
    this.#state = "done";
  }
}

type Place = Parameters<typeof addExample>[0];

/** Adds the example company. @returns true: it is there */
async function fillExample(place: Place): Promise<true> {
  console.log(steps.example);
  return quietly(async () => {
    const { addExample } = await import("./company/example.ts");
    await addExample(place);
  });
}

/** Adds the large workspace. @returns true: it is there */
async function fillLarge(place: Place): Promise<true> {
  console.log(steps.large);
  return quietly(async () => {
    const { addLarge } = await import("./company/large/example.ts");
    await addLarge(place, (line) => console.log(line));
  });
}

/**
 * Does something without wrangler's lines about what it reads. Wrangler, which examples need in this process, takes a second
 * to load.
 */
async function quietly(work: () => Promise<void>): Promise<true> {
  const { WRANGLER_LOG: level } = process.env;
  process.env.WRANGLER_LOG = "error";
  await work();
  if (level === undefined) delete process.env.WRANGLER_LOG;
  else process.env.WRANGLER_LOG = level;
  return true;
}

/**
 * Resolves when the service responds. There is no timeout, because code that doesn't build can be fixed in the
 * meantime.
 */
async function whenReady(origin: string): Promise<void> {
  while (!(await fireCron(origin))) await delay(100);
}

/**
 * Runs the main Worker's sweep, since wrangler doesn't fire cron triggers by itself. A failure is harmless, because the
 * next sweep catches up.
 * @returns whether the service responded
 */
function fireCron(origin: string): Promise<boolean> {
  return fetch(origin + sweepPath, { signal: AbortSignal.timeout(30_000) }).then(
    (response) => response.ok,
    () => false,
  );
}

async function main(signal: AbortSignal): Promise<number> {
  try {
    const options = parseDevOptions(process.argv.slice(2), process.env);
    if (options.help) {
      console.log(usage);
      return 0;
    }
    const code = await dev(options, signal);
    // Wrangler ended by itself, so even exit code 0 is a failure.
    return signal.aborted ? 0 : code || 1;
  } catch (error) {
    if (signal.aborted) return 0;
    console.error(error instanceof Failure ? error.message : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));

import { join } from "node:path";
import { Failure } from "../lib/failure.ts";
import {
  addressesOf,
  readBaseConfigs,
  renderConfigs,
  requireInstallation,
  writeConfigs,
} from "../lib/installation/installation.ts";
import { ensureSecrets } from "../lib/installation/secrets.ts";
import { type RunWrangler, withSecretsFile } from "../lib/installation/stored-secrets.ts";
import { root } from "../lib/wrangler.ts";
import { randomSecret } from "../setup/secrets.ts";
import type { World } from "./take.ts";

/** The installation that a command is for: one of `installations/`, or `npm run dev` on this machine. */
export type Place = { readonly prefix: string } | { readonly port: number };

/** The means of the commands. */
export interface Means {
  readonly folder: string;
  readonly scratch: string;
  /** Runs wrangler. It isn't interrupted where it removes a secret. */
  readonly wrangler: RunWrangler;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly time: () => number;
  /** Waits between two tries. */
  readonly pause: () => Promise<void>;
}

/** The name of the secret that allows backups to be read and restored. */
const secretName = "BACKUP_SECRET";

/** How often the service is asked until it knows a new secret. */
const tries = 60;

/** How long to wait before a request is repeated, milliseconds. */
const patience = 500;

/** Gives a command access to an installation while it runs. @throws Failure if there is no such installation */
export async function withAccess(
  place: Place,
  means: Means,
  use: (world: World) => Promise<void>,
): Promise<void> {
  const { fetch, signal, say, time } = means;
  const world = { fetch, signal, say, time, patience };
  if ("port" in place) {
    const { BACKUP_SECRET = "" } = await ensureSecrets(join(root, ".dev.vars"));
    const local = { ...world, appOrigin: `http://localhost:${place.port}`, backupSecret: BACKUP_SECRET };
    if (await isOpen(local)) return use(local);
    throw new Failure(
      `Nothing with this checkout's secrets answers at ${local.appOrigin}. Start it: npm run dev`,
    );
  }
  const installation = await requireInstallation(means.folder, place.prefix);
  const configs = renderConfigs(readBaseConfigs(), installation);
  const { service } = await writeConfigs(join(means.scratch, installation.prefix), configs);
  const store = (value: string | null) =>
    withSecretsFile({ [secretName]: value }, (file) =>
      means.wrangler(["secret", "bulk", file, "-c", service]),
    );
  const { appOrigin } = addressesOf(installation.vars);
  const backupSecret = randomSecret();
  const deployed = { ...world, appOrigin, backupSecret };
  await store(backupSecret);
  try {
    for (let made = 1; !(await isOpen(deployed)); made += 1) {
      if (made === tries)
        throw new Failure(`${appOrigin} doesn't know ${secretName} yet. Run the same command again.`);
      await means.pause();
    }
    await use(deployed);
  } finally {
    await store(null);
  }
}

/** Returns whether the service knows the secret. */
async function isOpen({ appOrigin, backupSecret, fetch, signal }: World): Promise<boolean> {
  const response = await fetch(`${appOrigin}/operator/backup`, {
    headers: { authorization: `Bearer ${backupSecret}` },
    redirect: "manual",
    signal,
  }).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}

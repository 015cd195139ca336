import { rename } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { secretIds, secretName } from "../../../src/lib/crypto/keyring.ts";
import { type Deployed, request } from "../../setup/proof.ts";
import { operatorFile, randomSecret, writeOperatorSecret } from "../../setup/secrets.ts";
import { Failure } from "../failure.ts";
import { readSecretFile } from "../files.ts";
import {
  addressesOf,
  readBaseConfigs,
  renderConfigs,
  requireInstallation,
  writeConfigs,
} from "./installation.ts";
import { keep, nextId, readKept } from "./kept-secrets.ts";
import { listSecrets, type RunWrangler, withSecretsFile } from "./stored-secrets.ts";
import { visitorSecret } from "./visitor-secret.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How a secret's rotation goes. */
interface Rotation {
  /** How long the previous secret is needed after the new one is stored, in milliseconds. */
  readonly overlap: number;
  /** The reason, and what ends if the previous secret is removed earlier. */
  readonly until: string;
  /** Consequences that an overlap doesn't prevent, or things to do. */
  readonly note?: string;
}

const rotations: Readonly<Record<string, Rotation>> = {
  SESSION_SECRET: { overlap: 12 * hour, until: "the last session that it signed has ended" },
  WEBHOOK_SECRET: { overlap: 10 * minute, until: "every isolate encrypts with the new one" },
  VISITOR_SECRET: {
    overlap: 7 * day,
    until: "the last form that it signed has expired",
    note: `From now on, people who scanned before count as new visitors once: distinct visitors of today, of all time and of
ranges with days before and after today are too high. Those of later days are exact.`,
  },
  OPERATOR_SECRET: {
    overlap: 0,
    until: "all who use the operator endpoints have the new one",
  },
  OIDC_CLIENT_SECRET: {
    overlap: 0,
    until: "a sign-in works and the log has no line `client secret refused`",
    note: "Now sign in once.",
  },
};

export interface RotationOptions {
  /** The secret's name. */
  readonly name: string;
  /** Which installation, if there are several. */
  readonly prefix: string | undefined;
  /** Removes the previous secret. */
  readonly finish: boolean;
  /** Removes it before its time. */
  readonly now: boolean;
}

export interface RotationWorld {
  readonly env: NodeJS.Dict<string>;
  readonly folder: string;
  readonly scratch: string;
  readonly wrangler: RunWrangler;
  readonly say: (line: string) => void;
  readonly fetch: typeof fetch;
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly time: () => number;
}

/**
 * Puts a new secret beside the present one, or removes the previous one. What is stored is asked of the account each time,
 * so that it can be interrupted anywhere and run again.
 * @throws Failure that says what to do
 */
export async function rotate(options: RotationOptions, world: RotationWorld): Promise<void> {
  const { name } = options;
  const rotation = rotations[name];
  if (rotation === undefined) {
    throw new Failure(`There is no secret ${name}. Choose one of ${Object.keys(rotations).join(", ")}`);
  }
  const { folder, scratch, wrangler, say } = world;
  const installation = await requireInstallation(folder, options.prefix);
  const configs = renderConfigs(readBaseConfigs(), installation);
  const paths = await writeConfigs(join(scratch, installation.prefix), configs);
  const workers = await Promise.all(
    [paths.service, ...(name === visitorSecret && paths.edge !== undefined ? [paths.edge] : [])].map(
      async (config) => ({ config, ids: secretIds(name, await listSecrets(wrangler, config)) }),
    ),
  );
  const ids = workers[0]?.ids ?? [];
  const [newest] = ids;
  if (newest === undefined) throw new Failure(`The service has no ${name} yet. Store one: npm run setup`);
  const store = async (config: string, values: Record<string, string | null>) => {
    await withSecretsFile(values, (file) => wrangler(["secret", "bulk", file, "-c", config]));
  };
  /** Stores a secret in those Workers that lack it. */
  const complete = async (id: number, value: string) => {
    for (const worker of workers) {
      if (!worker.ids.includes(id)) await store(worker.config, { [secretName(name, id)]: value });
    }
  };
  const lacksNewest = workers.some((worker) => !worker.ids.includes(newest));
  const context = { world, folder, prefix: installation.prefix, vars: installation.vars };
  const command = `npm run rotate -- ${name}`;

  const known = (await readKept(context)).find((each) => each.name === name && each.id >= newest);
  const kept = known !== undefined && (known.id > newest || lacksNewest) ? known : undefined;
  if (options.finish) {
    if (kept !== undefined || lacksNewest) {
      throw new Failure(`The service has lost ${secretName(name, kept?.id ?? newest)}, as a rollback does that brings an earlier version's secrets back.
Store it again first: ${command}`);
    }
    const previous = workers.map(({ config, ids: all }) => ({
      config,
      old: all.filter((id) => id !== newest),
    }));
    if (previous.every(({ old }) => old.length === 0)) return say(`There is no previous ${name} to remove.`);
    const end = timeOfId(newest) + rotation.overlap;
    if (world.time() < end && !options.now) {
      throw new Failure(`The previous ${name} is needed until ${rotation.until}: ${readable(end)}.
Run this again then, or remove it before: ${command} --finish --now`);
    }
    await completeNewest(name, context);
    for (const { config, old } of previous.filter((each) => each.old.length > 0)) {
      await store(config, Object.fromEntries(old.map((id) => [secretName(name, id), null])));
    }
    return say(`  ✓ Previous ${name} removed`);
  }

  if (kept !== undefined) {
    await complete(kept.id, kept.value);
    say(`  ✓ ${secretName(name, kept.id)} stored again. The previous ${name} is still accepted`);
  } else if (ids.length === 1 || lacksNewest) {
    const id = nextId(newest, world.time());
    const value = await nextValue(name, context);
    if (isGenerated(name)) await keep({ name, id, value }, context);
    await complete(id, value);
    say(`  ✓ New ${name} stored, as ${secretName(name, id)}. The previous one is still accepted`);
  } else {
    say(`  ✓ New ${name} stored before. The previous one is still accepted`);
  }
  await completeNewest(name, context);
  if (rotation.note !== undefined) say(`\n${rotation.note}`);
  const end =
    ids.length === 1 || lacksNewest || kept !== undefined
      ? world.time() + rotation.overlap
      : timeOfId(newest) + rotation.overlap;
  const from = rotation.overlap === 0 ? "" : ` From ${readable(end)} on, that is`;
  say(
    `\nRemove the previous one once ${rotation.until}.${from === "" ? "" : `${from} so.`}\n${command} --finish`,
  );
}

interface Context {
  readonly world: RotationWorld;
  readonly folder: string;
  readonly prefix: string;
  readonly vars: Readonly<Record<string, string>>;
}

const isGenerated = (name: string): boolean => name !== "OIDC_CLIENT_SECRET" && name !== "OPERATOR_SECRET";

/** The file of an operator's secret that is about to be stored. */
const nextOperatorFile = ({ world, prefix }: Context) => `${operatorFile(world.folder, prefix)}.next`;

/** Returns the value of the next secret. That of the operator is in a file before it is stored, so that it can't get lost. */
async function nextValue(name: string, context: Context): Promise<string> {
  const { env } = context.world;
  if (name === "OIDC_CLIENT_SECRET") {
    const { OIDC_CLIENT_SECRET: given } = env;
    if (given !== undefined) return given;
    throw new Failure(`Have your identity provider issue another client secret, and keep the present one there for now.
Then: OIDC_CLIENT_SECRET=… npm run rotate -- OIDC_CLIENT_SECRET`);
  }
  if (name !== "OPERATOR_SECRET") return randomSecret();
  const file = nextOperatorFile(context);
  const secret = (await readSecretFile(file)).trim() || randomSecret();
  await writeOperatorSecret(file, secret);
  return secret;
}

/** Does what remains once the new secret is stored. Safe to repeat. */
async function completeNewest(name: string, context: Context): Promise<void> {
  const { folder, say } = context.world;
  if (name === "OPERATOR_SECRET" && (await readSecretFile(nextOperatorFile(context))) !== "") {
    const file = operatorFile(folder, context.prefix);
    await rename(nextOperatorFile(context), file);
    say(`  ✓ ${file} written`);
  }
  if (name === "WEBHOOK_SECRET") await reEncrypt(context);
}

const ReEncryption = z.object({
  reEncrypted: z.number(),
  unreadable: z.number(),
  failed: z.array(z.string()),
  nextCursor: z.string().nullable(),
});

/** Has the service encrypt all signing secrets with the newest secret. */
async function reEncrypt({ world, prefix, vars }: Context): Promise<void> {
  const operatorSecret =
    world.env.OPERATOR_SECRET ?? (await readSecretFile(operatorFile(world.folder, prefix))).trim();
  const deployed: Deployed = { ...addressesOf(vars), ...world, operatorSecret };
  const total = { reEncrypted: 0, unreadable: 0, failed: 0 };
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `?${new URLSearchParams({ cursor })}`;
    const url = `${deployed.appOrigin}/api/v1/operator/webhook-secrets/re-encrypt${query}`;
    const headers = { authorization: `Bearer ${operatorSecret}` };
    const response = await request(deployed, url, { method: "POST", headers }).catch((error: unknown) => {
      world.signal.throwIfAborted();
      throw new Failure(`${url} can't be reached: ${error instanceof Error ? error.message : String(error)}.
Nothing is lost. Run the same command again.`);
    });
    const result = ReEncryption.safeParse(await response.json().catch(() => undefined));
    if (!response.ok || !result.success) {
      throw new Failure(`The signing secrets of webhooks are not all encrypted again: ${url} answered ${response.status}.
Nothing is lost. ${response.status === 401 ? "Set OPERATOR_SECRET, and run" : "Run"} the same command again.`);
    }
    total.reEncrypted += result.data.reEncrypted;
    total.unreadable += result.data.unreadable;
    total.failed += result.data.failed.length;
    cursor = result.data.nextCursor;
  }
  world.say(`  ✓ ${total.reEncrypted} signing secrets of webhooks encrypted again`);
  if (total.unreadable > 0) {
    world.say(
      `  ! ${total.unreadable} can't be read with any stored WEBHOOK_SECRET; their webhooks need new ones`,
    );
  }
  if (total.failed > 0) {
    throw new Failure(
      `The ledgers of ${total.failed} workspaces did not answer. Run the same command again.`,
    );
  }
}

/** Returns the end of an id's minute. The first secret has no time. */
function timeOfId(id: number): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(String(id)) ?? [];
  const [year = 0, month = 1, date, hours, minutes] = parts.map(Number);
  return parts.length === 0 ? 0 : Date.UTC(year, month - 1, date, hours, minutes) + minute;
}

const readable = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

import { join } from "node:path";
import * as z from "zod";
import { type Deployed, request } from "../../setup/proof.ts";
import { operatorFile } from "../../setup/secrets.ts";
import { Failure } from "../failure.ts";
import { readSecretFile } from "../files.ts";
import type { checkOutRelease } from "../release.ts";
import type { Query } from "../schema.ts";
import { advised, deployWorkers } from "./deploy-installation.ts";
import {
  addressesOf,
  type Installation,
  readBaseConfigs,
  renderConfigs,
  requireInstallation,
  writeConfigs,
} from "./installation.ts";
import { queryRemotely } from "./remote-migrations.ts";
import { listSecrets, type RunWrangler } from "./stored-secrets.ts";
import { type UpdateWorld, waitForVersion } from "./update-installation.ts";

export interface GoBackOptions {
  /** Which installation, if there are several. */
  readonly prefix: string | undefined;
  /** The released version to go back to. */
  readonly version: string;
  /** Answers every question with yes. */
  readonly yes: boolean;
}

export interface GoBackWorld extends UpdateWorld {
  /** Asks a person; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Puts the files of a release into a folder. @returns the folder */
  readonly checkOut: typeof checkOutRelease;
  /** Epoch milliseconds. */
  readonly time: () => number;
}

/** Something that an older version doesn't know. */
interface Ignored {
  /** SQL for its number, as `n`. `:now` is the time. */
  readonly count: string;
  readonly text: (n: number) => string;
  /** Statements that prevent it, if it is a danger. */
  readonly prevent?: readonly string[];
}

const counted = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n} ${many}`);

const restricted = "SELECT user_id FROM members WHERE role <> 'owner'";
const expired = "revoked_at IS NULL AND expires_at <= :now";
const confirmed = "revoked_at IS NULL AND person_confirms = 1";

const revokeKeys = (which: string) =>
  `UPDATE api_keys SET revoked_at = :now, revocation_pending_at = :now WHERE ${which}`;

/** Ignored by 1.0.0. */
const ignoredByFirst: readonly Ignored[] = [
  {
    count: "SELECT count(*) AS n FROM members WHERE role <> 'owner'",
    text: (n) =>
      `${counted(n, "member who isn't an owner has", "members who aren't owners have")} all rights of one, also after signing in again: remove those who must not have them`,
    prevent: [
      `DELETE FROM sessions WHERE user_id IN (${restricted})`,
      `UPDATE users SET signed_out_at = :now WHERE id IN (${restricted})`,
    ],
  },
  {
    count: `SELECT count(*) AS n FROM api_keys WHERE ${expired}`,
    text: (n) => `${counted(n, "key that has expired works", "keys that have expired work")} again`,
    prevent: [revokeKeys(expired)],
  },
  {
    count: `SELECT count(*) AS n FROM api_keys WHERE ${confirmed}`,
    text: (n) =>
      `${counted(n, "key whose changes a person confirms makes", "keys whose changes a person confirms make")} them alone`,
    prevent: [revokeKeys(confirmed)],
  },
  {
    count: "SELECT count(*) AS n FROM api_keys WHERE revoked_at IS NULL AND expires_at > :now",
    text: (n) => `${counted(n, "key doesn't expire", "keys don't expire")} at its time`,
  },
  {
    count: "SELECT count(*) AS n FROM folders WHERE deleted_at IS NOT NULL",
    text: (n) => `${counted(n, "deleted folder is", "deleted folders are")} shown again, without codes`,
  },
  {
    count: "SELECT count(*) AS n FROM templates WHERE deleted_at IS NOT NULL",
    text: (n) => `${counted(n, "deleted template is", "deleted templates are")} shown again`,
  },
  {
    count: "SELECT count(*) AS n FROM workspaces WHERE deletion_due_at IS NOT NULL",
    text: (n) =>
      `The deletion of ${counted(n, "workspace", "workspaces")} stops, and members can use what is left of it`,
  },
  {
    count: "SELECT count(*) AS n FROM invitations WHERE expires_at > :now",
    text: (n) => `${counted(n, "invitation leads", "invitations lead")} nowhere`,
  },
];

/** By version. Any other knows everything that could be a danger. */
const ignored: Readonly<Record<string, readonly Ignored[]>> = { "1.0.0": ignoredByFirst };

/**
 * Deploys a released version on the data of this one, after listing what that version ignores. The database stays migrated.
 * @throws Failure that says what to do
 */
export async function goBack({ prefix, version, yes }: GoBackOptions, world: GoBackWorld): Promise<void> {
  const { folder, scratch, wrangler, say, ask } = world;
  const installation = await requireInstallation(folder, prefix);
  if (installation.edge) {
    throw new Failure(`Hosts point to the Worker for scans, which version ${version} doesn't know.
Nothing is changed. Lead them to the service first: npm run domains -- to-main`);
  }
  const checkout = await world.checkOut(version);
  const configs = renderConfigs(readBaseConfigs(checkout), installation, { checkout });
  const paths = await writeConfigs(join(scratch, `${installation.prefix}-${version}`), configs);
  const run: RunWrangler = (args) => advised(installation, wrangler(args));
  const [catalogue] = configs.service.d1_databases ?? [];
  const query = queryRemotely(run, { binding: catalogue?.binding ?? "DB", config: paths.service });

  say(
    `  ✓ ${await openLedgers(installation, world)} ledgers opened, so that version ${version} can open them`,
  );
  const dangers = await listIgnored(query, world, version);
  if (ask === undefined && !yes) {
    const first =
      dangers.length > 0 ? " That also ends the sessions of these members and revokes these keys." : "";
    throw new Failure(`Nothing is changed yet. To go back, add --yes.${first}`);
  }
  const agrees = async (question: string) =>
    yes || /^y(es)?$/i.test(((await ask?.(`${question} [y/N] `)) ?? "").trim());
  if (dangers.length > 0 && (await agrees("End the sessions of these members, and revoke these keys?"))) {
    for (const statement of dangers) await query(at(statement, world));
    say("  ✓ Sessions ended and keys revoked");
  }
  if (!(await agrees(`Go back to version ${version}?`))) throw new Failure("Not gone back.");
  const stored = await listSecrets(run, paths.service);
  await deployWorkers(run, configs, join(scratch, `${installation.prefix}-${version}`), { stored }, (line) =>
    say(`  ✓ ${line}`),
  );
  await waitForVersion(installation, version, world);
  say(`\nVersion ${version} runs on the migrated database. To come back to this one: npm run deploy`);
}

const at = (sql: string, { time }: GoBackWorld): string => sql.replaceAll(":now", String(time()));

/** Says what the older version ignores. @returns the statements that prevent what would be a danger */
async function listIgnored(query: Query, world: GoBackWorld, version: string): Promise<string[]> {
  const lines: string[] = [];
  const prevent: string[] = [];
  for (const each of ignored[version] ?? []) {
    const [row] = await query(at(each.count, world));
    const n = Number(row?.n ?? 0);
    if (n === 0) continue;
    lines.push(`  ! ${each.text(n)}`);
    prevent.push(...(each.prevent ?? []));
  }
  const more = 'The changelog lists under "Going back" what else it can\'t do.';
  world.say([`\nVersion ${version} doesn't know what is newer:`, ...lines, more, ""].join("\n"));
  return prevent;
}

const Opening = z.object({
  opened: z.number(),
  failed: z.array(z.string()),
  nextCursor: z.string().nullable(),
});

/** Has the deployed service open every ledger. @returns how many */
async function openLedgers({ prefix, vars }: Installation, world: GoBackWorld): Promise<number> {
  const operatorSecret =
    world.env.OPERATOR_SECRET ?? (await readSecretFile(operatorFile(world.folder, prefix))).trim();
  const deployed: Deployed = { ...addressesOf(vars), ...world, operatorSecret };
  const headers = { authorization: `Bearer ${operatorSecret}` };
  let opened = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: string = cursor === "" ? "" : `?${new URLSearchParams({ cursor })}`;
    const url = `${deployed.appOrigin}/api/v1/operator/ledgers/open${page}`;
    const response = await request(deployed, url, { method: "POST", headers }).catch((error: unknown) => {
      world.signal.throwIfAborted();
      throw new Failure(`${url} can't be reached: ${error instanceof Error ? error.message : String(error)}.
Nothing is changed. Run the same command again.`);
    });
    const result = Opening.safeParse(await response.json().catch(() => undefined));
    if (!response.ok || !result.success) {
      const advice = {
        401: "Set OPERATOR_SECRET, and run the same command again.",
        404: "The service runs an older version than this checkout. Deploy it first: npm run deploy",
      }[response.status];
      throw new Failure(`Not every ledger could be opened: ${url} answered ${response.status}.
Nothing is changed. ${advice ?? "Run the same command again."}`);
    }
    if (result.data.failed.length > 0) {
      throw new Failure(
        `The ledgers of ${counted(result.data.failed.length, "workspace", "workspaces")} did not answer. Nothing is changed. Run the same command again.`,
      );
    }
    opened += result.data.opened;
    cursor = result.data.nextCursor;
  }
  return opened;
}

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseEnv } from "node:util";
import { localAdvice, localLog, localRestart } from "../../src/lib/local-advice.ts";
import { requireKnownData } from "../lib/data-folder.ts";
import { Failure } from "../lib/failure.ts";
import { readSecretFile } from "../lib/files.ts";
import { localSecrets } from "../lib/installation/secrets.ts";
import { root } from "../lib/wrangler.ts";
import type { Deployed } from "../setup/proof.ts";
import { type Finding, failed, ok, unknown, warning } from "./findings.ts";
import { checkHealth, type Outside } from "./outside.ts";
import { checkReadiness, checkScan, scanWithKey } from "./service.ts";

/** Where `npm run dev` keeps its data, and where it listens. */
export interface LocalPlace {
  readonly port: number;
  /** As an absolute path; undefined for the usual folder. */
  readonly persistTo: string | undefined;
  readonly scan: boolean;
}

type Means = Pick<Outside, "fetch" | "now" | "signal"> & Pick<Deployed, "pause">;

/** The shortest secret that isn't likely to be a password. */
const secretLength = 32;

const dev = "npm run dev";

/** Checks what `npm run dev` stores, and the service itself if it runs. */
export async function checkLocal({ port, persistTo, scan }: LocalPlace, means: Means): Promise<Finding[]> {
  const state = persistTo ?? join(root, ".wrangler/state");
  const secrets = parseEnv(await readSecretFile(join(root, ".dev.vars")));
  const origin = `http://localhost:${port}`;
  const stored = [checkSecrets(secrets), checkData(state, persistTo !== undefined)];
  const health = await checkHealth(origin, { deploy: localRestart, security: dev }, means);
  if (health.some(({ status }) => status === "failed")) {
    const what = `Not checked: nothing answers at ${origin}, so neither stores, queues, sign-in nor a scan are.`;
    return [...stored, unknown("service", what, `${dev} -- --port ${port}`)];
  }
  const deployed: Deployed = {
    scanOrigin: origin,
    appOrigin: origin,
    operatorSecret: secrets.OPERATOR_SECRET ?? "",
    ...means,
  };
  const { findings } = await checkReadiness(deployed, dev);
  // A service that an earlier checkout still runs advises for an installation.
  const readiness = findings.map((finding) => ({
    ...finding,
    mend: finding.mend === null ? null : localAdvice(finding.mend),
  }));
  const key = (await readSecretFile(join(persistTo ?? root, ".dev.key"))).trim();
  return [...stored, ...health, ...readiness, await checkLocalScan(deployed, key, scan)];
}

async function checkLocalScan(deployed: Deployed, key: string, scan: boolean): Promise<Finding> {
  if (!scan) return unknown("scan", "Not checked, by --no-scan.");
  if (key === "") return unknown("scan", "Not checked: there is no demo key.", dev);
  return checkScan(scanWithKey(deployed, key), localLog);
}

function checkSecrets(secrets: NodeJS.Dict<string>): Finding {
  const name = ".dev.vars";
  const names = Object.keys(localSecrets);
  const missing = names.filter((secret) => (secrets[secret] ?? "") === "");
  if (missing.length === names.length) return unknown(name, "It has no secrets yet.", dev);
  if (missing.length > 0) return failed(name, `It lacks ${missing.join(", ")}.`, dev);
  const short = names.filter(
    (secret) => secrets[secret] !== "none" && (secrets[secret]?.length ?? 0) < secretLength,
  );
  const [first] = short;
  if (first === undefined) return ok(name, "All secrets are in it.");
  // A missing line is generated again.
  const mend = `sed -i.old '/^${first}=/d' .dev.vars && ${dev}`;
  return warning(name, `Shorter than ${secretLength} characters: ${short.join(", ")}.`, mend);
}

function checkData(state: string, isGiven: boolean): Finding {
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  const start = `${dev}${isGiven ? ` -- --persist-to ${state}` : ""}`;
  if (!existsSync(folder)) return unknown("data", `There is none yet in ${state}.`, start);
  const again = `${start}${isGiven ? "" : " --"} --reset`;
  const files = readdirSync(folder).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  const damage = files.map((file) => damageOf(join(folder, file))).find((each) => each !== undefined);
  if (damage !== undefined) return failed("data", `The database in ${state} is damaged: ${damage}.`, again);
  try {
    requireKnownData(state, join(root, "migrations"));
    return ok("data", `This checkout can use that in ${state}.`);
  } catch (error) {
    if (error instanceof Failure) return failed("data", `${error.message.split(". ")[0]}.`, again);
    throw error;
  }
}

/** Returns what SQLite finds wrong with a database; undefined if nothing is. */
function damageOf(file: string): string | undefined {
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    const result = database.prepare("PRAGMA quick_check(1)").get()?.quick_check;
    return result === "ok" ? undefined : String(result);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

import { setTimeout as delay } from "node:timers/promises";
import { Miniflare } from "miniflare";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { defaultScopes } from "../../../src/contract/resources/enums.ts";
import { packScans } from "../../../src/edge/scans/pack.ts";
import { encryptClaims } from "../../../src/lib/crypto/encryption.ts";
import { readKeyring } from "../../../src/lib/crypto/keyring.ts";
import { randomBase62 } from "../../../src/lib/crypto/random.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { build } from "../../lib/build.ts";
import { type Database, migrate } from "../../lib/catalogue.ts";
import { foundWorkspace } from "../../lib/found-workspace.ts";
import { serviceOptions } from "../../lib/service-options.ts";
import { clockHeader, foldersPath, type StagedFolders, type StagedScans, scansPath } from "../protocol.ts";
import { printErrors } from "../stage.ts";
import {
  codeInput,
  createdAt,
  days,
  domainHost,
  folderName,
  largeCompany,
  type Sizes,
  scansFrom,
} from "./contents.ts";

const minute = 60_000;
const dayLength = 24 * 60 * minute;

/** Folders that one call creates. */
const foldersOfCall = 500;

/** Codes of a job. Each has another time of creation. */
const codesOfJob = 1000;

/** Scans that one call records: as many as a call may. */
const scansOfCall = 10_000;

interface Setting {
  readonly sizes: Sizes;
  /** The time that it all leads to, epoch milliseconds. */
  readonly now: number;
  readonly origin: string;
  /** The identity provider's issuer, and its id of the owner. */
  readonly issuer: string;
  readonly subject: string;
  /** Settings and secrets of the service. */
  readonly variables: Readonly<Record<string, string>>;
  /** The folder in which everything is stored; memory by default. */
  readonly storage?: string;
  /** Told how far it is. */
  readonly say: (line: string) => void;
}

/**
 * A service with a large workspace. Everything in it was stored by the service itself: folders and domains one by one,
 * codes by bulk jobs, scans by calls of its ledger.
 */
export class LargeStage implements AsyncDisposable {
  readonly setting: Setting;
  readonly workspaceId: string;
  /** The owner's session cookie, `name=value`. */
  readonly cookie: string;
  readonly apiKey: string;
  readonly #miniflare: Miniflare;
  readonly #operatorSecret: string;
  /** The step and its tenth that was said last. */
  #said = "";

  private constructor(setting: Setting, miniflare: Miniflare, founded: Founded, operatorSecret: string) {
    this.setting = setting;
    this.#miniflare = miniflare;
    this.#operatorSecret = operatorSecret;
    ({ workspaceId: this.workspaceId, cookie: this.cookie, apiKey: this.apiKey } = founded);
  }

  static async set(setting: Setting): Promise<LargeStage> {
    const { origin, issuer, variables, storage } = setting;
    const script = await build("scripts/company/staged-worker.ts");
    const operatorSecret = variables.OPERATOR_SECRET ?? randomBase62(43);
    const addresses = { SCAN_ORIGIN: origin, APP_ORIGIN: origin, OIDC_ISSUER: issuer };
    const settings = { ...addresses, ...variables, OPERATOR_SECRET: operatorSecret };
    const options = serviceOptions(0, script, { variables: settings, storage });
    const miniflare = new Miniflare({ ...options, handleStructuredLogs: printErrors });
    const db = await miniflare.getD1Database("DB");
    await migrate(db);
    const stage = new LargeStage(setting, miniflare, await found(db, setting), operatorSecret);
    const folderIds = await stage.#addFolders();
    const domains = await stage.#addDomains();
    await stage.#addCodes(folderIds, domains);
    await stage.#addScans(db);
    return stage;
  }

  /** Sends a request. @param now epoch milliseconds */
  async fetch(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
    now = this.setting.now,
  ) {
    const headers = { ...init.headers, [clockHeader]: String(now) };
    const address = new URL(path, this.setting.origin);
    return await this.#miniflare.dispatchFetch(address, { ...init, headers, redirect: "manual" });
  }

  async #addFolders(): Promise<string[]> {
    const { sizes, now } = this.setting;
    const { workspaceId } = this;
    const ids: string[] = [];
    while (ids.length < sizes.folders) {
      const from = ids.length;
      const length = Math.min(foldersOfCall, sizes.folders - from);
      const names = Array.from({ length }, (_, i) => folderName(from + i));
      const call: StagedFolders = { workspaceId, names };
      const answer = await this.#stage(foldersPath, call, founded(now) + from);
      ids.push(...((await answer.json()) as string[]));
      this.#progress("folders", ids.length, sizes.folders);
    }
    return ids;
  }

  async #addDomains(): Promise<string[]> {
    const { sizes, now } = this.setting;
    const { workspaceId } = this;
    const hosts = Array.from({ length: sizes.domains }, (_, i) => domainHost(i));
    for (const host of hosts)
      await this.#send("PUT", `/operator/domains/${host}`, { workspaceId }, founded(now) + dayLength);
    this.#progress("domains", hosts.length, hosts.length);
    return hosts;
  }

  async #addCodes(folderIds: readonly string[], domains: readonly string[]): Promise<void> {
    const { codes } = this.setting.sizes;
    for (let from = 0; from < codes; from += codesOfJob) {
      const to = Math.min(from + codesOfJob, codes);
      const at = createdAt(from, codes, this.setting.now);
      const items = Array.from({ length: to - from }, (_, i) => codeInput(from + i, { folderIds, domains }));
      const { jobId } = BulkJob.parse(await this.#send("POST", "/qr/bulk", { items }, at));
      await this.#completed(jobId, at);
      this.#progress("codes", to, codes);
    }
  }

  async #completed(jobId: string, at: number): Promise<void> {
    const headers = { authorization: `Bearer ${this.apiKey}` };
    for (;;) {
      const answer = await this.fetch(`/api/v1/qr/bulk/${jobId}?items=none`, { method: "GET", headers }, at);
      const job = BulkJob.parse(await answer.json());
      if (job.status === "completed" && job.failureCount === 0) return;
      if (job.status !== "queued" && job.status !== "processing") throw new Error(JSON.stringify(job));
      await delay(20);
    }
  }

  async #addScans(db: Database): Promise<void> {
    const { sizes, now } = this.setting;
    const { workspaceId } = this;
    const { results: codes } = await db
      .prepare(
        "SELECT id, hash FROM qr_codes WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY external_id",
      )
      .bind(workspaceId)
      .all<{ id: string; hash: string }>();
    for (let from = 0; from < sizes.scans; from += scansOfCall) {
      const to = Math.min(from + scansOfCall, sizes.scans);
      const records = scansFrom(from, to, { workspaceId, codes, scans: sizes.scans, now });
      const [batch] = packScans(records);
      const end = now - days.ofScans * dayLength * (1 - to / sizes.scans);
      if (batch !== undefined) await this.#stage(scansPath, batch, Math.ceil(end));
      this.#progress("scans", to, sizes.scans);
    }
  }

  /** Does what the service itself can't. */
  async #stage(path: string, message: StagedScans | StagedFolders, at: number) {
    const answer = await this.fetch(path, { method: "POST", headers: {}, body: JSON.stringify(message) }, at);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return answer;
  }

  /** Says each tenth of a step. */
  #progress(step: string, done: number, all: number): void {
    const tenths = Math.floor((done * 10) / all);
    if (this.#said === `${step} ${tenths}`) return;
    this.#said = `${step} ${tenths}`;
    this.setting.say(`  ${done.toLocaleString("en")} of ${all.toLocaleString("en")} ${step}`);
  }
  async #send(method: string, path: string, body: object, now: number): Promise<unknown> {
    const secret = path.startsWith("/operator") ? this.#operatorSecret : this.apiKey;
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const response = await this.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) }, now);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
  }
}

/** When the company signed up. */
const founded = (now: number): number => now - (days.ofCodes + 2) * dayLength;

interface Founded {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly cookie: string;
}

/** Inserts the workspace with a key, and its owner with a session. */
async function found(db: Database, { now, origin, issuer, subject, variables }: Setting): Promise<Founded> {
  const at = founded(now);
  const [workspaceId, userId, keyId, sid] = [newId(at), newId(at), newId(at), newId(at)];
  const apiKey = `sk_live_${randomBase62(32)}`;
  await foundWorkspace(db, {
    ...{ id: workspaceId, name: largeCompany.name, plan: "business", createdAt: at },
    keys: [{ id: keyId, name: "Shelves", key: apiKey, scopes: defaultScopes }],
    owner: {
      ...{ id: userId, issuer, subject, name: largeCompany.userName },
      session: { id: sid, createdAt: at, expiresAt: now + dayLength },
    },
  });
  const secrets = readKeyring(variables, "SESSION_SECRET");
  const cookieName = origin.startsWith("https:") ? "__Host-session" : "session";
  const claims = await encryptClaims(secrets, "session", { sid, iss: issuer }, at, now + dayLength);
  return { workspaceId, apiKey, cookie: `${cookieName}=${claims}` };
}

import { setTimeout as delay } from "node:timers/promises";
import { type LegacyWorkerOptions, Miniflare } from "miniflare";
import type { BulkJob } from "../../src/contract/resources/codes/bulk.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { defaultScopes } from "../../src/contract/resources/enums.ts";
import { packScans } from "../../src/edge/scans/pack.ts";
import { encryptClaims } from "../../src/lib/crypto/encryption.ts";
import { readKeyring } from "../../src/lib/crypto/keyring.ts";
import { randomBase62 } from "../../src/lib/crypto/random.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { build } from "../lib/build.ts";
import { type Database, migrate } from "../lib/catalogue.ts";
import { addMembers, foundWorkspace } from "../lib/found-workspace.ts";
import { serviceOptions } from "../lib/service-options.ts";
import {
  answers,
  brand,
  changes,
  codes,
  colleagues,
  companyName,
  domain,
  editsOfColleague,
  folders,
  page,
  type StagedCode,
  templates,
  timeZone,
  undoneJob,
  userName,
  webhook,
} from "./company.ts";
import {
  clockHeader,
  deliveriesPath,
  type StagedDeliveries,
  type StagedScans,
  scansPath,
} from "./protocol.ts";
import { scansOf } from "./scans.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Setting {
  /** The time that it all leads to, epoch milliseconds. */
  readonly now: number;
  readonly origin: string;
  /** The identity provider's issuer, and its id of the company's member. */
  readonly issuer: string;
  readonly subject: string;
  /** Where the company's webhook posts events. */
  readonly receiver: string;
  /** Settings and secrets of the service. */
  readonly variables: Readonly<Record<string, string>>;
  /** The folder in which everything is stored; memory by default. */
  readonly storage?: string;
  /** The images Worker, which reads logos and measures designs. */
  readonly images: LegacyWorkerOptions;
}

type Step = readonly [at: number, run: () => Promise<unknown>];

/** The built service with a company's codes and scans, up to a given time. */
export class Stage implements AsyncDisposable {
  /** The session cookie of the company's owner, `name=value`. */
  readonly cookie: string;
  readonly setting: Setting;
  readonly #miniflare: Miniflare;
  readonly #workspace: Workspace;
  /** The codes by their index in the company's list. */
  readonly #created = new Map<number, Qr>();
  /** The codes by their hashes. */
  readonly codes = new Map<string, Qr>();
  /** The id of the hosted page. */
  pageId = "";
  /** The company's domain; null if another workspace has its host already. */
  #host: string | null = null;
  #webhookId = "";
  /** The session cookie of the member who edits. */
  readonly #editorsCookie: string;
  /** The ids of the brand's logos, by their names. */
  readonly #logos = new Map<string, string>();

  private constructor(setting: Setting, miniflare: Miniflare, workspace: Workspace, cookies: Cookies) {
    this.setting = setting;
    this.#miniflare = miniflare;
    this.#workspace = workspace;
    this.cookie = cookies.owner;
    this.#editorsCookie = cookies.editor;
  }

  static async set(setting: Setting): Promise<Stage> {
    const { now, origin, issuer, variables, storage, images } = setting;
    const script = await build("scripts/company/staged-worker.ts");
    const operatorSecret = variables.OPERATOR_SECRET ?? randomBase62(43);
    const addresses = { SCAN_ORIGIN: origin, APP_ORIGIN: origin, OIDC_ISSUER: issuer };
    const settings = { ...addresses, ...variables, OPERATOR_SECRET: operatorSecret };
    const options = serviceOptions(0, script, { variables: settings, storage, images });
    const miniflare = new Miniflare({ ...options, handleStructuredLogs: printErrors });
    const db = await miniflare.getD1Database("DB");
    await migrate(db);
    const workspace = await found(db, setting);
    const secrets = readKeyring(variables, "SESSION_SECRET");
    const name = origin.startsWith("https:") ? "__Host-session" : "session";
    const cookieOf = async (sid: string) =>
      `${name}=${await encryptClaims(secrets, "session", { sid, iss: issuer }, founded(now), now + day)}`;
    const stage = new Stage(
      setting,
      miniflare,
      { ...workspace, operatorSecret },
      {
        owner: await cookieOf(workspace.sessionId),
        editor: await cookieOf(workspace.editorsSessionId),
      },
    );
    await stage.#fill();
    await db.prepare("UPDATE qr_codes SET readable = 1 WHERE readable IS NULL").run();
    return stage;
  }

  /** Sends a request. @param now epoch milliseconds */
  async fetch(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
    now = this.setting.now,
  ) {
    const headers = { ...init.headers, [clockHeader]: String(now) };
    return await this.#miniflare.dispatchFetch(new URL(path, this.setting.origin), {
      ...init,
      headers,
      redirect: "manual",
    });
  }

  /** The company's key, `sk_live_…`. */
  get apiKey(): string {
    return this.#workspace.apiKey;
  }

  /** In chronological order, because the service's clock never goes back. */
  async #fill(): Promise<void> {
    const { now } = this.setting;
    const oldest = founded(now);
    const folderIds = new Map<string, string>();
    for (const name of folders)
      folderIds.set(name, (await this.#send<{ id: string }>("POST", "/folders", { name }, oldest)).id);
    await this.#send("PATCH", "/developer/brand", { colors: brand.colors }, oldest);
    for (const logo of brand.logos) {
      const { id } = await this.#send<{ id: string }>("POST", "/developer/brand/logos", logo, oldest);
      this.#logos.set(logo.name, id);
    }
    for (const template of templates) await this.#send("POST", "/developer/templates", template, oldest);
    await this.#send("PATCH", "/developer/analytics", { timeZone }, oldest);
    this.#host = await this.#addDomain(oldest);
    const creations = codes.map((staged, i): Step => {
      const at = now - staged.age * day;
      return [at, () => this.#createCode(staged, i, folderIds, at)];
    });
    const steps = [
      ...creations,
      ...this.#pageSteps(),
      ...this.#webhookSteps(),
      ...this.#editSteps(),
      ...this.#jobSteps(),
    ];
    for (const [at, run] of steps.sort(([a], [b]) => a - b)) {
      await run();
      await this.#deliver(at);
    }
    await this.#deliver(now);
    for (const [i, staged] of codes.entries()) await this.#scan(staged, i);
  }

  /**
   * Gives the company its domain, as the operator does with a host that leads here.
   * @returns its host; null if another workspace has it already
   */
  async #addDomain(at: number): Promise<string | null> {
    const host = this.setting.origin.startsWith("https:") ? "go.harbour.example" : "go.harbour.localhost";
    const { workspaceId } = this.#workspace;
    const given = this.#send<{ id: string }>("PUT", `/operator/domains/${host}`, { workspaceId }, at);
    const added = await given.catch((error: Error) => {
      if (!error.message.includes(": 409 ")) throw error;
      return null;
    });
    if (added === null) return null;
    await this.#send("PATCH", `/developer/domains/${added.id}`, domain, at);
    return host;
  }

  async #createCode(staged: StagedCode, i: number, folderIds: Map<string, string>, at: number) {
    const { input, logo, folder, expiresIn, atDomain, oldPaths = [] } = staged;
    const host = this.#host;
    const expiry = Math.floor(this.setting.now / day + (expiresIn ?? 0)) * day;
    const body = {
      ...input,
      ...(logo !== undefined && { advanced: { ...input.advanced, logo: { id: this.#logos.get(logo) } } }),
      data: input.data.type === "servicepage" ? { ...input.data, pageId: this.pageId } : input.data,
      folderId: folderIds.get(folder ?? "") ?? null,
      ...(host !== null && {
        domain: atDomain === true ? host : null,
        aliases: oldPaths.map((path) => `${host}/${path}`),
      }),
      ...(expiresIn === undefined ? {} : { expiresAt: new Date(expiry).toISOString() }),
    };
    // Another workspace may have the short name already.
    const unnamed = () => this.#send<Qr>("POST", "/qr", { ...body, hash: undefined }, at);
    const qr = await this.#send<Qr>("POST", "/qr", body, at).catch(unnamed);
    this.#created.set(i, qr);
    this.codes.set(input.hash, qr);
  }

  async #scan(staged: StagedCode, i: number): Promise<void> {
    const qr = this.#created.get(i);
    if (qr === undefined) throw new Error(`the code ${i} has not been created`);
    const { workspaceId } = this.#workspace;
    const { now } = this.setting;
    const host = this.#host;
    for (const batch of packScans(scansOf(qr, staged, { workspaceId, host, seed: i + 1, now }))) {
      for (let from = 0; from < batch.scans.length; from += 500) {
        await this.#stage(scansPath, { ...batch, scans: batch.scans.slice(from, from + 500) }, now);
      }
    }
  }

  /** Returns when the hosted page is published, and when its form is submitted. */
  #pageSteps(): readonly Step[] {
    const published = this.setting.now - 9 * day;
    const publish = async () => {
      const { id } = await this.#send<{ id: string }>("POST", "/developer/pages", page, published);
      this.pageId = id;
    };
    const sent = answers.map((answer, i): Step => {
      const opened = this.setting.now - (answers.length - i) * 7 * hour;
      return [opened, () => this.#answer(answer, opened)];
    });
    return [[published, publish], ...sent];
  }

  async #answer(answer: (typeof answers)[number], opened: number): Promise<void> {
    const path = `/pages/${this.pageId}`;
    const shown = await (await this.fetch(path, { method: "GET", headers: {} }, opened)).text();
    const token = /name="_form" value="([^"]*)"/.exec(shown)?.[1] ?? "";
    const body = String(new URLSearchParams({ ...answer, _form: token }));
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status } = await this.fetch(path, { method: "POST", headers, body }, opened + minute);
    if (status !== 303) throw new Error(`sending a form: ${status}`);
  }

  /** Returns when the webhook is added, when codes change, and when its receiver refuses events. */
  #webhookSteps(): readonly Step[] {
    const { now, receiver } = this.setting;
    const added = now - webhook.age * day;
    const add = async () => {
      const input = { url: receiver, events: webhook.events };
      const { id } = await this.#send<{ id: string }>("POST", "/developer/webhooks", input, added);
      this.#webhookId = id;
    };
    const changed = changes.flatMap(({ hash, age, input, refusals }): Step[] => {
      const at = now - age * day;
      const change = () => this.#send("PATCH", `/qr/${this.codes.get(hash)?.id}`, input, at);
      return webhookRules.attemptOffsets.slice(0, refusals + 1).map((offset, attempt) => {
        const due = at + offset;
        return [
          due,
          async () => {
            if (attempt === 0) await change();
            if (attempt < refusals) await this.#deliver(due, 503);
          },
        ];
      });
    });
    return [[added, add], ...changed];
  }

  /** Returns when the editor changes codes in the dashboard. */
  #editSteps(): readonly Step[] {
    return editsOfColleague.map(({ hash, age, path, form }): Step => {
      const at = this.setting.now - age * day;
      const edit = () =>
        this.#submit(`/dashboard/codes/${this.codes.get(hash)?.id}/${path}`, form, this.#editorsCookie, at);
      return [at, edit];
    });
  }

  /** Returns when a job changes codes, and when it is undone. */
  #jobSteps(): readonly Step[] {
    const { age, undoneAfterMinutes, input } = undoneJob;
    const began = this.setting.now - age * day;
    const undone = began + undoneAfterMinutes * minute;
    let jobId = "";
    const run = async () => {
      ({ jobId } = await this.#send<BulkJob>("POST", "/qr/bulk-update", input, began));
      await this.#completed(jobId, began);
    };
    const undo = async () => {
      const next = await this.#submit(`/dashboard/jobs/${jobId}/undo`, {}, this.cookie, undone);
      await this.#completed(next.replace(/.*\//, ""), undone);
    };
    return [
      [began, run],
      [undone, undo],
    ];
  }

  /** Waits for a job. */
  async #completed(jobId: string, at: number): Promise<void> {
    const headers = { authorization: `Bearer ${this.#workspace.apiKey}` };
    for (;;) {
      const answer = await this.fetch(`/api/v1/qr/bulk/${jobId}`, { method: "GET", headers }, at);
      const { status } = (await answer.json()) as Partial<BulkJob>;
      if (status === "completed") return;
      if (status !== "queued" && status !== "processing") throw new Error(`the job ${jobId} is ${status}`);
      await delay(20);
    }
  }

  /** Submits a form of the dashboard. @returns where that leads */
  async #submit(
    path: string,
    form: Readonly<Record<string, string>>,
    cookie: string,
    at: number,
  ): Promise<string> {
    const { origin } = this.setting;
    const headers = { cookie, origin, "content-type": "application/x-www-form-urlencoded" };
    const body = String(new URLSearchParams(form));
    const answer = await this.fetch(path, { method: "POST", headers, body }, at);
    const location = answer.headers.get("location");
    if (answer.status !== 303 || location === null) throw new Error(`${path}: ${answer.status}`);
    return location;
  }

  /** Makes the deliveries that are due. */
  async #deliver(at: number, status = 204): Promise<void> {
    if (this.#webhookId === "") return;
    const { workspaceId } = this.#workspace;
    const due: StagedDeliveries = { workspaceId, webhookId: this.#webhookId, status };
    await this.#stage(deliveriesPath, due, at);
  }

  /** Does what the service itself can't. */
  async #stage(path: string, message: StagedScans | StagedDeliveries, at: number): Promise<void> {
    const { status } = await this.fetch(
      path,
      { method: "POST", headers: {}, body: JSON.stringify(message) },
      at,
    );
    if (status !== 200) throw new Error(`${path}: ${status}`);
  }

  async #send<T>(method: string, path: string, body: object, now: number): Promise<T> {
    const { origin } = this.setting;
    const { apiKey, operatorSecret } = this.#workspace;
    const secret = path.startsWith("/operator") ? operatorSecret : apiKey;
    const credentials = path.startsWith("/developer")
      ? { cookie: this.cookie, origin }
      : { authorization: `Bearer ${secret}` };
    const headers = { ...credentials, "content-type": "application/json" };
    const response = await this.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) }, now);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
  }
}

/** Of the service's log, only errors matter. */
export function printErrors({ level, message }: { level: string; message: string }): void {
  if (level === "error") console.error(message);
}

/** When the company signed up. */
const founded = (now: number): number => now - (Math.max(...codes.map(({ age }) => age)) + 1) * day;

/** Session cookies, `name=value`. */
interface Cookies {
  readonly owner: string;
  readonly editor: string;
}

interface Workspace {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly operatorSecret: string;
  readonly sessionId: string;
  readonly editorsSessionId: string;
}

/** Inserts the company's workspace with a key, and its members with sessions. */
async function found(
  db: Database,
  { now, issuer, subject }: Setting,
): Promise<Omit<Workspace, "operatorSecret">> {
  const at = founded(now);
  const [workspaceId, userId, keyId, sessionId] = [newId(at), newId(at), newId(at), newId(at)];
  const apiKey = `sk_live_${randomBase62(32)}`;
  await foundWorkspace(db, {
    ...{ id: workspaceId, name: companyName, plan: "business", createdAt: at },
    keys: [{ id: keyId, name: "Shop", key: apiKey, scopes: defaultScopes }],
    owner: {
      ...{ id: userId, issuer, subject, name: userName },
      session: { id: sessionId, createdAt: at, expiresAt: now + day },
    },
  });
  const members = colleagues.map(({ name, role }) => {
    const [id, session] = [newId(at), { id: newId(at), createdAt: at, expiresAt: now + day }];
    return { id, issuer, subject: `${subject}: ${name}`, name, role, session };
  });
  await addMembers(db, workspaceId, members, at);
  const editor = members.find(({ role }) => role === "editor");
  return { workspaceId, apiKey, sessionId, editorsSessionId: editor?.session.id ?? "" };
}

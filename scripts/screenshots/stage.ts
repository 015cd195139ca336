import { Miniflare } from "miniflare";
import { build } from "../lib/build.ts";
import { apiKey, seedWorkspace, sessionId, sessionSecrets, workspaceId } from "../lib/seed.ts";
import { serviceOptions } from "../lib/service-options.ts";
import type { Qr } from "../../src/contract/resources/qr.ts";
import { packScans } from "../../src/domain/scans/pack.ts";
import { encryptClaims } from "../../src/lib/crypto/encryption.ts";
import {
  answers,
  brand,
  codes,
  companyName,
  folders,
  origin,
  page,
  pictureTime,
  type StagedCode,
  templates,
  timeZone,
  userName,
} from "./company.ts";
import { scansOf } from "./scans.ts";
import { clockHeader, scansPath } from "./protocol.ts";

const issuer = "https://id.harbour.example";
const day = 24 * 60 * 60_000;

/** The built service with a company's codes and scans, at a fixed time. Doesn't listen on a port. */
export class Stage implements AsyncDisposable {
  readonly #miniflare: Miniflare;
  readonly #cookie: string;
  /** The codes by their index in the company's list. */
  readonly #created = new Map<number, Qr>();
  /** The codes by their hashes. */
  readonly codes = new Map<string, Qr>();
  /** The id of the hosted page. */
  pageId = "";

  private constructor(miniflare: Miniflare, cookie: string) {
    this.#miniflare = miniflare;
    this.#cookie = cookie;
  }

  static async set(): Promise<Stage> {
    const script = await build("scripts/screenshots/staged-worker.ts");
    const variables = { SCAN_ORIGIN: origin, APP_ORIGIN: origin, OIDC_ISSUER: issuer };
    const miniflare = new Miniflare(serviceOptions(0, script, { variables }));
    await seedWorkspace(miniflare);
    await nameCompany(miniflare);
    const claims = { sid: sessionId, iss: issuer };
    const session = await encryptClaims(sessionSecrets, "session", claims, pictureTime, pictureTime + day);
    const stage = new Stage(miniflare, `__Host-session=${session}`);
    await stage.#fill();
    return stage;
  }

  /** The session cookie, `name=value`. */
  get cookie(): string {
    return this.#cookie;
  }

  /** Sends a request. @param now epoch milliseconds */
  async fetch(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string },
    now = pictureTime,
  ) {
    const headers = { ...init.headers, [clockHeader]: String(now) };
    return await this.#miniflare.dispatchFetch(new URL(path, origin), {
      ...init,
      headers,
      redirect: "manual",
    });
  }

  /** In chronological order, because the service's clock never goes back. */
  async #fill(): Promise<void> {
    const oldest = pictureTime - (Math.max(...codes.map(({ age }) => age)) + 1) * day;
    const folderIds = new Map<string, string>();
    for (const name of folders)
      folderIds.set(name, (await this.#send<{ id: string }>("POST", "/folders", { name }, oldest)).id);
    await this.#send("PATCH", "/developer/brand", { colors: brand.colors }, oldest);
    for (const logo of brand.logos) await this.#send("POST", "/developer/brand/logos", logo, oldest);
    for (const template of templates) await this.#send("POST", "/developer/templates", template, oldest);
    await this.#send("PATCH", "/developer/analytics", { timeZone }, oldest);
    const steps = codes.map((staged, i) => {
      const at = pictureTime - staged.age * day;
      return [at, () => this.#createCode(staged, i, folderIds, at)] as const;
    });
    for (const [, step] of [...steps, ...this.#pageSteps()].sort(([a], [b]) => a - b)) await step();
    for (const [i, staged] of codes.entries()) await this.#scan(staged, i);
  }

  async #createCode(staged: StagedCode, i: number, folderIds: Map<string, string>, at: number) {
    const folderId = folderIds.get(staged.folder ?? "") ?? null;
    this.#created.set(i, await this.#send<Qr>("POST", "/qr", { ...staged.input, folderId }, at));
  }

  async #scan(staged: StagedCode, i: number): Promise<void> {
    const qr = this.#created.get(i);
    if (qr === undefined) throw new Error(`the code ${i} has not been created`);
    this.codes.set(qr.hash, qr);
    for (const batch of packScans(scansOf(qr, staged, workspaceId, i + 1))) {
      for (let from = 0; from < batch.scans.length; from += 500) {
        const body = JSON.stringify({ ...batch, scans: batch.scans.slice(from, from + 500) });
        const { status } = await this.fetch(scansPath, { method: "POST", headers: {}, body });
        if (status !== 200) throw new Error(`recording scans: ${status}`);
      }
    }
  }

  /** Returns when the hosted page is published, and when its form is submitted. */
  #pageSteps(): readonly (readonly [at: number, step: () => Promise<void>])[] {
    const published = pictureTime - 9 * day;
    const publish = async () => {
      const { id } = await this.#send<{ id: string }>("POST", "/developer/pages", page, published);
      this.pageId = id;
    };
    const sent = answers.map((answer, i) => {
      const opened = pictureTime - (answers.length - i) * 7 * 60 * 60_000;
      return [opened, () => this.#answer(answer, opened)] as const;
    });
    return [[published, publish], ...sent];
  }

  async #answer(answer: (typeof answers)[number], opened: number): Promise<void> {
    const path = `/pages/${this.pageId}`;
    const shown = await (await this.fetch(path, { method: "GET", headers: {} }, opened)).text();
    const token = /name="_form" value="([^"]*)"/.exec(shown)?.[1] ?? "";
    const body = String(new URLSearchParams({ ...answer, _form: token }));
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { status } = await this.fetch(path, { method: "POST", headers, body }, opened + 60_000);
    if (status !== 303) throw new Error(`sending a form: ${status}`);
  }

  async #send<T>(method: string, path: string, body: object, now: number): Promise<T> {
    const isOwners = path.startsWith("/developer");
    const credentials = isOwners ? { cookie: this.#cookie, origin } : { authorization: `Bearer ${apiKey}` };
    const headers = { ...credentials, "content-type": "application/json" };
    const response = await this.fetch(`/api/v1${path}`, { method, headers, body: JSON.stringify(body) }, now);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#miniflare.dispose();
  }
}

/** Gives the workspace and its member the company's names. */
async function nameCompany(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database("DB");
  await db.batch([
    db.prepare("UPDATE workspaces SET name = ? WHERE id = ?").bind(companyName, workspaceId),
    db.prepare("UPDATE users SET name = ?, issuer = ?").bind(userName, issuer),
  ]);
}

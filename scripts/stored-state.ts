// `npm run stored-state` stores what an installation of this version has stored, for the test that upgrades it
// (test/ci/scripts/upgrade.test.ts). Run it before a release; the file of a released version never changes again.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import release from "../package.json" with { type: "json" };
import { NewApiKey } from "../src/contract/resources/identity/keys.ts";
import { newId } from "../src/lib/text/ids.ts";
import { Stage } from "./company/stage.ts";
import { type Database, storagePath, withCatalogue } from "./lib/catalogue.ts";
import { imagesWorker } from "./lib/images-worker.ts";
import {
  clientOf,
  countStored,
  packFiles,
  readEverything,
  type StoredState,
  scanAll,
  startOnState,
  statesFolder,
  unpackFiles,
  writeState,
} from "./lib/stored-state.ts";

const { name: worker, version } = release;
/** Some days ago, so that everything that the ledger does later is due. */
const now = Date.UTC(2026, 10, 20, 12);
const origin = "https://qr.harbour.example";
const issuer = "https://id.harbour.example";
const variables = {
  SCAN_ORIGIN: origin,
  APP_ORIGIN: origin,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: "codes",
  PASSKEYS: "on",
  VISITOR_SECRET: "the visitor secret of a stored state",
  WEBHOOK_SECRET: "the webhook secret of a stored state",
  SESSION_SECRET: "the session secret of a stored state",
  OPERATOR_SECRET: "the-operator-secret-of-a-stored-state",
};

/** Adds what the company doesn't have. @returns the company's new key */
async function addMore(stage: Stage): Promise<string> {
  const send = async (method: string, path: string, headers: Record<string, string>, body: object) => {
    const json = { ...headers, "content-type": "application/json" };
    const response = await stage.fetch(`/api/v1${path}`, {
      method,
      headers: json,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const operator = { authorization: `Bearer ${variables.OPERATOR_SECRET}` };
  const member = { cookie: stage.cookie, origin };
  await send("POST", "/operator/blocked-hosts", operator, {
    host: "phishing.example",
    reason: "Reported twice",
  });
  const suspended = stage.codes.get("wholesale")?.id;
  await send("PUT", `/operator/qr/${suspended}/suspension`, operator, {
    reason: "An order",
    legalOrder: true,
  });
  const report = String(new URLSearchParams({ code: "loyalty", reason: "spam", details: "Twice a day" }));
  const form = { "content-type": "application/x-www-form-urlencoded" };
  await stage.fetch("/report", { method: "POST", headers: form, body: report });
  // Reports are counted again in another time zone, by the ledger's alarm.
  await send("PATCH", "/developer/analytics", member, { timeZone: "Atlantic/Madeira" });
  const key = { name: "Stored state", type: "secret", scopes: ["qr:read", "qr:write", "scans:read"] };
  const { key: apiKey } = NewApiKey.parse(await send("POST", "/developer/keys", member, key));
  const loyalty = `/qr/${stage.codes.get("loyalty")?.id}`;
  await send("PATCH", loyalty, { authorization: `Bearer ${apiKey}` }, { externalId: "Stamp card 1" });
  return apiKey;
}

/** No authenticator is there to make one. */
const addPasskey = (db: Database) =>
  db
    .prepare(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       SELECT ?, id, 'a-credential', 'a-key', 0, '[]', 'Firefox on Linux', ? FROM users WHERE subject = 'ines'`,
    )
    .bind(newId(now), now)
    .run();

/** Waits until the ledger's alarm has counted all scans into the totals of days. */
async function foldScans(
  started: Omit<StoredState, "answers" | "scans" | "files">,
  data: string,
): Promise<void> {
  const miniflare = await startOnState(started, data);
  const db = await miniflare.getD1Database("DB");
  const name = (await db.prepare("SELECT id FROM workspaces").first<string>("id")) ?? "";
  await clientOf(miniflare, started).send("/api/v1/developer/analytics", { cookie: started.cookie });
  const ledger = await miniflare.unsafeGetDurableObjectStorage(worker, "WorkspaceLedger", { name });
  const deadline = Date.now() + 60_000;
  for (;;) {
    const generations = await ledger.exec<{ state: string }>("SELECT state FROM generations");
    if (generations.length === 1 && generations[0]?.state === "active") break;
    if (Date.now() > deadline) throw new Error("the ledger has not counted its scans again");
    await delay(200);
  }
  await miniflare.dispose();
}

const folder = await mkdtemp(join(tmpdir(), "qr-stored-state-"));
try {
  const data = join(folder, "data");
  const place = { origin, issuer, subject: "ines", receiver: "https://shop.example/events" };
  const stage = await Stage.set({
    now,
    ...place,
    variables,
    images: await imagesWorker(),
    storage: storagePath(data),
  });
  const apiKey = await addMore(stage);
  const { cookie, codes, pageId } = stage;
  const paths = [...[...codes.values()].map(({ hash }) => `/${hash}`), `/pages/${pageId}`, "/no-such-code"];
  await stage[Symbol.asyncDispose]();

  const started = { version, now, origin, variables, cookie, apiKey, webhookId: "", rows: {}, routes: 0 };
  await withCatalogue(data, addPasskey);
  await foldScans(started, data);
  const files = packFiles(data);
  // Reading and scanning must not change what is stored.
  const copy = join(folder, "copy");
  unpackFiles(files, copy);
  const miniflare = await startOnState(started, copy);
  const client = clientOf(miniflare, started);
  const counts = await countStored(miniflare);
  const answers = await readEverything(client);
  const [webhook] = (answers["/developer/webhooks"] as { webhooks: { id: string }[] }).webhooks;
  const scans = await scanAll(client, paths);
  await miniflare.dispose();
  writeState({ ...started, ...counts, webhookId: webhook?.id ?? "", answers, scans, files });
  console.log(`Stored the state of ${version} in ${statesFolder}: ${Object.keys(answers).length} answers`);
} finally {
  await rm(folder, { recursive: true });
}

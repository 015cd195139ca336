import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { type Database, migrate, withCatalogue } from "../../../scripts/lib/catalogue.ts";
import { releases } from "../../../scripts/lib/release.ts";
import {
  readState,
  type StoredState,
  startBehindEdge,
  startOnState,
  unpackFiles,
  type Version,
} from "../../../scripts/lib/stored-state.ts";
import { createScanDelete } from "../../../scripts/setup/proof.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { serviceActor } from "../../../src/protocol/history.ts";
import { type Contacts, editContacts, expectContacts, makeContacts } from "../support/use-contacts.ts";
import { phone, type Use, Visitor } from "../support/use-service.ts";

describe.each([...releases().keys()])("version %s and the present one", (version) => {
  const keepsHistory = version !== "1.0.0";
  const changed = ["code.updated", "code.created"];
  let state: StoredState;
  let folder: string;

  beforeEach(async () => {
    state = readState(version);
    folder = mkdtempSync(join(tmpdir(), "qr-going-back-"));
    unpackFiles(state.files, folder);
    await withCatalogue(folder, migrate);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a version of the service with the objects of another, on what the last one left. */
  let minutes = 0;
  async function run<T>(
    service: Version,
    objects: Version,
    visit: (visitor: Visitor) => Promise<T>,
  ): Promise<T> {
    minutes += 2;
    const miniflare = await startOnState(state, folder, service, objects);
    try {
      return await visit(new Visitor(miniflare, state, minutes));
    } finally {
      await miniflare.dispose();
    }
  }

  const list = async (visitor: Visitor, { qr }: Use) =>
    HistoryList.parse(await visitor.expect(200, "GET", `/qr/${qr.id}/history`));
  const history = async (visitor: Visitor, use: Use) =>
    (await list(visitor, use)).items.map(({ action }) => action);

  const setWaitingBytes = (db: Database, bytes: number) =>
    db.prepare("UPDATE workspaces SET waiting_bytes = ?").bind(bytes).run();

  /** Leaves a change of a code in the outbox, beyond every bound, as if its ledger had been away. */
  const leaveWaiting = ({ qr }: Use) =>
    withCatalogue(folder, async (db) => {
      const at = state.now + minutes * 60_000 + 30_000;
      const entry = {
        v: 1,
        action: "code.updated",
        actor: serviceActor,
        object: { kind: "code", id: qr.id, name: "Waiting" },
        changes: { name: [null, "Waiting"] },
      };
      await db
        .prepare(
          `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
           SELECT ?, workspace_id, '', '{}', ?, ? FROM qr_codes WHERE id = ?`,
        )
        .bind(newId(at), JSON.stringify(entry), at, qr.id)
        .run();
      await setWaitingBytes(db, 1e12);
    });

  /** To 1.1.0, it is a webhook without events. */
  const alerts = { url: "https://alerts.example/qr" };

  it("takes over from it, gives back to it, and takes over again: nothing is lost or counted twice", async () => {
    const [first, contacts] = await run("present", "present", async (visitor): Promise<[Use, Contacts]> => {
      await visitor.expect(200, "PUT", "/developer/alerts", alerts);
      return [await visitor.useEverything("first"), await makeContacts(visitor)];
    });
    if (keepsHistory) await leaveWaiting(first);
    const second = await run(version, version, async (visitor) => {
      await visitor.expectUse(first);
      await editContacts(visitor, contacts);
      return visitor.useEverything("second");
    });
    await withCatalogue(folder, async (db) => {
      if (keepsHistory) expect(await db.prepare("SELECT id FROM outbox").first()).toBeNull();
      // As the next sweep counts.
      await setWaitingBytes(db, 0);
    });
    await run("present", "present", async (visitor) => {
      for (const use of [first, second]) await visitor.expectUse(use);
      await expectContacts(visitor, contacts);
      expect(await visitor.expect(200, "GET", "/developer/alerts")).toMatchObject(alerts);
      const third = await visitor.useEverything("third");
      await visitor.expectUse(third);
      expect(await history(visitor, first)).toEqual(keepsHistory ? ["code.updated", ...changed] : changed);
      expect(await history(visitor, second)).toEqual(keepsHistory ? changed : []);
      expect(await history(visitor, third)).toEqual(changed);
      for (const { valuesLeftOut } of (await list(visitor, second)).items) expect(valuesLeftOut).toBe(false);
    });
  });

  it("works with its objects, which keep their code for some minutes, and keeps what they don't know", async () => {
    const use = await run("present", version, async (visitor) => {
      const used = await visitor.useEverything("mixed");
      const listed = await list(visitor, used);
      if (keepsHistory) expect(listed.items.map(({ action }) => action)).toEqual(changed);
      else expect(listed).toMatchObject({ items: [], newestFollow: true });
      for (const path of ["/history", "/bin"]) {
        expect([path, await visitor.open(`/dashboard${path}`)]).toEqual([path, 200]);
      }
      return used;
    });
    await run("present", "present", async (visitor) => {
      await visitor.expectUse(use);
      expect(await history(visitor, use)).toEqual(changed);
    });
  });

  it("goes on behind the present Worker for scans, which a rollback leaves where it is", async () => {
    const miniflare = await startBehindEdge(state, folder, version);
    const { origin, apiKey } = state;
    const send: typeof fetch = async (url, init) => {
      const { method = "GET", headers, body } = init ?? {};
      const response = await miniflare.dispatchFetch(String(url), {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        redirect: "manual",
        ...(typeof body === "string" ? { body } : {}),
      });
      return new Response(response.status === 302 ? null : await response.text(), {
        status: response.status,
        headers: Object.fromEntries(response.headers),
      });
    };
    const { signal } = new AbortController();
    const deployed = { scanOrigin: origin, appOrigin: origin, operatorSecret: "", fetch: send, signal };
    try {
      const { scanUrl } = await createScanDelete({ ...deployed, pause: async () => {} }, apiKey);
      expect((await send(scanUrl)).status).toBe(404);
      const call = async (method: string, path: string, body: object) =>
        z.object({ id: z.string(), scanUrl: z.string() }).parse(
          await (
            await send(`${origin}/api/v1${path}`, {
              method,
              headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
              body: JSON.stringify(body),
            })
          ).json(),
        );
      // Closed scans, which it doesn't know, travel before and beside a scan.
      const data = { type: "url", url: "https://example.com/" };
      const paused = await call("POST", "/qr", { qrType: "url", data, status: "paused" });
      const scan = () => send(paused.scanUrl, { headers: { "user-agent": phone } });
      for (let i = 0; i < 3; i += 1) expect((await scan()).status).toBe(404);
      await call("PATCH", `/qr/${paused.id}`, { status: "active" });
      await expect.poll(async () => (await scan()).status).toBe(302);
      const total = async () => {
        const headers = { authorization: `Bearer ${apiKey}` };
        const response = await send(`${origin}/api/v1/qr/${paused.id}/scans`, { headers });
        return ((await response.json()) as { stats: { total: number } }).stats.total;
      };
      await expect.poll(total, { timeout: 10_000 }).toBe(1);
    } finally {
      await miniflare.dispose();
    }
  });

  it("has objects with which its Worker works", async () => {
    const use = await run(version, "present", (visitor) => visitor.useEverything("mixed"));
    await run("present", "present", (visitor) => visitor.expectUse(use));
  });
});

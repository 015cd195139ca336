import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import {
  OperatorWorkspaceDetails,
  OperatorWorkspaceList,
} from "../../../src/contract/resources/operations/operations.ts";
import type { Deps } from "../../../src/domain/deps.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { insertUser } from "../../../src/store/identity/users.ts";
import { validBody } from "../../support/endpoints.ts";
import { endingWith } from "../../support/runner/timers.ts";
import { HeldScans } from "../../support/scans/held-scans.ts";
import { Service } from "../../support/service.ts";

const service = new Service();

const list = (query = "", by = service) =>
  by.operator.expect(200, OperatorWorkspaceList.strict(), "GET", `/operator/workspaces${query}`);

const inspect = (id: string, by = service) =>
  by.operator.expect(200, OperatorWorkspaceDetails.strict(), "GET", `/operator/workspaces/${id}`);

/** Signs a user up, whose workspace gets this name. @returns its id */
async function signUp(name: string): Promise<string> {
  const now = service.deps.now();
  const workspaceId = newId(now);
  const profile = {
    issuer: "https://id.example",
    subject: workspaceId,
    name,
    email: null,
    emailVerified: false,
  };
  const fresh = { userId: newId(now), workspace: { id: workspaceId, name, plan: "free" }, now } as const;
  await insertUser(env.DB, profile, fresh);
  return workspaceId;
}

describe("searching workspaces", () => {
  const names = ["Müller & Söhne", "MÜLLERS Mühle", "Кафе Пушкин", "Straße 7", "Plain", "a 100% _x\\"];
  let ids: Record<string, string>;

  beforeAll(async () => {
    ids = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await signUp(name)])));
  });

  it.each([
    ["müller", ["Müller & Söhne", "MÜLLERS Mühle"]],
    ["SÖHNE", ["Müller & Söhne"]],
    ["кАФЕ", ["Кафе Пушкин"]],
    ["STRASSE", ["Straße 7"]],
    ["pLAIN", ["Plain"]],
    ["100% _X\\", ["a 100% _x\\"]],
    ["' OR 1=1 --", []],
  ])("by name %s", async (q, found) => {
    const { items } = await list(`?q=${encodeURIComponent(q)}&limit=100`);
    expect(items.map(({ name }) => name).sort()).toEqual([...found].sort());
  });

  it("by id, in any case", async () => {
    const id = ids.Plain ?? "";
    expect((await list(`?id=${id.toUpperCase()}`)).items).toEqual([expect.objectContaining({ id })]);
    expect((await list("?id=unknown")).items).toEqual([]);
  });

  it("pages through all of them, newest first, each once", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(`?limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual([...seen].sort().reverse());
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(Object.values(ids)));
  });

  it("refuses a cursor of another search", async () => {
    const { nextCursor } = await list("?limit=1");
    const answer = await service.operator.send("GET", `/operator/workspaces?q=x&cursor=${nextCursor}`);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { code: "invalid_input", error: expect.stringMatching(/^cursor /) },
    ]);
  });
});

describe("the usage of a workspace", () => {
  it("counts what exists, and neither what is deleted nor another workspace's", async () => {
    const client = await service.workspace("business");
    const other = await service.workspace();
    await other.createQr();
    const session = await service.sessionIn(client.workspaceId);
    const kept = await client.createQr();
    const deleted = await client.createQr();
    await client.send("DELETE", `/qr/${deleted.id}`);
    const key = await session.expect(201, NewApiKey, "POST", "/developer/keys", validBody.createKey);
    await session.send("DELETE", `/developer/keys/${key.id}`);
    for (const path of ["/developer/webhooks", "/developer/templates", "/developer/pages"]) {
      const name = { webhooks: "createWebhook", templates: "createTemplate", pages: "createPage" };
      const body = validBody[name[path.slice(11) as keyof typeof name]];
      expect((await session.send("POST", path, body)).status).toBe(201);
    }
    await client.send("POST", "/folders", { name: "F" });
    const scans = new HeldScans();
    await new Service({ scanQueue: scans.queue }).scan(kept.hash);
    await scans.deliver(service);
    const found = await inspect(client.workspaceId);
    expect(found).toMatchObject({
      id: client.workspaceId,
      plan: "business",
      requestsPerMinute: 100_000,
      usage: {
        liveCodes: 1,
        members: 1,
        keys: 1,
        webhooks: 1,
        folders: 1,
        templates: 1,
        pages: 1,
        scans: 1,
      },
      ledgerProblem: null,
    });
    const { items } = await list(`?id=${client.workspaceId}`);
    expect(items[0]?.usage).toMatchObject({ liveCodes: 1, members: 1, keys: 1, webhooks: 1 });
  });

  const broken: [string, () => Promise<never>, AbortSignal | undefined][] = [
    ["fails", () => Promise.reject(new Error("secret details")), undefined],
    ["hangs", () => new Promise<never>(() => {}), AbortSignal.abort(new Error("expired"))],
  ];

  it.each(broken)("is answered where the ledger %s, with nulls and a reason", async (_, answer, signal) => {
    const client = await service.workspace();
    const isolate = new Service({
      ledger: () => ({ countScans: answer, listWebhooks: answer }) as unknown as ReturnType<Deps["ledger"]>,
      ...(signal === undefined ? {} : { startTimer: endingWith(signal) }),
    });
    const found = await inspect(client.workspaceId, isolate);
    expect(found.usage).toMatchObject({ liveCodes: 0, keys: 1, webhooks: null, scans: null });
    expect(found.ledgerProblem).toMatch(/ledger/);
    expect(JSON.stringify(found)).not.toContain("secret details");
    const { items } = await list(`?id=${client.workspaceId}`, isolate);
    expect(items[0]?.usage.webhooks).toBeNull();
  });

  it("asks no ledger for the webhooks of a workspace that never had one", async () => {
    const id = await signUp("No webhooks");
    const isolate = new Service({
      ledger: () =>
        ({ listWebhooks: () => Promise.reject(new Error("asked")) }) as unknown as ReturnType<Deps["ledger"]>,
    });
    expect((await list(`?id=${id}`, isolate)).items[0]?.usage.webhooks).toBe(0);
  });
});

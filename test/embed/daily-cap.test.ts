import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Plan } from "../../src/contract/plans.ts";
import { QrCreateInput } from "../../src/contract/resources/codes/qr.ts";
import { ApiKeyList } from "../../src/contract/resources/identity/keys.ts";
import { createQr } from "../../src/domain/codes/codes.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import type { Deps } from "../../src/domain/deps.ts";
import { expectError } from "../support/endpoints.ts";
import { Client, FakeClock, Service } from "../support/service.ts";
import { wrapMeter } from "../support/world/wrapped-meter.ts";

const { cap } = limits.keyCreations;
const day = 86_400_000;
const shop = "https://shop.example";
const input = { qrType: "url", data: { type: "url", url: "example.com" } };

let clock: FakeClock;
let service: Service;
beforeEach(() => {
  clock = new FakeClock(Date.UTC(2026, 5, 1, 23, 59, 30));
  service = new Service({ now: clock.now });
});

async function widget(at = service): Promise<Client> {
  const { workspaceId } = await at.workspace();
  return at.client(workspaceId, ["qr:write"], "publishable", [shop]);
}

const create = (client: Client, body: object = input, headers: Record<string, string> = {}) =>
  client.send("POST", "/qr", body, { origin: shop, ...headers });

/** Lets the key's meter count so many creations of this day. */
async function spend({ keyId }: Pick<Client, "keyId">, count: number): Promise<void> {
  await runInDurableObject(env.METERS.get(env.METERS.idFromName(keyId)), (meter) => {
    for (let i = 0; i < count; i += 1) meter.takeCreation(clock.now(), cap);
  });
}

const countOf = ({ keyId }: Client) => service.deps.meter(keyId).creations(clock.now());

const codesOf = ({ workspaceId }: Client) =>
  env.DB.prepare("SELECT count(*) AS n FROM qr_codes WHERE workspace_id = ?").bind(workspaceId).first("n");

describe("a publishable key", () => {
  it("creates only so many codes a day, whichever edges the requests reach, and more the next day", async () => {
    const client = await widget();
    await spend(client, cap - 3);
    const edges = Array.from({ length: 8 }, () => new Service({ now: clock.now }));
    const answers = await Promise.all(
      edges.map((edge) =>
        edge.fetch("/api/v1/qr", {
          method: "POST",
          headers: {
            authorization: `Bearer ${client.key}`,
            origin: shop,
            "content-type": "application/json",
          },
          body: JSON.stringify(input),
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 403, 403, 403, 403, 403]);
    expect(await codesOf(client)).toBe(3);
    const refused = await create(client);
    expect(refused.headers.get("access-control-allow-origin")).toBe(shop);
    expect(await expectError(refused, 403, "plan_limit")).toContain(`${cap} QR codes a day`);
    clock.advance(30_000);
    expect((await create(client)).status).toBe(201);
    expect(await countOf(client)).toBe(1);
  });

  it("is not charged for what is refused, nor for a repeated request", async () => {
    const client = await widget();
    const repeated = { "idempotency-key": "one" };
    expect((await create(client, input, repeated)).status).toBe(201);
    expect((await create(client, input, repeated)).status).toBe(201);
    expect((await create(client, { ...input, data: { type: "url", url: "nope" } })).status).toBe(400);
    const race = await Promise.all(
      Array.from({ length: 4 }, () => create(client, input, { "idempotency-key": "two" })),
    );
    expect(race.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    await env.DB.prepare("UPDATE workspaces SET plan = 'free', live_codes = 25 WHERE id = ?")
      .bind(client.workspaceId)
      .run();
    const other = await service.client(client.workspaceId, ["qr:write"], "publishable", [shop]);
    expect((await create(other)).status).toBe(402);
    expect([await countOf(client), await countOf(other)]).toEqual([2, 0]);
  });

  it("is charged for a creation that may have been stored", async () => {
    const client = await widget();
    const batch = async () => {
      throw new Error("the connection was lost");
    };
    const db = new Proxy(env.DB, {
      get: (target, name) =>
        name === "batch" ? batch : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    const faulty = new Service({ now: clock.now, db });
    const answer = await faulty.fetch("/api/v1/qr", {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}`, origin: shop, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    expect(answer.status).toBe(500);
    expect(await countOf(client)).toBe(1);
  });

  it("has its own count; a secret key has none", async () => {
    const client = await widget();
    await spend(client, cap);
    const sibling = await service.client(client.workspaceId, ["qr:write"], "publishable", [shop]);
    const secret = await service.client(client.workspaceId);
    expect((await create(client)).status).toBe(403);
    expect((await create(sibling)).status).toBe(201);
    await spend(secret, cap);
    expect((await secret.send("POST", "/qr", input)).status).toBe(201);
  });

  it("shows its owner the day's count and the cap, and logs once when four fifths are used", async () => {
    const client = await widget();
    const shown = async (keyId = client.keyId) => {
      const session = await service.sessionIn(client.workspaceId);
      const { keys } = await session.expect(200, ApiKeyList, "GET", "/developer/keys");
      return keys.find(({ id }) => id === keyId)?.creationsToday;
    };
    expect(await shown()).toEqual({ count: 0, cap });
    await spend(client, cap * 0.8 - 2);
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      for (let i = 0; i < 3; i += 1) expect((await create(client)).status).toBe(201);
      const notices = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as { message: string });
      expect(notices.filter(({ message }) => message === "key close to its daily cap")).toEqual([
        expect.objectContaining({
          keyId: client.keyId,
          workspaceId: client.workspaceId,
          count: cap * 0.8,
          cap,
        }),
      ]);
    } finally {
      warn.mockRestore();
    }
    expect(await shown()).toEqual({ count: cap * 0.8 + 1, cap });
    clock.advance(day);
    expect(await shown()).toEqual({ count: 0, cap });
    const secret = await service.client(client.workspaceId);
    expect(await shown(secret.keyId)).toBeUndefined();
  });

  it("is listed without a count while its meter can't be reached", async () => {
    const client = await widget();
    const meter = wrapMeter(service.deps.meter, { creations: () => Promise.reject(new Error("away")) });
    const elsewhere = new Service({ now: clock.now, meter });
    const session = await elsewhere.sessionIn(client.workspaceId);
    const { keys } = await session.expect(200, ApiKeyList, "GET", "/developer/keys");
    expect(keys.find(({ id }) => id === client.keyId)?.creationsToday).toEqual({ count: null, cap });
  });
});

describe("the fields of a publishable key", () => {
  let client: Client;
  beforeAll(async () => {
    client = await widget(new Service());
  });

  const others: [string, object][] = [
    ["tags", { tags: ["a"] }],
    ["folderId", { folderId: null }],
    ["shape", { shape: "circle" }],
    ["colorConfig", { colorConfig: {} }],
    ["templateId", { templateId: crypto.randomUUID() }],
    ["advanced", { advanced: {} }],
    ["unknown", { unknown: 1 }],
    ["toString", { toString: 1 }],
    ["data.note", { data: { ...input.data, note: "x" } }],
    ["data.type", { data: { type: "sms", phone: "+4930123456" } }],
    ["qrType", { qrType: "sms", data: { type: "sms", phone: "+4930123456" } }],
  ];
  it.each(others)("do not include %s, which is refused by its name", async (field, extra) => {
    const refused = await create(client, { ...input, ...extra });
    expect(refused.headers.get("access-control-allow-origin")).toBe(shop);
    expect(await expectError(refused, 400, "invalid_input")).toMatch(
      new RegExp(`(^|\\. )${field.replace(".", "\\.")} `),
    );
    expect([await codesOf(client), await countOf(client)]).toEqual([0, 0]);
  });

  it("are qrType, data and name", async () => {
    const created = await create(client, { ...input, name: "Lunch" });
    expect([created.status, await created.json()]).toMatchObject([201, { name: "Lunch", tags: [] }]);
  });

  it("may be all of them with a secret key", async () => {
    const client = await service.workspace();
    for (const [field, extra] of others) {
      if (["templateId", "data.type"].includes(field)) continue;
      expect((await client.send("POST", "/qr", { ...input, ...extra })).status).toBe(201);
    }
  });

  it("creates a part of them for each network, which a refusal doesn't use up", async () => {
    const client = await widget();
    const meters: string[] = [];
    const meter: Deps["meter"] = (name) => {
      meters.push(name);
      return service.deps.meter(name);
    };
    const { workspaceId, keyId: id, key } = client;
    const edge = new Client(new Service({ now: clock.now, meter }), workspaceId, id, key);
    const from = (address: string, body: object = input) =>
      create(edge, body, { "cf-connecting-ip": address });
    expect((await from("192.0.2.1", { ...input, name: 7 })).status).toBe(400);
    expect((await from("192.0.2.1")).status).toBe(201);
    // All but two of the network's creations, as if it had made them.
    const keyId = meters.find((name) => name.startsWith("creations:")) ?? "";
    await spend({ keyId }, limits.keyCreations.network - 2);
    expect((await from("192.0.2.1")).status).toBe(201);
    const refused = await from("192.0.2.1");
    expect(await expectError(refused, 403, "plan_limit")).toContain("Your network can create 100");
    expect((await from("192.0.2.2")).status).toBe(201);
    expect(await countOf(client)).toBe(3);
    clock.advance(30_000);
    expect((await from("192.0.2.1")).status).toBe(201);
  });

  it.each([
    ["live codes", "free", "live_codes = 20"],
    ["creations of the day", "free", "creations = 400, creations_day = 20605"],
    ["bytes", "business", "stored_bytes = 0.8 * storage_limit"],
  ])("fills four fifths of the plan's %s, and leaves the rest to its owners", async (_, plan, used) => {
    const client = await widget();
    expect((await create(client)).status).toBe(201);
    await env.DB.prepare(`UPDATE workspaces SET plan = ?, ${used} WHERE id = ?`)
      .bind(plan, client.workspaceId)
      .run();
    const again = new Service({ now: clock.now });
    const answer = await again.fetch("/api/v1/qr", {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}`, origin: shop, "content-type": "application/json" },
      body: JSON.stringify(input),
    });
    expect(await expectError(answer, 402, "plan_limit")).toContain("80 % of what the plan allows");
    const member = serviceContext(client.workspaceId, plan as Plan);
    await createQr(service.deps, member, QrCreateInput.parse(input));
  });
});

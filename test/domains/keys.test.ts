import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { ApiKey, NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { publishableKey } from "../support/endpoints.ts";
import { Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let host: string;
let owner: SessionClient;
let widget: Client;
/** Of the workspace, with a secret key. */
let server: Client;
let count = 0;

beforeEach(async () => {
  owner = await service.session();
  count += 1;
  host = `shop${count}.example`;
  const { workspaceId } = owner;
  const given = await service.operator.expect(200, OperatorDomain, "PUT", `/operator/domains/${host}`, {
    workspaceId,
  });
  await owner.send("PATCH", `/developer/domains/${given.id}`, { isDefault: true, query: "merge" });
  widget = await newWidget();
  server = await service.client(workspaceId);
});

/** A visitor's browser with a new publishable key. */
async function newWidget(input: object = {}): Promise<Client> {
  const { id, key } = await owner.expect(201, NewApiKey, "POST", "/developer/keys", {
    ...publishableKey,
    ...input,
  });
  return new Client(service, owner.workspaceId, id, key);
}

async function createdBy(by: Client): Promise<Qr> {
  const [origin] = publishableKey.origins;
  const body = { qrType: "url", data: { type: "url", url: "https://elsewhere.example/" } };
  return by.expect(201, Qr, "POST", "/qr", body, { origin });
}

/** Scans an address in an isolate without memory. */
async function leadsTo(address: string): Promise<string | number> {
  const answer = await new Service({ now: clock.now }).fetch(`https://${address}`);
  return answer.headers.get("location") ?? answer.status;
}

const { host: scanHost } = new URL(service.deps.settings.scanOrigin);

describe("a code of a publishable key", () => {
  it("has its short link at the scan origin, and is unknown at domains", async () => {
    const qr = await createdBy(widget);
    expect([qr.domain, qr.scanUrl, qr.query, qr.scanOriginOnly]).toEqual([
      null,
      `${service.deps.settings.scanOrigin}/${qr.hash}`,
      "off",
      true,
    ]);
    expect(await leadsTo(`${scanHost}/${qr.hash}`)).toBe("https://elsewhere.example/");
    for (const path of [qr.hash, `${qr.hash.toUpperCase()}/`, `${qr.hash}.svg`]) {
      expect([path, await leadsTo(`${host}/${path}`)]).toEqual([path, 404]);
    }
    // Also in an isolate that has just answered it at the scan origin.
    await service.scan(qr.hash);
    expect((await service.fetch(`https://${host}/${qr.hash}`)).status).toBe(404);
  });

  it("is known there from the moment that a member changes its domain", async () => {
    const qr = await createdBy(widget);
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe(404);
    for (const change of [{ name: "Renamed" }, { domain: null }]) {
      const unchanged = await server.expect(200, Qr, "PATCH", `/qr/${qr.id}`, change);
      expect(unchanged.scanOriginOnly).toBe(true);
    }
    const changed = await server.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { domain: host });
    expect([changed.scanOriginOnly, new URL(changed.scanUrl).hostname]).toEqual([false, host]);
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe("https://elsewhere.example/");
    await server.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { domain: null });
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe("https://elsewhere.example/");
  });

  it("answers at an alias that a member gives it, and stays unknown by its short name", async () => {
    const qr = await createdBy(widget);
    await server.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { aliases: [`${host}/winner`] });
    expect(await leadsTo(`${host}/winner`)).toBe("https://elsewhere.example/");
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe(404);
  });

  it("costs no more reads than any other", async () => {
    const qr = await createdBy(widget);
    const read: string[] = [];
    const routeCache = {
      get: (key: string) => {
        read.push(key);
        return env.ROUTES.get(key, "json");
      },
    } as unknown as KVNamespace;
    const edge = new Service({ now: clock.now, routeCache });
    await edge.fetch(`https://${host}/${qr.hash}`);
    expect(read.toSorted()).toEqual([qr.hash, `domain:${host}`, `workspace:${owner.workspaceId}`].toSorted());
    await edge.fetch(`https://${host}/${qr.hash}`);
    expect(read).toHaveLength(3);
  });

  it("answers everywhere if it was made before this rule", async () => {
    const qr = await createdBy(widget);
    await env.DB.prepare("UPDATE qr_codes SET scan_origin_only = NULL, version = version + 1 WHERE id = ?")
      .bind(qr.id)
      .run();
    await env.ROUTES.delete(qr.hash);
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe("https://elsewhere.example/");
  });
});

describe("a publishable key", () => {
  it("makes codes for domains if its owner allows that, when it is created or later", async () => {
    const allowed = await newWidget({ usesDomains: true });
    const qr = await createdBy(allowed);
    expect([qr.domain, qr.scanOriginOnly]).toEqual([host, false]);
    expect(await leadsTo(`${host}/${qr.hash}`)).toBe("https://elsewhere.example/");
    const path = `/developer/keys/${widget.keyId}`;
    const before = await createdBy(widget);
    const key = await owner.expect(200, ApiKey, "PATCH", path, { usesDomains: true });
    expect(key.usesDomains).toBe(true);
    clock.advance(10_001);
    expect((await createdBy(widget)).domain).toBe(host);
    expect(await leadsTo(`${host}/${before.hash}`)).toBe(404);
    const { key: next, id } = await owner.expect(201, NewApiKey, "POST", `${path}/rotate`, {});
    expect((await createdBy(new Client(service, owner.workspaceId, id, next))).domain).toBe(host);
  });

  it("is the only kind of key that this is about", async () => {
    const secret = await owner.expect(201, NewApiKey, "POST", "/developer/keys", {
      name: "S",
      type: "secret",
    });
    expect(secret).not.toHaveProperty("usesDomains");
    expect((await owner.send("PATCH", `/developer/keys/${secret.id}`, { usesDomains: true })).status).toBe(
      400,
    );
    const created = { name: "S", type: "secret", usesDomains: true };
    expect((await owner.send("POST", "/developer/keys", created)).status).toBe(400);
  });
});

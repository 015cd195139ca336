import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { origin, Service } from "../support/service.ts";

const service = new Service();
const shop = "https://shop.example";
const input = { qrType: "url", data: { type: "url", url: "example.com" } };
const widget = async (plan: "free" | "business" = "free") => {
  const { workspaceId } = await service.workspace(plan);
  return service.client(workspaceId, ["qr:write"], "publishable", [shop]);
};

describe("the embed script", () => {
  it("is small and served to every page without a session or key", async () => {
    const response = await service.fetch("/embed.js");
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(text.length).toBeLessThan(8000);
    expect(text).not.toMatch(/eval|innerHTML|Function\(/);
    expect(text).toContain(JSON.stringify(origin));
    expect(text).not.toMatch(/"\{\w+\}"/);
  });

  it("has a demo page in local development only", async () => {
    expect((await service.fetch("/embed/demo")).status).toBe(404);
    const local = new Service({ settings: { embedDemoKey: "pk_live_demo" } });
    const page = await local.fetch("/embed/demo");
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ']+';/,
    );
    const html = await page.text();
    expect(html).toContain('<script src="/embed.js" data-key="pk_live_demo">');
    const [copy = ""] = /\/assets\/copy[\w.-]+/.exec(html) ?? [];
    expect((await local.fetch(copy)).headers.get("content-type")).toContain("text/javascript");
  });
});

describe("a publishable key", () => {
  it("creates URL codes from its origin on every plan, and the page can read the response", async () => {
    const client = await widget();
    const response = await client.send("POST", "/qr", input, { origin: shop });
    expect(response.status).toBe(201);
    Qr.parse(await response.json());
    expect(response.headers.get("access-control-allow-origin")).toBe(shop);
    expect(response.headers.get("vary")).toContain("origin");
    const bad = await client.send(
      "POST",
      "/qr",
      { ...input, data: { type: "url", url: "nope" } },
      { origin: shop },
    );
    expect([bad.status, bad.headers.get("access-control-allow-origin")]).toEqual([400, shop]);
  });

  it.each(["https://evil.example", "https://shop.example.evil.example", "http://shop.example", "null"])(
    "creates nothing from %s",
    async (origin) => {
      const client = await widget();
      expect((await client.send("POST", "/qr", input, { origin })).status).toBe(403);
      const count = env.DB.prepare("SELECT count(*) AS n FROM qr_codes WHERE workspace_id = ?");
      expect(await count.bind(client.workspaceId).first()).toEqual({ n: 0 });
    },
  );

  it("can do nothing else", async () => {
    const client = await widget("business");
    for (const [method, path] of [
      ["GET", "/qr"],
      ["POST", "/folders"],
      ["POST", "/qr/bulk"],
      ["GET", "/scans/export"],
    ] as const) {
      const response = await client.send(method, path, method === "POST" ? {} : undefined, { origin: shop });
      expect([path, response.status]).toEqual([path, 403]);
    }
  });

  it("passes the CORS preflight for its endpoint, not for other paths and methods", async () => {
    const preflight = (path: string, method: string) =>
      service.fetch(`/api/v1${path}`, {
        method: "OPTIONS",
        headers: { origin: shop, "access-control-request-method": method },
      });
    const allowed = await preflight("/qr", "POST");
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-headers")).toContain("authorization");
    for (const [path, method] of [
      ["/qr", "DELETE"],
      ["/folders", "POST"],
      ["/developer/keys", "POST"],
    ] as const) {
      const denied = await preflight(path, method);
      expect(denied.status).toBe(401);
      expect(denied.headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  it("alone gets CORS headers: a secret key gets none", async () => {
    const client = await service.workspace();
    const response = await client.send("POST", "/qr", input, { origin: shop });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([201, null]);
  });
});

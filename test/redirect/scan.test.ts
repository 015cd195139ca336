import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { promptQueue } from "../support/scans/prompt-queue.ts";
import { type Client, phone, Service } from "../support/service.ts";

/** Records scans at once. */
const service = new Service({ scanQueue: promptQueue });
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const scansOf = (id: string, query = "") =>
  client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans${query}`);

const total = async (id: string) => (await scansOf(id)).stats.total;

describe("a scan", () => {
  it("is answered 302 with no-store from the route cache, or from the catalogue, which fills the cache", async () => {
    const qr = await client.createQr();
    for (const source of ["the cache", "the catalogue", "the cache again"]) {
      if (source === "the catalogue") await env.ROUTES.delete(qr.hash);
      // A new isolate has no routes in memory.
      const response = await new Service().scan(qr.hash);
      expect([source, response.status]).toEqual([source, 302]);
      expect(response.headers.get("location")).toBe("https://example.com/");
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await env.ROUTES.get(qr.hash)).not.toBeNull();
    }
  });

  it("finds the code in upper or lower case and with commonly misread characters", async () => {
    const qr = await client.createQr();
    const misread = qr.hash.replaceAll("0", "O").replaceAll("1", "l");
    for (const hash of [qr.hash.toUpperCase(), misread, misread.toUpperCase()]) {
      expect((await service.scan(hash)).status).toBe(302);
    }
  });

  it("finds the code by a percent-encoded path, and its image", async () => {
    const qr = await client.createQr();
    const encode = (text: string) =>
      [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
    for (const path of [encode(qr.hash), encode(qr.hash[0] ?? "") + qr.hash.slice(1)]) {
      expect([path, (await service.scan(path)).status]).toEqual([path, 302]);
      for (const image of [`${path}.svg`, `${path}%2Esv%67`]) {
        expect([image, (await service.fetch(`/${image}`)).status]).toEqual([image, 200]);
      }
    }
    for (const path of [`${qr.hash}%`, `%zz${qr.hash.slice(1)}`, `%2F${qr.hash}`, `${qr.hash}%2F`]) {
      expect([path, (await service.scan(path)).status]).toEqual([path, 404]);
    }
  });

  it("follows a new destination, pausing, resuming and deletion", async () => {
    const qr = await client.createQr();
    await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url: "https://example.org/new" } });
    expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.org/new");
    await client.send("PATCH", `/qr/${qr.id}`, { status: "paused" });
    expect((await service.scan(qr.hash)).status).toBe(404);
    await client.send("PATCH", `/qr/${qr.id}`, { status: "active" });
    expect((await service.scan(qr.hash)).status).toBe(302);
    await client.send("DELETE", `/qr/${qr.id}`);
    expect((await service.scan(qr.hash)).status).toBe(404);
  });

  it("of an unknown path gets an HTML page that says so, with no-store", async () => {
    const paths = [
      ...["/00000000", "/OOOOOOOO", "/0000", "/wp-login", `/${"a".repeat(32)}`].map((path) => [
        path,
        "This code doesn't lead anywhere",
      ]),
      ...[
        "/unknown+",
        "/x",
        "/000",
        "/my_menu",
        `/${"a".repeat(33)}`,
        "/a/b",
        "/robots.txt",
        "/%00",
        "/%ff",
      ].map((path) => [path, "There's no code at this address"]),
    ] as const;
    for (const [path = "", heading] of paths) {
      const response = await service.fetch(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-type")).toContain("text/html");
      expect([path, (await response.text()).includes(`<h1>${heading}</h1>`)]).toEqual([path, true]);
    }
  });

  it("of an unknown and a deleted code gets the same page, so that it shows nothing of them", async () => {
    const deleted = await client.createQr();
    await client.send("DELETE", `/qr/${deleted.id}`);
    const pages = [];
    for (const hash of ["00000000", deleted.hash]) {
      const response = await service.scan(hash);
      pages.push([response.status, [...response.headers], (await response.text()).replaceAll(hash, "")]);
    }
    expect(pages[1]).toEqual(pages[0]);
  });
});

describe("recording", () => {
  it("stores each human scan with its time, place, device and user agent", async () => {
    const qr = await client.createQr();
    const cf = { country: "DE", city: "Köln" } as IncomingRequestCfProperties;
    const at = Date.now();
    // Recorded by the platform's queue.
    const edge = new Service();
    await edge.fetch(`/${qr.hash}`, {
      headers: { "user-agent": phone, "cf-connecting-ip": "192.0.2.7" },
      cf,
    });
    for (const address of ["192.0.2.7", "192.0.2.8"]) {
      await edge.fetch(`/${qr.hash}`, { headers: { "user-agent": phone, "cf-connecting-ip": address } });
    }
    await expect.poll(() => total(qr.id), { timeout: 15_000, interval: 100 }).toBe(3);
    const { stats, events } = await scansOf(qr.id);
    expect(stats).toEqual({ total: 3, uniqueVisitors: 2 });
    expect(events).toHaveLength(3);
    const cologne = events.filter((event) => event.country !== null);
    expect(cologne).toEqual([
      {
        id: expect.any(String),
        qrId: qr.id,
        scannedAt: expect.any(String),
        country: "DE",
        city: "Köln",
        device: "mobile",
        os: "iOS",
        userAgent: phone,
        via: null,
      },
    ]);
    expect(Math.abs(Date.parse(cologne[0]?.scannedAt ?? "") - at)).toBeLessThan(5000);
    expect((await scansOf(qr.id, "?limit=2")).events).toEqual(events.slice(0, 2));
  });

  it("does not count HEAD, bots, prefetches and paused codes, and redirects all but the last", async () => {
    const qr = await client.createQr();
    const open = (headers: Record<string, string>, method = "GET") =>
      service.fetch(`/${qr.hash}`, { method, headers: { "user-agent": phone, ...headers } });
    const uncounted = [
      await open({}, "HEAD"),
      await open({
        "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
      }),
      await open({ "user-agent": "facebookexternalhit/1.1" }),
      await open({ "sec-purpose": "prefetch;prerender" }),
      await open({ purpose: "prefetch" }),
      await open({ "x-moz": "prefetch" }),
    ];
    for (const response of uncounted) {
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe("https://example.com/");
      expect(await response.text()).toBe("");
    }
    await client.send("PATCH", `/qr/${qr.id}`, { status: "paused" });
    expect((await open({})).status).toBe(404);
    await client.send("PATCH", `/qr/${qr.id}`, { status: "active" });
    await open({});
    const { stats, events } = await scansOf(qr.id);
    expect([stats.total, events.length]).toEqual([1, 1]);
  });

  it("of another method than GET and HEAD is refused, and not counted", async () => {
    const qr = await client.createQr();
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const response = await service.fetch(`/${qr.hash}`, { method, headers: { "user-agent": phone } });
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "GET, HEAD"]);
    }
    await service.scan(qr.hash);
    expect(await total(qr.id)).toBe(1);
  });

  it("keeps the scans of a deleted code readable for its owner only", async () => {
    const qr = await client.createQr();
    await service.scan(qr.hash);
    await client.send("DELETE", `/qr/${qr.id}`);
    expect(await total(qr.id)).toBe(1);
    const other = await service.workspace();
    expect((await other.send("GET", `/qr/${qr.id}/scans`)).status).toBe(404);
  });

  it("never stores the client address", async () => {
    const qr = await client.createQr();
    const messages: string[] = [];
    const edge = new Service({
      scanQueue: {
        ...env.SCANS,
        send: async (message: unknown) => void messages.push(JSON.stringify(message)),
      } as unknown as Queue,
    });
    await edge.scan(qr.hash, { "cf-connecting-ip": "198.51.100.77" });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain(qr.id);
    expect(messages[0]).not.toContain("198.51.100.77");
  });
});

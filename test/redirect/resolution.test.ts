import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import { newHash } from "../../src/lib/text/hash.ts";
import { makeCodeOfPage, makePage, type PageMaker, pageMaker } from "../support/hosted-pages.ts";
import { type Client, FakeClock, phone, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let maker: PageMaker;
let client: Client;

beforeAll(async () => {
  maker = await pageMaker(service);
  client = maker.client;
});

/** An isolate with a fresh view of its feed. @param afterRead runs when KV has been read, before the value arrives */
async function isolate(afterRead: (key: string) => Promise<void>, overrides: DepsOverrides = {}) {
  const created = new Service({
    now: clock.now,
    routeCache: {
      get: async (key: string) => {
        const value = await env.ROUTES.get(key, "json");
        await afterRead(key);
        return value;
      },
      put: (key: string, text: string) => env.ROUTES.put(key, text),
    } as unknown as KVNamespace,
    ...overrides,
  });
  const other = await client.createQr();
  await created.scan(other.hash);
  return created;
}

const newUrl = "https://example.org/new";
const patch = (id: string) => client.send("PATCH", `/qr/${id}`, { data: { type: "url", url: newUrl } });

describe("a scan", () => {
  it("reads KV once for a hash that no cache has", async () => {
    const reads: string[] = [];
    const edge = await isolate(async (key) => void reads.push(key));
    const hash = newHash();
    clock.advance(1001);
    expect((await edge.scan(hash)).status).toBe(404);
    expect(reads.filter((key) => key === hash)).toHaveLength(1);
  });

  it("follows a change that was answered over a second before a slow KV arrived", async () => {
    const qr = await client.createQr();
    let isChanged = false;
    const edge = await isolate(async (key) => {
      if (key !== qr.hash || isChanged) return;
      isChanged = true;
      await patch(qr.id);
      clock.advance(1001);
    });
    expect((await edge.scan(qr.hash)).headers.get("location")).toBe(newUrl);
  });

  it("follows a code's change that was answered over a second before its page arrived", async () => {
    const [shown, next] = [await makePage(maker, { title: "Old page" }), await makePage(maker)];
    const data = (pageId: string) => ({ type: "servicepage", pageId }) as const;
    const qr = await client.createQr({ qrType: "servicepage", data: data(shown.id) });
    let isChanged = false;
    const edge = await isolate(async (key) => {
      if (key !== `page:${shown.id}` || isChanged) return;
      isChanged = true;
      await client.send("PATCH", `/qr/${qr.id}`, { data: data(next.id) });
      clock.advance(1001);
    });
    const html = await (await edge.scan(qr.hash)).text();
    expect(html).toContain(next.title);
    expect(html).not.toContain("Old page");
  });

  it("is answered even if every read takes longer than a second", async () => {
    const qr = await client.createQr();
    let reads = 0;
    const edge = await isolate(
      async () => {
        clock.advance(1001);
      },
      {
        feed: (region) => {
          const stub = service.deps.feed(region);
          const changes = async (seq: number) => {
            reads += 1;
            clock.advance(1001);
            return stub.changes(seq);
          };
          return { changes } as unknown as ReturnType<typeof service.deps.feed>;
        },
      },
    );
    reads = 0;
    expect((await edge.scan(qr.hash)).headers.get("location")).toBe("https://example.com/");
    expect(reads).toBeLessThan(10);
  });
});

describe("when D1 is unavailable", () => {
  /** An isolate whose catalogue can't be read. */
  const outage = (sent: string[] = []) => {
    const fail = () => {
      throw new Error("D1_ERROR: Network connection lost");
    };
    return new Service({
      db: { prepare: fail, batch: fail, withSession: fail } as unknown as D1Database,
      scanQueue: {
        send: async (message: unknown) => void sent.push(JSON.stringify(message)),
      } as unknown as Queue,
      unknownHashLimit: {
        limit: async ({ key }: { key: string }) => {
          sent.push(key);
          return { success: true };
        },
      },
    });
  };

  it.each(["scan", "code of a page", "page", "public image"] as const)(
    "a %s that no cache has is answered 503 with retry-after, and is not counted",
    async (kind) => {
      const { page, qr } = await makeCodeOfPage(maker);
      const plain = await client.createQr();
      const uncached = [`page:${page.id}`, plain.hash];
      for (const key of uncached) await env.ROUTES.delete(key);
      const path = {
        scan: `/${plain.hash}`,
        "code of a page": `/${qr.hash}`,
        page: `/pages/${page.id}`,
        "public image": `/${plain.hash}.svg`,
      }[kind];
      const sent: string[] = [];
      const response = await outage(sent).fetch(path, { headers: { "user-agent": phone } });
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.get("content-type")).toContain("text/html");
      expect(await response.text()).toContain("right now");
      expect(sent).toEqual([]);
    },
  );

  it("a scan that a cache has is answered", async () => {
    const qr = await client.createQr();
    expect((await outage().scan(qr.hash)).status).toBe(302);
  });
});

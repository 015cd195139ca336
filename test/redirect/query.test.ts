import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { Qr, type QrCreateInput } from "../../src/contract/resources/codes/qr.ts";
import { expectError } from "../support/endpoints.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

type Input = Partial<QrCreateInput>;

/** Where a scan of a new code leads. @param url of the code @param query of the scan, with its `?` */
async function led(url: string, query: string, input: Input): Promise<string | null> {
  const { hash } = await client.createQr({ data: { type: "url", url }, ...input });
  const { status, headers } = await service.fetch(`/${hash}${query}`);
  expect(status).toBe(302);
  return headers.get("location");
}

describe("the query of a scan", () => {
  it.each([
    ["off", "https://a.example/?x=1", "?y=2", "https://a.example/?x=1"],
    ["merge", "https://a.example/menu", "?table=7", "https://a.example/menu?table=7"],
    ["merge", "https://a.example/menu", "", "https://a.example/menu"],
    ["merge", "https://a.example/menu", "?", "https://a.example/menu"],
    ["merge", "https://a.example/?x=1#top", "?y=2&z=3", "https://a.example/?x=1&y=2&z=3#top"],
    ["merge", "https://a.example/?x=1", "?x=2&y=3&x=4", "https://a.example/?x=1&y=3"],
    ["merge", "https://a.example/?x=1", "?x=2", "https://a.example/?x=1"],
    ["merge", "https://a.example/", "?tag=a&&tag=b", "https://a.example/?tag=a&tag=b"],
    ["merge", "https://a.example/?x=a%20b", "?y=c%26d+e&z", "https://a.example/?x=a%20b&y=c%26d+e&z"],
    ["merge", "https://a.example/?", "?y=2", "https://a.example/?y=2"],
    ["raw", "https://a.example/?x=1#top", "?x=2&&=&y", "https://a.example/?x=1&x=2&&=&y#top"],
    ["raw", "https://a.example/#/route?in=fragment", "?y=2", "https://a.example/?y=2#/route?in=fragment"],
  ] as const)("%s: %s with %s leads to %s", async (query, url, scanned, expected) => {
    expect(await led(url, scanned, { query })).toBe(expected);
  });

  it("yields to the code's own campaign parameters", async () => {
    const input: Input = { query: "merge", utm: { source: "poster" } };
    expect(await led("https://a.example/", "?utm_source=spoofed&utm_term=7", input)).toBe(
      "https://a.example/?utm_source=poster&utm_term=7",
    );
  });

  it("is passed on to the app of a phone", async () => {
    const { hash } = await client.createQr({
      qrType: "applink",
      data: { type: "applink", ios: "https://apps.example/ios?x=1", fallback: "https://a.example/" },
      query: "merge",
    });
    const scan = async (userAgent: string) =>
      (await service.fetch(`/${hash}?ref=7`, { headers: { "user-agent": userAgent } })).headers.get(
        "location",
      );
    expect(await scan("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)")).toBe(
      "https://apps.example/ios?x=1&ref=7",
    );
    expect(await scan("Mozilla/5.0 (Windows NT 10.0)")).toBe("https://a.example/?ref=7");
  });

  it("is left out if the address would be too long, however long it is", async () => {
    const url = "https://a.example/";
    const room = limits.destination - url.length - "?".length;
    expect(await led(url, `?${"x".repeat(room)}`, { query: "raw" })).toHaveLength(limits.destination);
    for (const query of ["merge", "raw"] as const) {
      expect(await led(url, `?${"x".repeat(room + 1)}`, { query })).toBe(url);
      expect(await led(url, `?${"x&".repeat(7000)}`, { query })).toBe(url);
    }
  });

  it("is never passed on to the fallback of a paused code", async () => {
    const input: Input = { query: "merge", status: "paused", fallbackUrl: "https://a.example/later" };
    expect(await led("https://a.example/", "?x=1", input)).toBe("https://a.example/later");
  });

  it("is passed on at once after a change, and dropped at once after the next", async () => {
    const { id, hash } = await client.createQr({ data: { type: "url", url: "https://a.example/" } });
    const scan = async () => (await service.fetch(`/${hash}?x=1`)).headers.get("location");
    expect(await scan()).toBe("https://a.example/");
    expect(await client.expect(200, Qr, "PATCH", `/qr/${id}`, { query: "raw" })).toMatchObject({
      query: "raw",
    });
    expect(await scan()).toBe("https://a.example/?x=1");
    expect(await client.expect(200, Qr, "PATCH", `/qr/${id}`, { query: null })).toMatchObject({
      query: "off",
    });
    expect(await scan()).toBe("https://a.example/");
  });

  it("can't be passed on by codes that lead to no address of their owner", async () => {
    const location = { qrType: "location", data: { type: "location", latitude: 1, longitude: 2 } };
    const refused = await client.send("POST", "/qr", { ...location, query: "merge" });
    expect(await expectError(refused, 400, "invalid_input")).toBe(
      "query can be set only for codes of type url or applink.",
    );
    expect((await client.send("POST", "/qr", { ...location, query: "off" })).status).toBe(201);
    const wrong = await client.send("POST", "/qr", {
      qrType: "url",
      data: { type: "url", url: "a.example" },
      query: "some",
    });
    expect(await expectError(wrong, 400, "invalid_input")).toMatch(/^query /);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { ScansMessage } from "../src/protocol/messages.ts";
import { makeCodeOfPage, makePage } from "./support/hosted-pages.ts";
import { type Client, phone, Service } from "./support/service.ts";

const [scanOrigin, plainOrigin] = ["https://qr.example", "http://qr.example"];

const sent: ScansMessage[] = [];
const scanQueue = {
  send: async (message: ScansMessage) => {
    sent.push(message);
  },
} as unknown as Queue<ScansMessage>;

const service = new Service({ settings: { scanOrigin }, scanQueue });
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const get = (address: string, method = "GET") =>
  service.fetch(address, { method, headers: { "user-agent": phone } });
const transport = (response: Response) => response.headers.get("strict-transport-security");
const scansOf = (hash: string) =>
  sent
    .flatMap(({ batches }) => batches)
    .flatMap(({ codes, scans }) => scans.map(([, , code]) => codes[code]))
    .filter((code) => code?.hash === hash).length;

const paths = ["/", "/api/v1/qr?limit=2", "/api/v1/docs", "/dashboard", "/embed.js", "/pages/x/sent", "/a/b"];

describe("a request by plain http", () => {
  it("that is a scan goes straight to its destination, and is counted", async () => {
    const { hash } = await client.createQr();
    const response = await get(`${plainOrigin}/${hash}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, "https://example.com/"]);
    expect(transport(response)).toBeNull();
    expect(scansOf(hash)).toBe(1);
    expect((await get(`${plainOrigin}/${hash}`, "HEAD")).status).toBe(302);
    expect((await get(`${plainOrigin}/00000000`)).status).toBe(404);
  });

  it("that is a scan of a hosted page goes to the page's https address, and is counted once", async () => {
    const maker = { client, session: await service.sessionIn(client.workspaceId) };
    const { page, qr } = await makeCodeOfPage(maker);
    const response = await get(`${plainOrigin}/${qr.hash}`);
    expect([response.status, response.headers.get("location")]).toEqual([302, page.url]);
    expect(page.url).toBe(`${scanOrigin}/pages/${page.id}`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect((await get(page.url)).status).toBe(200);
    expect(scansOf(qr.hash)).toBe(1);
  });

  it.each([...paths, "/00000000.svg?size=300", "/00000000.png"])(
    "to %s is redirected to https",
    async (path) => {
      for (const method of ["GET", "HEAD"]) {
        const response = await get(plainOrigin + path, method);
        expect([response.status, response.headers.get("location")]).toEqual([308, scanOrigin + path]);
        expect([response.headers.get("cache-control"), transport(response)]).toEqual(["no-store", null]);
      }
      const elsewhere = await get(`http://qr.example:8080${path}`);
      expect(elsewhere.headers.get("location")).toBe(scanOrigin + path);
    },
  );

  it.each(["POST", "PATCH", "PUT", "DELETE", "OPTIONS"])(
    "with %s is refused, and changes nothing",
    async (method) => {
      const path = "/api/v1/qr";
      const response = await service.fetch(plainOrigin + path, {
        method,
        headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
        ...(method === "OPTIONS"
          ? {}
          : { body: JSON.stringify({ data: { type: "url", url: "example.com" } }) }),
      });
      expect({ status: response.status, body: await response.json() }).toEqual({
        status: 403,
        body: {
          code: "forbidden",
          error: `Use https. Send the request to ${scanOrigin}${path}.`,
        },
      });
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  it("is refused where a form is sent", async () => {
    const page = await makePage({ client, session: await service.sessionIn(client.workspaceId) });
    const post = { method: "POST", body: new URLSearchParams({ name: "Ada" }) };
    expect((await service.fetch(`${plainOrigin}/pages/${page.id}`, post)).status).toBe(403);
  });
});

describe("an answer by https", () => {
  it.each(paths)("to %s makes browsers use https for this host", async (path) => {
    const response = await get(scanOrigin + path);
    expect(response.status).not.toBe(308);
    expect(transport(response)).toBe("max-age=31536000");
  });

  it("to a scan, of any result, makes browsers use https for this host", async () => {
    const maker = { client, session: await service.sessionIn(client.workspaceId) };
    const { qr } = await makeCodeOfPage(maker);
    const { hash } = await client.createQr();
    for (const segment of [hash, hash, qr.hash, "00000000", "x", `${hash}.svg`, `${hash}.png`]) {
      expect([segment, transport(await get(`${scanOrigin}/${segment}`))]).toEqual([
        segment,
        "max-age=31536000",
      ]);
    }
    expect(transport(await get(`${scanOrigin}/${hash}`, "POST"))).toBe("max-age=31536000");
  });
});

it("in local development, plain http is answered", async () => {
  const local = new Service();
  const { hash } = await (await local.workspace()).createQr();
  const responses = await Promise.all(
    ["/api/v1/docs", `/${hash}.svg`, `/${hash}`].map((path) => local.fetch(path)),
  );
  expect(responses.map((response) => [response.status, transport(response)])).toEqual([
    [200, null],
    [200, null],
    [302, null],
  ]);
});

import { beforeAll, describe, expect, it } from "vitest";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const create = (url: unknown) => client.send("POST", "/qr", { qrType: "url", data: { type: "url", url } });

describe("a destination that is stored", () => {
  it.each([
    ["https://example.com", "https://example.com"],
    ["example.com", "https://example.com"],
    ["www.example.com/a?b=c#d", "https://www.example.com/a?b=c#d"],
    ["example.com:8080/x", "https://example.com:8080/x"],
    ["HTTP://Example.com/Path", "HTTP://Example.com/Path"],
    ["  example.com  ", "https://example.com"],
    ["bücher.example/käse", "https://xn--bcher-kva.example/k%C3%A4se"],
    ["https://example.com/a b", "https://example.com/a%20b"],
    ["https://example.com/😀", "https://example.com/%F0%9F%98%80"],
    ["http://127.0.0.1:9/x", "http://127.0.0.1:9/x"],
  ])("%s leads to %s", async (url, location) => {
    const { hash } = (await (await create(url)).json()) as { hash: string };
    const response = await service.scan(hash);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(location);
  });
});

describe("a destination that is refused", () => {
  it.each([
    [""],
    ["   "],
    ["javascript:alert(1)"],
    ["JavaScript:alert(1)"],
    ["java\tscript:alert(1)"],
    ["data:text/html,<script>alert(1)</script>"],
    ["file:///etc/passwd"],
    ["ftp://example.com"],
    ["mailto:a@example.com"],
    ["https://example.com/\r\nset-cookie: a=b"],
    ["https://example.com\n"],
    ["https://example.com/\u0000"],
    ["https://user:secret@example.com"],
    ["https://user@example.com"],
    ["https://@example.com"],
    ["user:secret@example.com"],
    ["//example.com"],
    ["/path"],
    ["\\\\example.com"],
    ["nodots"],
    ["https://"],
    ["https://exa mple.com"],
    [`https://example.com/${"x".repeat(2048)}`],
    [`example.com/${"x".repeat(2030)}`],
    [7],
    [null],
    [{}],
  ])("%j", async (url) => {
    const response = await create(url);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid_input",
      error: expect.stringMatching(/^data\.url /),
    });
  });

  it.each([
    ["", "its scan URL"],
    [".", "a trailing dot"],
  ])("this service itself", async (dot) => {
    const { host, hostname, port } = new URL(service.deps.settings.scanOrigin);
    for (const own of [
      host,
      `${hostname}${dot}:${port}`,
      host.toUpperCase(),
      `127.0.0.1:${port}`,
      `[::1]:${port}`,
    ]) {
      const response = await create(`http://${own}/01234567`);
      expect([own, response.status]).toEqual([own, 400]);
    }
  });

  it("this service on another port", async () => {
    const { hostname } = new URL(service.deps.settings.scanOrigin);
    for (const url of [`http://${hostname}:1/x`, `https://${hostname}`, `${hostname}.:9999`]) {
      const response = await create(url);
      expect([url, response.status]).toEqual([url, 400]);
      expect(await response.json()).toMatchObject({
        error: expect.stringMatching(/^data\.url can't lead/),
      });
    }
    expect((await create("http://127.0.0.1:1/x")).status).toBe(201);
  });

  it("a data object of an unknown type, or of another type than qrType", async () => {
    for (const data of [
      undefined,
      null,
      "https://example.com",
      [],
      {},
      { type: "nonsense" },
      { type: "vcard" },
    ]) {
      const response = await client.send("POST", "/qr", { qrType: "url", data });
      expect([data, response.status]).toEqual([data, 400]);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining("data") });
    }
    const response = await client.send("POST", "/qr", {
      qrType: "nonsense",
      data: { type: "url", url: "a.example" },
    });
    expect(await response.json()).toMatchObject({ error: expect.stringContaining("qrType") });
  });
});

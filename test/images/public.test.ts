import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { newHash } from "../../src/lib/text/hash.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const formats = [
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
] as const;

describe.each(formats)("/{hash}.%s", (format, type) => {
  it("is public and cacheable", async () => {
    const { hash, scanUrl } = await client.createQr({ shape: "circle" });
    const response = await service.fetch(`/${hash}.${format}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("cache-control")).toBe("public, max-age=300");
    expect(response.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const picture = await rasterise(format, new Uint8Array(await response.arrayBuffer()), 512);
    expect(await readWithZxing(picture)).toEqual([scanUrl]);
  });

  it("is revalidated by its tag, which changes with the design", async () => {
    const { id, hash } = await client.createQr();
    const tag = (await service.fetch(`/${hash}.${format}`)).headers.get("etag") ?? "";
    const again = () => service.fetch(`/${hash}.${format}`, { headers: { "if-none-match": tag } });
    const kept = await again();
    expect([kept.status, kept.headers.get("access-control-allow-origin")]).toEqual([304, "*"]);
    expect(kept.headers.get("cache-control")).toBe("public, max-age=300");
    expect(await kept.text()).toBe("");
    await client.send("PATCH", `/qr/${id}`, { colorConfig: { dotsColor: "navy" } });
    expect((await again()).status).toBe(200);
  });

  it("answers HEAD like GET, without a body, and no other method", async () => {
    const { hash } = await client.createQr();
    const head = await service.fetch(`/${hash}.${format}`, { method: "HEAD" });
    const get = await service.fetch(`/${hash}.${format}`);
    expect([...head.headers]).toEqual([...get.headers]);
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const post = await service.fetch(`/${hash}.${format}`, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("accepts and refuses the same options as the API", async () => {
    const { id, hash } = await client.createQr();
    const query = "size=333&margin=2&ecc=H&download";
    const open = await service.fetch(`/${hash}.${format}?${query}`);
    const keyed = await client.send("GET", `/qr/${id}/image?format=${format}&${query}`);
    expect(open.headers.get("etag")).toBe(keyed.headers.get("etag"));
    expect(open.headers.get("content-disposition")).toBe(
      `attachment; filename="${hash}${format === "png" ? "-333" : ""}.${format}"`,
    );
    expect(await open.arrayBuffer()).toEqual(await keyed.arrayBuffer());
    for (const bad of ["size=0", "size=4097", "size=NaN", "margin=21", "ecc=X", "size=64&size=64"]) {
      const refused = await service.fetch(`/${hash}.${format}?${bad}`);
      expect([refused.status, refused.headers.get("cache-control")]).toEqual([400, "no-store"]);
      expect(refused.headers.get("access-control-allow-origin")).toBe("*");
      expect(await refused.json()).toEqual({
        error: expect.stringContaining(`${bad.split("=")[0]} `),
        code: "invalid_input",
      });
    }
    const large = await service.fetch(`/${hash}.${format}?size=1025`);
    expect(large.status).toBe({ svg: 200, png: 400 }[format]);
  });

  it("takes few parameters, repeated ones included", async () => {
    const { hash } = await client.createQr();
    const withParameters = (count: number) =>
      service.fetch(`/${hash}.${format}?${Array(count).fill("a").join("&")}`);
    expect((await withParameters(limits.parameters)).status).toBe(200);
    const refused = await withParameters(limits.parameters + 1);
    const error = `query can have at most ${limits.parameters} parameters.`;
    expect([refused.status, await refused.json()]).toEqual([400, { error, code: "invalid_input" }]);
  });

  it("is found in any case, and by commonly misread characters", async () => {
    const { hash } = await client.createQr();
    const typed = hash.toUpperCase().replaceAll("0", "O").replaceAll("1", "l");
    expect((await service.fetch(`/${typed}.${format.toUpperCase()}`)).status).toBe(200);
    expect((await service.fetch(`/${hash}.${format}?v=2`)).status).toBe(200);
  });

  it("draws a paused code, but no deleted one", async () => {
    const { id, hash } = await client.createQr();
    await client.send("PATCH", `/qr/${id}`, { status: "paused" });
    expect((await service.fetch(`/${hash}.${format}`)).status).toBe(200);
    await client.send("DELETE", `/qr/${id}`);
    const gone = await service.fetch(`/${hash}.${format}`);
    expect([gone.status, gone.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await gone.text()).toContain("This code doesn't lead anywhere");
  });

  it("is the not-found page for an unknown code", async () => {
    for (const path of [
      `/${newHash()}.${format}`,
      `/short.${format}`,
      `/.${format}`,
      `/u!u!u!u!.${format}`,
    ]) {
      const response = await service.fetch(path);
      expect({ path, status: response.status }).toEqual({ path, status: 404 });
      expect(response.headers.get("content-type")).toContain("text/html");
    }
  });
});

it("accepts no other extension", async () => {
  const { hash } = await client.createQr();
  for (const path of [`/${hash}.gif`, `/${hash}.svg.png`, `/${hash}.svgx`, `/${hash}/.svg`]) {
    expect((await service.fetch(path)).status).toBe(404);
  }
  expect((await service.scan(hash)).status).toBe(302);
});

it("throttles an address that guesses hashes", async () => {
  const own = new Service();
  const guess = (address: string) =>
    own.fetch(`/${newHash()}.svg`, { headers: { "cf-connecting-ip": address } });
  let misses = 0;
  while (misses <= 202 && (await guess("192.0.2.70")).status === 404) misses += 1;
  // The limit of 100 is per clock minute, so up to 200 misses are counted if a minute ends during the test.
  expect(misses).toBeGreaterThanOrEqual(101);
  expect(misses).toBeLessThanOrEqual(201);
  for (let i = 0; i < 8; i += 1) expect((await guess("192.0.2.70")).status).toBe(429);
  expect((await guess("192.0.2.71")).status).toBe(404);
});

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { buildDeps } from "../../src/composition.ts";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { type Client, Service } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

let statements = 0;
let drawn = 0;
let allowed = 1000;
const networks: string[] = [];
const db = wrapDatabase(env.DB, (work) => {
  statements += 1;
  return work();
});
const service = new Service({
  db,
  drawings: buildDeps(env).drawings,
  drawingLimit: {
    limit: async ({ key }) => {
      networks.push(key);
      return { success: networks.length <= allowed };
    },
  },
  images: {
    png: (...args) => {
      drawn += 1;
      return env.IMAGES.png(...args);
    },
    checkLogo: (...args) => env.IMAGES.checkLogo(...args),
    readSvg: (...args) => env.IMAGES.readSvg(...args),
    pdf: (...args) => env.IMAGES.pdf(...args),
    disturbed: (...args) => env.IMAGES.disturbed(...args),
    measure: (...args) => env.IMAGES.measure(...args),
  },
});
let client: Client;
let templates: string[];

beforeAll(async () => {
  client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  templates = await Promise.all(
    ["#ff0000", "#0000ff"].map(async (fill) => {
      const logo = dataUri(svg(`<rect width="100" height="100" fill="${fill}"/>`));
      const input = { name: fill, logo };
      return (await session.expect(201, Template, "POST", "/developer/templates", input)).id;
    }),
  );
});

beforeEach(() => {
  networks.length = 0;
  allowed = 1000;
});

/** The reads of an image, and its tag. */
async function ask(path: string, headers: Record<string, string> = {}) {
  [statements, drawn] = [0, 0];
  const response = await service.fetch(path, { headers: { "cf-connecting-ip": "192.0.2.7", ...headers } });
  const { byteLength } = await response.arrayBuffer();
  return { status: response.status, tag: response.headers.get("etag") ?? "", byteLength, statements, drawn };
}

it("a public image is drawn once, after one read of the catalogue, and a change is seen at once", async () => {
  const { id, hash } = await client.createQr({ templateId: templates[0] });
  const path = `/${hash}.png`;
  const first = await ask(path);
  // The logo is an SVG, which is drawn on its own.
  expect(first).toMatchObject({ status: 200, statements: 1, drawn: 2 });
  expect(await ask(path)).toEqual({ ...first, drawn: 0 });
  // Nothing is even asked of the cache.
  expect(await ask(path, { "if-none-match": first.tag })).toMatchObject({
    status: 304,
    statements: 1,
    drawn: 0,
  });
  await client.expect(200, Qr, "PATCH", `/qr/${id}`, { templateId: templates[1] });
  const changed = await ask(path);
  expect(changed).toMatchObject({ status: 200, drawn: 2 });
  expect(changed.tag).not.toBe(first.tag);
  await client.expect(200, Qr, "PATCH", `/qr/${id}`, { templateId: templates[0] });
  expect(await ask(path)).toEqual({ ...first, drawn: 0 });
  // The same image by the API.
  [drawn] = [0];
  const image = await client.send("GET", `/qr/${id}/image?format=png`);
  expect([image.status, image.headers.get("etag"), drawn]).toEqual([200, first.tag, 0]);
});

it("an image of the API takes one read of the catalogue, too, with a logo or without", async () => {
  const codes = [await client.createQr({ templateId: templates[0] }), await client.createQr()];
  const headers = { authorization: `Bearer ${client.key}` };
  for (const { id, hash } of codes) {
    const path = `/api/v1/qr/${id}/image`;
    // The first request finds the key, which is remembered.
    await ask(path, headers);
    expect(await ask(path, headers)).toMatchObject({ status: 200, statements: 1 });
    expect((await ask(`/${hash}.svg`)).tag).toBe((await ask(path, headers)).tag);
  }
});

it("what has to be drawn is limited for each network; what the cache has is not", async () => {
  const codes = [await client.createQr(), await client.createQr()];
  allowed = 1;
  const [one, other] = codes.map(({ hash }) => `/${hash}.svg`);
  expect((await ask(one ?? "")).status).toBe(200);
  const refused = await service.fetch(other ?? "", { headers: { "cf-connecting-ip": "192.0.2.7" } });
  expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
    429,
    "60",
    { code: "rate_limited", error: "Rate limit exceeded" },
  ]);
  expect((await ask(one ?? "")).status).toBe(200);
  expect(new Set(networks)).toEqual(new Set(["192.0.2.7"]));
  // Callers of the API have their own limit.
  expect((await client.send("GET", `/qr/${codes[1]?.id}/image`)).status).toBe(200);
});

it("an image is drawn without the cache", async () => {
  const broken = () => Promise.reject(new Error("no cache"));
  const open = async () => ({ match: broken, put: broken });
  const uncached = new Service({ drawings: { origin: "https://drawings.example", open } });
  const { hash } = await client.createQr();
  expect((await uncached.fetch(`/${hash}.png`)).status).toBe(200);
});

import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import type { QrData } from "../../src/contract/resources/codes/qr-data.ts";
import type { Remote } from "../../src/protocol/remote.ts";
import type { RouteFeedMethods } from "../../src/protocol/route-feed.ts";
import { recordFormat } from "../../src/protocol/route-records.ts";
import { makeCodeOfPage, type PageMaker, pageMaker, wholePage } from "../support/hosted-pages.ts";
import { sample } from "../support/runner/runs.ts";
import { FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let maker: PageMaker;
let pageCode: Awaited<ReturnType<typeof makeCodeOfPage>>;
/** A code of a workspace that is suspended. */
let suspended: { workspaceId: string; hash: string };
/** A code of each content. */
const codes = new Map<QrData, string>();

beforeAll(async () => {
  maker = await pageMaker(service);
  for (const data of sample(contents, 2)) {
    codes.set(data, (await maker.client.createQr({ qrType: data.type, data })).hash);
  }
  pageCode = await makeCodeOfPage(maker, wholePage);
  const client = await service.workspace();
  suspended = { workspaceId: client.workspaceId, hash: (await client.createQr()).hash };
  const path = `/operator/workspaces/${suspended.workspaceId}/suspension`;
  expect((await service.operator.send("PUT", path, { reason: "A test" })).status).toBe(200);
});

type Stored = Record<string, unknown>;
const readRecord = async (key: string): Promise<Stored> => (await env.ROUTES.get<Stored>(key, "json")) ?? {};

/** The answer of an isolate without memory. */
async function scan(hash: string, overrides: DepsOverrides = {}) {
  const response = await new Service({ now: clock.now, ...overrides }).scan(hash);
  return { status: response.status, headers: [...response.headers], body: await response.text() };
}

/** Records that this release can't use, made of one that it can. */
const unreadable: [string, (record: Stored) => string][] = [
  ["an older format", ({ format, ...record }) => JSON.stringify(record)],
  [
    "an older format with other fields",
    ({ format, destination, action, content, ...record }) =>
      JSON.stringify({ ...record, answer: { url: destination, action, content } }),
  ],
  ["a newer format", (record) => JSON.stringify({ ...record, format: 99 })],
  ["this format without what the answer needs", ({ format }) => JSON.stringify({ format })],
  ["text that is no JSON", () => "https://example.com/"],
];

const contents: QrData[] = [
  { type: "url", url: "https://example.com/" },
  { type: "applink", ios: "https://a.example/", fallback: "https://b.example/" },
  { type: "vcard", firstName: "Ada" },
  { type: "email", to: "ada@example.com" },
];

describe.each(unreadable)("a record of %s", (_, replace) => {
  it.each(sample(contents, 2))(
    "of a code ($type) is read from the catalogue and written again",
    async (data) => {
      const hash = codes.get(data) ?? "";
      const expected = await scan(hash);
      const record = await readRecord(hash);
      await env.ROUTES.put(hash, replace(record));
      expect(await scan(hash)).toEqual(expected);
      expect(await readRecord(hash)).toEqual(record);
    },
  );

  it("of a hosted page is read from the catalogue and written again", async () => {
    const { page, qr } = pageCode;
    const key = `page:${page.id}`;
    const shown = async () => (await scan(qr.hash)).body.replace(/value="[^"]+"/g, "");
    const expected = await shown();
    const record = await readRecord(key);
    await env.ROUTES.put(key, replace(record));
    expect(await shown()).toBe(expected);
    expect(await readRecord(key)).toEqual(record);
  });

  it("of a suspended workspace is read from the catalogue and written again", async () => {
    const { workspaceId, hash } = suspended;
    const key = `workspace:${workspaceId}`;
    const record = await readRecord(key);
    await env.ROUTES.put(key, replace(record));
    expect((await scan(hash)).status).toBe(403);
    expect(await readRecord(key)).toEqual(record);
  });
});

it("an unreadable record is found, though its network tries unknown codes", async () => {
  const { hash } = await maker.client.createQr();
  await env.ROUTES.put(hash, "{}");
  const busyNetwork = { limit: () => Promise.reject(new Error("counted as a miss")) };
  expect((await scan(hash, { unknownHashLimit: busyNetwork })).status).toBe(302);
});

it.each([
  ["url", { type: "url" }],
  ["vcard", { type: "contact", firstName: "Ada" }],
])(
  "a code (%s) whose data in the catalogue can't be answered is a 503, never an empty answer",
  async (qrType, data) => {
    const { id, hash } = await maker.client.createQr();
    await env.DB.prepare("UPDATE qr_codes SET qr_type = ?, data = ? WHERE id = ?")
      .bind(qrType, JSON.stringify(data), id)
      .run();
    await env.ROUTES.delete(hash);
    const { status, headers } = await scan(hash);
    expect(status).toBe(503);
    expect(Object.fromEntries(headers)).toMatchObject({ "retry-after": expect.stringMatching(/^\d+$/) });
  },
);

const newUrl = "https://example.com/new";
const destination = async (edge: Service, hash: string) =>
  (await edge.fetch(`/${hash}`, { method: "HEAD" })).headers.get("location");

afterEach(() => {
  vi.useRealTimers();
});

it("a shared feed page of another format is not used", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  const pages = new Map<string, string>();
  let reads = 0;
  const isolate = () =>
    new Service({
      now: clock.now,
      pause: async () => {},
      feed: (region) => {
        const { changes, publish } = service.deps.feed(region);
        const counted = (seq: number) => {
          reads += 1;
          return changes(seq);
        };
        return { publish, changes: counted } as unknown as Remote<RouteFeedMethods>;
      },
      sharedPages: {
        origin: "https://route-feeds.example",
        open: async () => ({
          match: async (key) => new Response(pages.get(String(key)) ?? "null"),
          put: async (key, response) => {
            pages.set(String(key), JSON.stringify({ ...(await response.json<object>()), format: 99 }));
          },
        }),
      },
    });
  const { id, hash } = await maker.client.createQr();
  const [reader, other] = [isolate(), isolate()];
  for (const edge of [reader, other]) await destination(edge, hash);
  clock.advance(501);
  vi.setSystemTime(clock.now());
  await maker.client.send("PATCH", `/qr/${id}`, { data: { type: "url", url: newUrl } });
  await destination(reader, hash);
  expect(pages.size).toBe(1);
  const before = reads;
  await destination(other, hash);
  expect(reads).toBe(before + 1);
  expect(await destination(other, hash)).toBe(newUrl);
});

it("while a feed's pages have another format, scans are answered by the catalogue", async () => {
  const { id, hash } = await maker.client.createQr();
  const { hash: untouched } = await maker.client.createQr();
  let isOther = false;
  const old = await env.ROUTES.get(hash, "json");
  const edge = new Service({
    now: clock.now,
    routeCache: { get: async (key: string) => (key === hash ? old : env.ROUTES.get(key, "json")) } as never,
    feed: (region) => {
      const stub = service.deps.feed(region);
      const changes = async (seq: number) =>
        isOther ? { sequence: seq, entries: [] } : { ...(await stub.changes(seq)) };
      return { changes } as unknown as Remote<RouteFeedMethods>;
    },
  });
  expect(await destination(edge, hash)).toBe("https://example.com/");
  isOther = true;
  await maker.client.send("PATCH", `/qr/${id}`, { data: { type: "url", url: newUrl } });
  clock.advance(1001);
  expect(await destination(edge, hash)).toBe(newUrl);
  expect(await destination(edge, untouched)).toBe("https://example.com/");
  isOther = false;
  clock.advance(8001);
  expect(await destination(edge, hash)).toBe(newUrl);
});

/** The fields of a value with their types, in nested values too. */
function shapeOf(value: unknown, path = "", shape = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const each of value) shapeOf(each, `${path}[]`, shape);
  else if (typeof value === "object" && value !== null)
    for (const [name, each] of Object.entries(value))
      shapeOf(each, path === "" ? name : `${path}.${name}`, shape);
  else shape.add(`${path}: ${value === null ? "null" : typeof value}`);
  return shape;
}

/** The shape of the records of format 1. */
const formatOne = [
  "action.ios: string",
  "action.kind: string",
  "action.pageId: string",
  "action.text: string",
  "content.blocks[].alt: string",
  "content.blocks[].label: string",
  "content.blocks[].text: string",
  "content.blocks[].type: string",
  "content.blocks[].url: string",
  "content.colors.accent: string",
  "content.colors.background: string",
  "content.colors.text: string",
  "content.form.button: string",
  "content.form.fields[].label: string",
  "content.form.fields[].multiline: boolean",
  "content.form.fields[].name: string",
  "content.form.fields[].options[]: string",
  "content.form.fields[].required: boolean",
  "content.form.fields[].type: string",
  "content.form.thanks: string",
  "content.header.alt: string",
  "content.header.url: string",
  "content.intro: string",
  "content.language: string",
  "content.look: string",
  "content.scheme: string",
  "content.title: string",
  "destination: string",
  "expiresAt: number",
  "fallback: string",
  "formClosed: boolean",
  "format: number",
  "pageId: string",
  "qrId: string",
  "startsAt: number",
  "status: string",
  "suspended.legalOrder: boolean",
  "type: string",
  "version: number",
  "workspaceId: string",
];

it("the format of records is raised with their shape: if this fails, raise recordFormat and list the new shape", async () => {
  const keys: string[] = [];
  const create = async (data: QrData) =>
    keys.push((await maker.client.createQr({ qrType: data.type, data })).hash);
  for (const data of contents) await create(data);
  const { page, qr } = pageCode;
  keys.push(qr.hash, `page:${page.id}`);
  const limited = await maker.client.createQr();
  await maker.client.send("PATCH", `/qr/${limited.id}`, {
    startsAt: "2026-01-01T00:00:00Z",
    expiresAt: "2099-01-01T00:00:00Z",
    fallbackUrl: newUrl,
    utm: { source: "poster" },
  });
  await service.operator.send("PUT", `/operator/qr/${limited.id}/suspension`, { reason: "A test" });
  keys.push(limited.hash);
  const shape = new Set<string>();
  for (const key of keys) shapeOf(await readRecord(key), "", shape);
  expect({ format: recordFormat, shape: [...shape].sort() }).toEqual({ format: 1, shape: formatOne });
});

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type * as z from "zod";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { regions } from "../../../src/protocol/regions.ts";
import type { Remote } from "../../../src/protocol/remote.ts";
import type { FeedChange, RouteFeedMethods } from "../../../src/protocol/route-feed.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";

/** Requests that are sent at once. */
const count = 8;
const each = <T>(make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Versions that feeds have taken, by hash and region. */
const published = new Map<string, Set<number>>();

const service: Service = new Service({
  feed: (region) => {
    const stub = env.FEEDS.get(env.FEEDS.idFromName(region));
    return {
      changes: (seq: number) => stub.changes(seq),
      publish: async (changes: readonly FeedChange[]) => {
        await stub.publish(changes);
        for (const { key, version } of changes) {
          const place = `${key} ${region}`;
          published.set(place, (published.get(place) ?? new Set()).add(version));
        }
      },
    } as unknown as Remote<RouteFeedMethods>;
  },
});
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
  // The first request of a key also looks the key up and records its use.
  await client.createQr();
});

beforeEach(() => {
  published.clear();
});

const patch = (id: string, body: object): Promise<z.output<typeof Qr>> =>
  client.expect(200, Qr, "PATCH", `/qr/${id}`, body);

/** Events of a code after its creation, without those parts of their data that every change has. */
const changesOf = (id: string) =>
  emittedEvents()
    .filter(({ data, kind }) => data.id === id && kind !== "qr.created")
    .map(({ kind, data: { changed, ...qr } }) => ({ kind, changed: changed as string[] | undefined, qr }));

const stored = (id: string) =>
  env.DB.prepare("SELECT version, data->>'url' AS url, folder_id, template_id FROM qr_codes WHERE id = ?")
    .bind(id)
    .first<Record<string, unknown>>();

it("answers each of the changes with its own state, and emits an event with it", async () => {
  const { id } = await client.createQr();
  const answers = await Promise.all(each((i) => patch(id, { name: `Name ${i}` })));
  expect(answers.map(({ name }) => name)).toEqual(each((i) => `Name ${i}`));
  const changes = changesOf(id);
  expect(changes.every(({ kind, changed }) => kind === "qr.updated" && changed?.join() === "name")).toBe(
    true,
  );
  const byName = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b));
  expect(changes.map(({ qr }) => qr).sort(byName)).toEqual([...answers].sort(byName));
  expect((await stored(id))?.version).toBe(1 + count);
});

it("names in each event the fields that differ from the row as it then was", async () => {
  const { id } = await client.createQr({ tags: ["old"] });
  await Promise.all(each((i) => patch(id, { name: `Name ${i}`, tags: ["new"], shape: "circle" })));
  const changed = changesOf(id).map((event) => event.changed?.toSorted().join());
  expect(changed.toSorted()).toEqual([...each(() => "name").slice(1), "name,shape,tags"]);
});

it("publishes every version of changes at once, in all regions", async () => {
  const { id, hash } = await client.createQr();
  await Promise.all(each((i) => patch(id, { data: { type: "url", url: `https://example.com/${i}` } })));
  for (const region of regions) {
    expect(published.get(`${hash} ${region}`)).toEqual(new Set(each((i) => i + 2)));
  }
});

it("stores one of many equal changes at once, and answers none before it has been published", async () => {
  const { id, hash } = await client.createQr();
  const before = regions.map((region) => published.get(`${hash} ${region}`)?.has(2) ?? false);
  const atAnswers = each(async () => {
    expect(await patch(id, { status: "paused" })).toMatchObject({ status: "paused" });
    return regions.map((region) => published.get(`${hash} ${region}`)?.has(2) ?? false);
  });
  expect(before).toEqual(regions.map(() => false));
  expect(await Promise.all(atAnswers)).toEqual(each(() => regions.map(() => true)));
  expect((await stored(id))?.version).toBe(2);
  expect(changesOf(id)).toMatchObject([{ kind: "qr.updated", changed: ["status"] }]);
});

it("a template's style is applied as a whole, also beside other changes of the style", async () => {
  const session = await service.sessionIn(client.workspaceId);
  const templates = await Promise.all(
    ["#111111", "#222222"].map((dotsColor, i) =>
      session.expect(201, Template, "POST", "/developer/templates", {
        name: `Template ${i}`,
        colorConfig: { dotsColor, glow: i },
        shape: i === 0 ? "circle" : "square",
      }),
    ),
  );
  const { id } = await client.createQr();
  await Promise.all(each((i) => patch(id, { templateId: templates[i % 2]?.id })));
  const row = await env.DB.prepare("SELECT template_id, color_config, shape FROM qr_codes WHERE id = ?")
    .bind(id)
    .first<{ template_id: string; color_config: string; shape: string }>();
  const applied = templates.find((template) => template.id === row?.template_id);
  expect({ ...row, color_config: JSON.parse(row?.color_config ?? "") }).toEqual({
    template_id: applied?.id,
    color_config: applied?.colorConfig,
    shape: applied?.shape,
  });
  for (const { changed } of changesOf(id)) {
    expect(changed?.includes("templateId")).toBe(true);
    expect(changed?.includes("colorConfig")).toBe(true);
  }
});

it("equal free-form values are no change, in any order of their keys and at any depth", async () => {
  const colorConfig = { dotsColor: "#111111", a: { "x.y": [1, { c: null, b: '\u0001"' }], z: "1" } };
  const { id } = await client.createQr({ colorConfig });
  await patch(id, {
    colorConfig: { a: { z: "1", "x.y": [1, { b: '\u0001"', c: null }] }, dotsColor: "#111111" },
  });
  expect((await stored(id))?.version).toBe(1);
  for (const [i, changed] of [
    { dotsColor: "#111111", a: { "x.y": [1, { c: null, b: '\u0001"' }], z: 1 } },
    { dotsColor: "#111111", a: { "x.y": [{ c: null, b: '\u0001"' }, 1], z: 1 } },
    { dotsColor: "#111111", a: { x: { y: [{ c: null, b: '\u0001"' }, 1] }, z: 1 } },
    { dotsColor: "#111111", a: [] },
    { dotsColor: "#111111", a: null },
    { dotsColor: "#111111", a: "\u0000a" },
    { dotsColor: "#111111", a: "\u0000b" },
  ].entries()) {
    await patch(id, { colorConfig: changed });
    expect((await stored(id))?.version).toBe(2 + i);
  }
  expect(changesOf(id).map(({ changed }) => changed)).toEqual(
    Array.from({ length: 7 }, () => ["colorConfig"]),
  );
});

it("one of several deletions at once is answered 200", async () => {
  const { id } = await client.createQr();
  const responses = await Promise.all(each(() => client.send("DELETE", `/qr/${id}`)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...each(() => 404).slice(1)]);
  expect(changesOf(id)).toMatchObject([{ kind: "qr.deleted" }]);
  expect((await stored(id))?.version).toBe(2);
});

it("changes beside a deletion are stored before it or answered 404", async () => {
  const { id } = await client.createQr();
  const requests = each((i) =>
    i === 5 ? client.send("DELETE", `/qr/${id}`) : client.send("PATCH", `/qr/${id}`, { name: `Name ${i}` }),
  );
  const statuses = (await Promise.all(requests)).map(({ status }) => status);
  expect(statuses[5]).toBe(200);
  expect(statuses.every((status) => status === 200 || status === 404)).toBe(true);
  const changes = changesOf(id);
  const answered = statuses.filter((status) => status === 200).length;
  expect(changes).toHaveLength(answered);
  expect((await stored(id))?.version).toBe(1 + answered);
  expect(changes.filter(({ kind }) => kind === "qr.deleted")).toHaveLength(1);
});

import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import type { QrData } from "../../src/contract/resources/codes/qr-data.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { regions } from "../../src/protocol/regions.ts";
import type { FeedChange } from "../../src/protocol/route-feed.ts";
import { makeCodeOfPage, makePage, type PageMaker, pageMaker, sendForm } from "../support/hosted-pages.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { promptQueue } from "../support/scans/prompt-queue.ts";
import { FakeClock, phone, Service } from "../support/service.ts";
import { type Suspendable, setSuspension } from "../support/suspension.ts";
import { dropFromFeeds } from "../support/world/late-feeds.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const reason = "Reported as phishing";
const set = (kind: Suspendable, id: string, body?: object | null) =>
  setSuspension({ service, clock }, kind, id, body);
const newEdge = (overrides: DepsOverrides = {}) =>
  new Service({ now: clock.now, scanQueue: promptQueue, ...overrides });
const total = async (id: string) =>
  (await maker.client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans`)).stats.total;

const kinds: readonly QrData[] = [
  { type: "url", url: "https://evil.example/secret" },
  { type: "applink", ios: "https://evil.example/secret", fallback: "https://evil.example/secret" },
  { type: "location", latitude: 50, longitude: 6, label: "secret" },
  { type: "vcard", firstName: "secret" },
  { type: "sms", phone: "+4930901820", message: "secret" },
  { type: "email", to: "secret@example.com" },
  { type: "whatsapp", phone: "+4930901820", message: "secret" },
  { type: "telegram", username: "secret_name" },
] as const;

describe("a suspended code", () => {
  // One that redirects, one that is a file, and one that opens an app.
  it.each(
    oneOfEach(
      kinds,
      ({ type }) => ({ vcard: "file", sms: "page", email: "page" })[type as string] ?? "redirect",
    ),
  )("of type $type is answered by a neutral page, and not counted", async (data) => {
    const qr = await maker.client.createQr({ qrType: data.type, data });
    const edge = newEdge();
    const before = (await edge.scan(qr.hash)).status;
    expect([200, 302]).toContain(before);
    for (const [legalOrder, status] of [
      [false, 403],
      [true, 451],
    ] as const) {
      await set("qr", qr.id, { reason, legalOrder });
      for (const method of ["GET", "HEAD"]) {
        const answer = await edge.fetch(`/${qr.hash}`, { method, headers: { "user-agent": phone } });
        expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "no-store"]);
        expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
        expect([...answer.headers.keys()]).not.toContain("location");
        if (method === "GET") expect(await answer.text()).not.toMatch(/secret|evil|\+49|phishing/i);
      }
    }
    await set("qr", qr.id, null);
    expect((await edge.scan(qr.hash)).status).toBe(before);
    expect(await total(qr.id)).toBe(2);
  });

  it("goes before its pause, and its deletion before it", async () => {
    const qr = await maker.client.createQr();
    await set("qr", qr.id);
    await maker.client.send("PATCH", `/qr/${qr.id}`, { status: "paused" });
    expect((await newEdge().scan(qr.hash)).status).toBe(403);
    await maker.client.send("DELETE", `/qr/${qr.id}`);
    expect((await newEdge().scan(qr.hash)).status).toBe(404);
  });
});

describe.each<Suspendable>(["qr", "workspaces"])(
  "the public image of a code whose %s suspension is in force",
  (kind) => {
    it("shows its own address, without logo and colours, until it is lifted", async () => {
      const logo = dataUri(svg('<circle r="40" fill="teal"/>'), "image/svg+xml");
      const template = await maker.session.expect(201, Template, "POST", "/developer/templates", {
        name: "T",
        logo,
      });
      const style = { templateId: template.id, colorConfig: { dotsColor: "#123456" } };
      const qr = await maker.client.createQr(style);
      const drawn = async (format: "svg" | "png") => {
        const answer = await newEdge().fetch(`/${qr.hash}.${format}`);
        return { status: answer.status, tag: answer.headers.get("etag"), text: await answer.text() };
      };
      const before = await drawn("svg");
      expect(before.text).toContain('fill="#123456"');
      expect(before.text).toContain("data:image/svg+xml");
      const id = kind === "qr" ? qr.id : maker.client.workspaceId;
      for (const legalOrder of [false, true]) {
        await set(kind, id, { reason, legalOrder });
        const { status, tag, text } = await drawn("svg");
        expect([status, tag === before.tag]).toEqual([200, false]);
        expect(text).not.toMatch(/data:image|#123456/);
        // With an SVG logo there is none.
        expect((await drawn("png")).status).toBe(200);
        expect((await maker.client.send("GET", `/qr/${qr.id}/image`)).status).toBe(200);
      }
      await set(kind, id, null);
      expect(await drawn("svg")).toEqual(before);
    });
  },
);

const form = { form: { fields: [{ type: "text", name: "name", label: "Name" }] } };

describe.each<Suspendable>(["pages", "workspaces"])(
  "a hosted page whose %s suspension is in force",
  (kind) => {
    it("shows nothing of itself, takes no form, and its codes' scans are not counted", async () => {
      const { page, qr } = await makeCodeOfPage(maker, { title: "Secret offer", ...form });
      const edge = newEdge();
      expect((await edge.fetch(`/pages/${page.id}`)).status).toBe(200);
      expect((await edge.scan(qr.hash)).status).toBe(200);
      const id = kind === "pages" ? page.id : maker.client.workspaceId;
      for (const [legalOrder, status] of [
        [false, 403],
        [true, 451],
      ] as const) {
        await set(kind, id, { reason, legalOrder });
        const answers = [
          await edge.fetch(`/pages/${page.id}`),
          await edge.fetch(`/pages/${page.id}`, { method: "HEAD" }),
          await edge.fetch(`/pages/${page.id}/sent`),
          await edge.fetch(`/pages/${page.id}/images/x`),
          await sendForm(edge, page, { name: "Ada" }),
          await edge.scan(qr.hash),
        ];
        for (const answer of answers) {
          expect([answer.status, answer.headers.get("cache-control")]).toEqual([status, "no-store"]);
          expect(await answer.text()).not.toMatch(/secret|offer|phishing/i);
        }
      }
      await set(kind, id, null);
      expect((await edge.scan(qr.hash)).status).toBe(200);
      expect((await edge.fetch(`/pages/${page.id}`)).status).toBe(200);
      expect(await total(qr.id)).toBe(2);
      const submissions = await maker.session.expect(
        200,
        SubmissionList,
        "GET",
        `/developer/pages/${page.id}/submissions`,
      );
      expect(submissions.items).toEqual([]);
    });
  },
);

it("the suspension of a page concerns no other", async () => {
  const [first, second] = [await makePage(maker), await makePage(maker)];
  await set("pages", first.id);
  expect((await newEdge().fetch(`/pages/${first.id}`)).status).toBe(403);
  expect((await newEdge().fetch(`/pages/${second.id}`)).status).toBe(200);
  expect(
    (await maker.session.expect(200, Page, "GET", `/developer/pages/${second.id}`)).suspended,
  ).toBeNull();
});

describe("a suspended workspace", () => {
  beforeEach(async () => {
    maker = await pageMaker(service);
  });

  it("stops its scans for as long as it lasts, at edges that never saw the change, and no other's", async () => {
    const qr = await maker.client.createQr();
    const other = await (await service.workspace()).createQr();
    await set("workspaces", maker.client.workspaceId);
    await dropFromFeeds();
    expect((await newEdge().scan(qr.hash)).status).toBe(403);
    expect((await newEdge().scan(other.hash)).status).toBe(302);
    await set("workspaces", maker.client.workspaceId, null);
    await dropFromFeeds();
    expect((await newEdge().scan(qr.hash)).status).toBe(302);
  });

  it("writes one key, and none for a code or a page", async () => {
    await maker.client.createQr();
    await makePage(maker);
    const written: string[] = [];
    const published: string[] = [];
    const { deps } = service;
    const recording = newEdge({
      routeCache: {
        get: (key: string) => env.ROUTES.get(key, "json"),
        put: async (key: string, text: string) => {
          written.push(key);
          await env.ROUTES.put(key, text);
        },
      } as unknown as KVNamespace,
      feed: (region) =>
        ({
          changes: (seq: number) => deps.feed(region).changes(seq),
          publish: async (changes: readonly FeedChange[]) => {
            published.push(...changes.map(({ key }) => `${region} ${key}`));
            await deps.feed(region).publish(changes);
          },
        }) as unknown as ReturnType<typeof deps.feed>,
    });
    const key = `workspace:${maker.client.workspaceId}`;
    const path = `/operator/workspaces/${maker.client.workspaceId}/suspension`;
    await recording.operator.send("PUT", path, { reason, legalOrder: true });
    expect(written).toEqual([key]);
    expect(published.sort()).toEqual(regions.map((region) => `${region} ${key}`).sort());
    expect(await env.ROUTES.get(key, "json")).toMatchObject({ version: 1, suspended: { legalOrder: true } });
    await recording.operator.send("DELETE", path);
    expect(await env.ROUTES.get(key, "json")).toEqual({ format: 1, version: 2 });
  });

  it("goes before its code's own suspension if a legal order demands it", async () => {
    const qr = await maker.client.createQr();
    await set("qr", qr.id);
    await set("workspaces", maker.client.workspaceId, { reason, legalOrder: true });
    expect((await newEdge().scan(qr.hash)).status).toBe(451);
    await set("qr", qr.id, { reason, legalOrder: true });
    await set("workspaces", maker.client.workspaceId);
    expect((await newEdge().scan(qr.hash)).status).toBe(451);
  });
});

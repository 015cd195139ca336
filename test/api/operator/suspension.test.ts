import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { AbuseReport, AbuseReportList } from "../../../src/contract/resources/operations/abuse-reports.ts";
import {
  OperatorWorkspaceDetails,
  OperatorWorkspaceList,
} from "../../../src/contract/resources/operations/operations.ts";
import { SuspensionStatus } from "../../../src/contract/resources/operations/suspension.ts";
import { Page, PageList } from "../../../src/contract/resources/pages.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { newHash } from "../../../src/lib/text/hash.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { BulkHarness, goodItems } from "../../support/bulk.ts";
import {
  bodyHeaders,
  classes,
  expectError,
  method,
  rowCounts,
  somePath,
  TestCallers,
  table,
  validBody,
} from "../../support/endpoints.ts";
import { makeCodeOfPage, makePage, type PageMaker, pageMaker } from "../../support/hosted-pages.ts";
import { dataUri, svg } from "../../support/images/logos.ts";
import { HeldScans } from "../../support/scans/held-scans.ts";
import { emittedEvents, FakeClock, Service } from "../../support/service.ts";
import { type Suspendable, suspensionPath } from "../../support/suspension.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let maker: PageMaker;

const newMaker = async (): Promise<void> => {
  maker = await pageMaker(service);
};
beforeAll(newMaker);

const reason = "Reported as phishing";
const suspend = (kind: Suspendable, id: string, body: object = { reason }) =>
  service.operator.expect(200, SuspensionStatus.strict(), "PUT", suspensionPath(kind, id), body);
const lift = (kind: Suspendable, id: string) =>
  service.operator.expect(200, SuspensionStatus.strict(), "DELETE", suspensionPath(kind, id));
const now = () => new Date(clock.now()).toISOString();

/** A code, a page and a workspace, each with its id, and how its owner sees its suspension. */
async function suspendable(kind: Suspendable) {
  const { client, session } = maker;
  const qr = await client.createQr();
  const page = await makePage(maker);
  const id = { qr: qr.id, pages: page.id, workspaces: client.workspaceId }[kind];
  const seen = async () => {
    const resource = {
      qr: () => client.expect(200, Qr.strict(), "GET", `/qr/${qr.id}`),
      pages: () => session.expect(200, Page.strict(), "GET", `/developer/pages/${page.id}`),
      workspaces: () => session.expect(200, Workspace.strict(), "GET", "/developer/workspace"),
    }[kind];
    return (await resource()).suspended;
  };
  return { id, seen };
}

describe.each<Suspendable>(["qr", "pages", "workspaces"])("suspending %s", (kind) => {
  it("answers with the state, which the owner sees, and again with the same", async () => {
    const { id, seen } = await suspendable(kind);
    expect(await seen()).toBeNull();
    const suspended = { reason, legalOrder: false, at: now() };
    const state = { id, workspaceId: maker.client.workspaceId, suspended };
    expect(await suspend(kind, id)).toEqual(state);
    clock.advance(1000);
    expect(await suspend(kind, id, { reason })).toEqual(state);
    expect(await seen()).toEqual(suspended);
    const ordered = { reason: "Order 7", legalOrder: true };
    expect((await suspend(kind, id, ordered)).suspended).toEqual({ ...ordered, at: now() });
    for (let i = 0; i < 2; i += 1) expect(await lift(kind, id)).toEqual({ ...state, suspended: null });
    expect(await seen()).toBeNull();
  });

  it("refuses an invalid reason or order by its name", async () => {
    const { id, seen } = await suspendable(kind);
    for (const [field, body] of [
      ["reason", {}],
      ["reason", { reason: " " }],
      ["reason", { reason: "x".repeat(501) }],
      ["reason", { reason: "two\nlines" }],
      ["reason", { reason: "\ud83c" }],
      ["legalOrder", { reason, legalOrder: "yes" }],
    ] as const) {
      const answer = await service.operator.send("PUT", suspensionPath(kind, id), body);
      expect(await expectError(answer, 400, "invalid_input")).toMatch(new RegExp(`^${field} `));
    }
    expect(await seen()).toBeNull();
  });
});

it("a takedown from report to scan: one call suspends, another lifts", async () => {
  const { client } = maker;
  const url = "https://evil.example/login";
  const qr = await client.createQr({ data: { type: "url", url } });
  const scans = new HeldScans();
  const edge = new Service({ now: clock.now, scanQueue: scans.queue });
  expect((await edge.scan(qr.hash)).headers.get("location")).toBe(url);
  await service.fetch("/report", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "cf-connecting-ip": "192.0.2.1" },
    body: new URLSearchParams({ code: qr.hash, reason: "phishing" }).toString(),
  });
  const list = () =>
    service.operator.expect(
      200,
      AbuseReportList.strict(),
      "GET",
      `/operator/reports?workspaceId=${client.workspaceId}`,
    );
  const [report] = (await list()).items;
  expect(report?.suspended).toEqual([]);
  const decide = (body: object) =>
    service.operator.send("POST", `/operator/reports/${report?.id}/decide`, body);

  const contradiction = await decide({ decision: "dismissed", suspend: { reason } });
  expect(await expectError(contradiction, 400, "invalid_input")).toMatch(/^decision must be acted_on/);
  expect(
    await expectError(await decide({ decision: "acted_on", suspend: {} }), 400, "invalid_input"),
  ).toMatch(/^suspend.reason /);
  const decided = await decide({ decision: "acted_on", suspend: { reason } });
  expect(AbuseReport.strict().parse(await decided.json())).toMatchObject({
    status: "acted_on",
    suspended: ["code"],
  });
  expect((await list()).items[0]?.suspended).toEqual(["code"]);
  clock.advance(1001);
  const refused = await edge.scan(qr.hash);
  expect([refused.status, refused.headers.get("cache-control")]).toEqual([403, "no-store"]);
  const html = await refused.text();
  expect(html).toContain("has been disabled");
  for (const secret of ["evil.example", reason]) expect(html).not.toContain(secret);

  await lift("qr", qr.hash);
  clock.advance(1001);
  expect((await edge.scan(qr.hash)).headers.get("location")).toBe(url);
  await scans.deliver(service);
  const { stats } = await client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans`);
  expect(stats.total).toBe(2);
  expect((await list()).items[0]).toMatchObject({ status: "acted_on", suspended: [] });
});

it("a report on a code that shows a hosted page suspends both, and so all other codes of it; one on the page the page", async () => {
  const [one, other] = [await makeCodeOfPage(maker), await makeCodeOfPage(maker)];
  const { page } = one;
  const data = { type: "servicepage", pageId: page.id } as const;
  const second = await maker.client.createQr({ qrType: "servicepage", data });
  const subjects = [
    [{ page: other.page.id }, ["page"], [other.qr.hash, `pages/${other.page.id}`]],
    [{ code: one.qr.hash }, ["code", "page"], [one.qr.hash, second.hash, `pages/${page.id}`]],
  ] as const;
  for (const [subject, suspended, closed] of subjects) {
    clock.advance(1);
    await service.fetch("/report", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", "cf-connecting-ip": "192.0.2.2" },
      body: new URLSearchParams({ ...subject, reason: "spam" }).toString(),
    });
    const query = `/operator/reports?workspaceId=${maker.client.workspaceId}&limit=1`;
    const [report] = (await service.operator.expect(200, AbuseReportList.strict(), "GET", query)).items;
    const decision = { decision: "acted_on", suspend: { reason, legalOrder: true } };
    const decide = `/operator/reports/${report?.id}/decide`;
    const decided = await service.operator.expect(200, AbuseReport.strict(), "POST", decide, decision);
    expect(decided.suspended).toEqual(suspended);
    clock.advance(1001);
    const edge = new Service({ now: clock.now });
    for (const path of closed) expect((await edge.scan(path)).status).toBe(451);
  }
});

it("a report on a code that shows a page suspends the page also once the code has been erased", async () => {
  const later = new FakeClock(clock.now());
  const own = new Service({ now: later.now });
  later.advance(1);
  const { page, qr } = await makeCodeOfPage(maker);
  await own.fetch("/report", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", "cf-connecting-ip": "192.0.2.3" },
    body: new URLSearchParams({ code: qr.hash, reason: "spam" }).toString(),
  });
  const query = `/operator/reports?workspaceId=${maker.client.workspaceId}&limit=1`;
  const [report] = (await own.operator.expect(200, AbuseReportList.strict(), "GET", query)).items;
  await maker.client.send("DELETE", `/qr/${qr.id}`);
  later.advance(31 * 24 * 60 * 60_000);
  await sweep(own.deps);
  const decide = `/operator/reports/${report?.id}/decide`;
  const decision = { decision: "acted_on", suspend: { reason } };
  expect((await own.operator.expect(200, AbuseReport.strict(), "POST", decide, decision)).suspended).toEqual([
    "page",
  ]);
  expect((await own.fetch(`/pages/${page.id}`)).status).toBe(403);
});

describe("a suspended code", () => {
  it("is named by its id or its hash, as it is typed", async () => {
    const qr = await maker.client.createQr();
    for (const id of [qr.id.toUpperCase(), qr.hash.toUpperCase()]) {
      expect((await suspend("qr", id)).id).toBe(qr.id);
      expect((await lift("qr", id)).id).toBe(qr.id);
    }
    for (const id of [newHash(), crypto.randomUUID(), "x"]) {
      for (const send of ["PUT", "DELETE"]) {
        const answer = await service.operator.send(
          send,
          suspensionPath("qr", id),
          send === "PUT" ? { reason } : undefined,
        );
        expect(await expectError(answer, 404, "not_found")).toBe("QR code not found.");
      }
    }
  });

  it("can be edited, deleted and restored by its owner, who can't lift the suspension", async () => {
    const { client } = maker;
    const qr = await client.createQr();
    const { suspended } = await suspend("qr", qr.id);
    const changes = [{ status: "paused" }, { status: "active", suspended: null }, { name: "New" }];
    for (const change of changes) {
      expect(await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, change)).toMatchObject({ suspended });
    }
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(403);
    expect((await client.send("DELETE", `/qr/${qr.id}`)).status).toBe(200);
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(404);
    expect((await client.expect(200, Qr, "POST", `/qr/${qr.id}/restore`)).suspended).toEqual(suspended);
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(403);
    const listed = await client.expect(200, QrList, "GET", "/qr");
    expect(listed.items.find(({ id }) => id === qr.id)?.suspended).toEqual(suspended);
  });

  it("is suspended also while it is deleted, so that restoring it is no way out", async () => {
    const { client } = maker;
    const qr = await client.createQr();
    await client.send("DELETE", `/qr/${qr.id}`);
    await suspend("qr", qr.hash);
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(404);
    await client.send("POST", `/qr/${qr.id}/restore`);
    expect((await new Service({ now: clock.now }).scan(qr.hash)).status).toBe(403);
  });

  it("is reported to its owner by qr.updated, once each time, and not while it is deleted", async () => {
    const { client } = maker;
    const qr = await client.createQr();
    const { suspended } = await suspend("qr", qr.id);
    await suspend("qr", qr.id);
    await lift("qr", qr.id);
    await lift("qr", qr.id);
    await client.send("DELETE", `/qr/${qr.id}`);
    await suspend("qr", qr.id);
    const events = emittedEvents().filter(({ kind, data }) => kind === "qr.updated" && data.id === qr.id);
    expect(events.map(({ data }) => [data.changed, data.suspended])).toEqual([
      [["suspended"], suspended],
      [["suspended"], null],
    ]);
  });

  it("has lost its reason once it is erased, and can't be suspended", async () => {
    const later = new FakeClock();
    const own = new Service({ now: later.now });
    const client = await own.workspace();
    const qr = await client.createQr();
    await own.operator.send("PUT", suspensionPath("qr", qr.id), { reason });
    await client.send("DELETE", `/qr/${qr.id}`);
    later.advance(31 * 24 * 60 * 60_000);
    await sweep(own.deps);
    const row = await env.DB.prepare("SELECT * FROM qr_codes WHERE id = ?").bind(qr.id).first();
    expect(JSON.stringify(row)).not.toContain(reason);
    await expectError(
      await own.operator.send("PUT", suspensionPath("qr", qr.id), { reason }),
      404,
      "not_found",
    );
  });
});

describe("a suspended workspace", () => {
  beforeEach(newMaker);

  /** The verbs of the endpoint table that create something; a replay sends again what exists. */
  const isCreation = (name: string) => /^(create|putQr|setAlerts)/.test(name) && name !== "createReplay";

  it("creates nothing by any endpoint, and refuses nothing of another class for that", async () => {
    const callers = await TestCallers.of(service);
    const { workspaceId } = callers.keyClient;
    await suspend("workspaces", workspaceId);
    const before = await rowCounts();
    const refused: string[] = [];
    const others = new Set(classes.map(({ name }) => name));
    const own = table.filter(
      ({ auth, name }) => auth !== "operator" && (isCreation(name) || others.has(name)),
    );
    for (const endpoint of own) {
      const { name } = endpoint;
      const headers = bodyHeaders(endpoint);
      const answer = await callers
        .clientOf(endpoint)
        .send(method(endpoint), somePath(endpoint), validBody[name], headers);
      if (answer.headers.get("content-type")?.includes("event-stream") === true) await answer.body?.cancel();
      else if ((await answer.text()).includes("has suspended your workspace")) refused.push(name);
    }
    expect(refused).toEqual(own.map(({ name }) => name).filter(isCreation));
    // Changes of what exists go on, and are in the history.
    expect(await rowCounts()).toEqual({ ...before, outbox: expect.anything() });
  });

  it("takes no new logo for a template that exists, by any way", async () => {
    const { session } = maker;
    const stored = dataUri(svg("<g/>"), "image/svg+xml");
    const path = "/developer/templates";
    const { id } = await session.expect(201, Template, "POST", path, { name: "T", logo: stored });
    await suspend("workspaces", maker.client.workspaceId);
    const change = (body: object) => session.send("PATCH", `${path}/${id}`, body);
    const logo = dataUri(svg("<g/><g/>"), "image/svg+xml");
    await expectError(await change({ name: "New", logo }), 403, "forbidden");
    expect((await session.expect(200, Template, "GET", `${path}/${id}`)).name).toBe("T");
    for (const body of [{ name: "New" }, { logo: stored }, { logo: null }]) {
      expect((await change(body)).status).toBe(200);
    }
  });

  it("creates nothing, reads everything, and can be changed and emptied", async () => {
    const { client, session } = maker;
    const qr = await client.createQr();
    const page = await makePage(maker);
    const publishable = await service.client(client.workspaceId, ["qr:write"], "publishable", [
      "https://shop.example",
    ]);
    await suspend("workspaces", client.workspaceId);
    const creations = [
      await client.send("POST", "/qr", validBody.createQr),
      await publishable.send("POST", "/qr", validBody.createQr, { origin: "https://shop.example" }),
      await client.send("POST", "/qr/bulk", validBody.createBulk),
      await session.send("POST", "/developer/pages", { title: "P" }),
    ];
    for (const answer of creations) {
      const error = await expectError(answer, 403, "forbidden");
      expect(error).toContain("has suspended your workspace");
      expect(error).not.toContain(reason);
    }
    expect((await client.expect(200, QrList, "GET", "/qr")).items).toEqual([qr]);
    expect((await session.expect(200, PageList, "GET", "/developer/pages")).items).toEqual([page]);
    const data = { type: "url", url: "https://example.org/" };
    expect((await client.send("PATCH", `/qr/${qr.id}`, { data })).status).toBe(200);
    expect((await session.send("PATCH", `/developer/pages/${page.id}`, { title: "Q" })).status).toBe(200);
    expect((await client.send("DELETE", `/qr/${qr.id}`)).status).toBe(200);
    await lift("workspaces", client.workspaceId);
    expect((await client.send("POST", "/qr", validBody.createQr)).status).toBe(201);
  });

  it("is shown as such to the operator, who lists and inspects it", async () => {
    const id = maker.client.workspaceId;
    const { suspended } = await suspend("workspaces", id, { reason, legalOrder: true });
    const inspect = OperatorWorkspaceDetails.strict();
    expect(
      (await service.operator.expect(200, inspect, "GET", `/operator/workspaces/${id}`)).suspended,
    ).toEqual(suspended);
    const list = OperatorWorkspaceList.strict();
    const { items } = await service.operator.expect(200, list, "GET", `/operator/workspaces?id=${id}`);
    expect(items.map((item) => item.suspended)).toEqual([suspended]);
  });

  it("fails the rows that a bulk job had left, and says why", async () => {
    const harness = new BulkHarness();
    const client = await harness.service.workspace();
    const { jobId } = await harness.accepted(await harness.json(client, goodItems(3)));
    await suspend("workspaces", client.workspaceId);
    await harness.drain();
    const job = await harness.read(client, jobId);
    expect(job).toMatchObject({ status: "completed", successCount: 0, failureCount: 3 });
    const errors = job.items.map(({ error }) => error);
    expect(errors).toEqual(errors.map(() => expect.stringContaining("has suspended your workspace")));
  });
});

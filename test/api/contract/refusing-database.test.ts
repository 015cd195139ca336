import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { SavedList } from "../../../src/contract/resources/codes/saved-lists.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { NewInvitation } from "../../../src/contract/resources/identity/members.ts";
import { PrintJob } from "../../../src/contract/resources/images/prints.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { ReportingSettings } from "../../../src/contract/resources/scans/analytics.ts";
import { CreatedWebhook } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { runtimeTimers } from "../../../src/lib/with-timeout.ts";
import { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt } from "../../support/dashboard.ts";
import { bodyHeaders, expectError, method, somePath, table, validBody } from "../../support/endpoints.ts";
import { makePage } from "../../support/hosted-pages.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { HeldScans } from "../../support/scans/held-scans.ts";
import {
  type ApiClient,
  type Client,
  FakeClock,
  Service,
  type SessionClient,
} from "../../support/service.ts";
import { wrapBinding, wrapDatabase } from "../../support/world/wrapped-database.ts";

/** D1's message when it refuses. */
const refusals = [
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "D1_ERROR: Exceeded maximum DB size.",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: Network connection lost.",
];

/** Workerd's words for an object whose own database can't be written or opened, as when the disk is full. */
const brokenObject = "internal error; reference = c8lbghjc07tfdjilm4ocr5a1";

/** The refused calls: none, statements that may write, all statements, the calls of objects whose disk is full, or the
 * calls of the ledger, which fail or never end. */
let refused: "nothing" | "writes" | "everything" | "disk" | "ledger" | "hanging" = "nothing";
let message = refusals[0];
const clock = new FakeClock();
const db = wrapDatabase(env.DB, async (work, sql = "batch") => {
  const isRefused = refused === "everything" || (refused === "writes" && !/^\s*(SELECT|WITH)\b/i.test(sql));
  if (isRefused) throw new Error(message);
  return work();
});
const failOnFullDisk = <T>(work: () => Promise<T>): Promise<T> =>
  refused === "disk" ? Promise.reject(new Error(brokenObject)) : work();
const ledgerOf = (workspaceId: string) => env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
const service = new Service({
  db,
  now: clock.now,
  ledger: (workspaceId) =>
    wrapBinding(ledgerOf(workspaceId), async (work) => {
      if (refused === "ledger") throw new Error("Network connection lost.");
      // As long as the platform lets a call wait: the page's timer ends first.
      if (refused === "hanging") await new Promise(() => {});
      return failOnFullDisk(work);
    }),
  meter: (name) => wrapBinding(env.METERS.get(env.METERS.idFromName(name)), failOnFullDisk),
  startTimer: (milliseconds, onEnd) =>
    runtimeTimers.startTimer(refused === "hanging" ? 20 : milliseconds, onEnd),
});

let client: Client;
let session: SessionClient;
let browser: Browser;
let qr: Qr;
/** Ids of the workspace's resources, by the path before the parameter. */
let ids: Record<string, string>;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const make = async <T extends { id: string }>(made: Promise<T>) => (await made).id;
  const { createKey, createTemplate, createWebhook, createBulk, createFolder } = validBody;
  qr = await client.createQr();
  const page = await makePage({ client, session });
  const { id } = await client.createQr();
  const history = await session.expect(200, HistoryList, "GET", `/developer/history?object=${id}`);
  ids = {
    "/qr": qr.id,
    "/developer/qr": qr.id,
    "/operator/qr": qr.id,
    "/qr/bulk": (await client.expect(202, BulkJob, "POST", "/qr/bulk", createBulk)).jobId,
    "/qr/print-jobs": (await client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} })).jobId,
    "/folders": await make(client.expect(201, Folder, "POST", "/folders", createFolder)),
    "/developer/templates": await make(
      session.expect(201, Template, "POST", "/developer/templates", createTemplate),
    ),
    "/developer/lists": await make(
      session.expect(201, SavedList, "POST", "/developer/lists", validBody.createSavedList),
    ),
    "/developer/pages": page.id,
    "/developer/history": history.items[0]?.id ?? "",
    "/operator/pages": page.id,
    "/developer/members": (await service.sessionIn(client.workspaceId, "admin")).userId,
    "/developer/invitations": await make(
      session.expect(201, NewInvitation, "POST", "/developer/invitations", validBody.createInvitation),
    ),
    "/operator/workspaces": client.workspaceId,
    "/developer/webhooks": await make(
      session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", createWebhook),
    ),
    "/developer/keys": await make(session.expect(201, NewApiKey, "POST", "/developer/keys", createKey)),
  };
  // The isolate remembers the key from here on.
  await client.send("GET", "/folders");
});

beforeEach(() => {
  refused = "nothing";
  message = refusals[0];
});

const expectLater = async (answer: Response): Promise<void> => {
  expect(await expectError(answer, 503, "internal")).toContain("Try again");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
};

/** Endpoints that need the ledger alone, once the isolate knows the key; readiness has an answer of its own. */
const withoutCatalogue = ["exportScans", "workspaceAnalytics", "getReadiness"];

/** Endpoints whose changes are in the ledger, or in a queue. */
const changesOfLedger = [
  ...["eraseScans", "deleteSubmission", "changeReporting", "retryDeadLetter", "retryDeadLetters"],
  "openLedgers",
  "reEncryptWebhookSecrets",
  ...table.filter(({ tag }) => tag === "Webhooks").map(({ name }) => name),
];

/** Endpoints that write nothing: here, because their object is neither deleted nor suspended or there is none, or at all. */
const withoutChange = [
  ...["restoreQr", "restorePage", "restoreFolder", "restoreTemplate", "liftQr", "liftPage"],
  ...["liftWorkspace", "deleteBrandLogo", "renameFolder", "updateTemplate"],
  ...["printLabels", "archiveImages", "measureDesign"],
  // Their test bodies name something else.
  ...["deleteWorkspace", "deleteAccount", "acceptInvitation"],
];

/** All but the live stream, whose answer ends with its client; it needs no catalogue either. */
const answered = table.filter(({ name }) => name !== "watchScans");

/** A handler's calls depend on its subject, and on whether it changes that. */
const classOf = ({ auth, tag, method }: Endpoint) => [auth, tag, method === "get"].join(" ");

describe.each(oneOfEach(answered, classOf))("$name", (endpoint) => {
  const { name, auth, path, body, upload } = endpoint;
  const send = () => {
    const { operator } = service;
    const clients: Record<typeof auth, ApiClient> = { key: client, session, person: session, operator };
    const id = ids[path.replace(/\/\{.*/, "")];
    const takesBody = body !== undefined || upload !== undefined;
    const sent = takesBody ? validBody[name] : undefined;
    return clients[auth].send(method(endpoint), somePath(endpoint, id), sent, bodyHeaders(endpoint));
  };

  it("is 503 with retry-after while the database refuses", async () => {
    refused = "everything";
    const answer = await send();
    if (withoutCatalogue.includes(name)) await answer.body?.cancel();
    else await expectLater(answer);
  });

  it("is 503 while the database refuses writes, if it writes", async () => {
    refused = "writes";
    const answer = await send();
    const writes = endpoint.method !== "get" && ![...changesOfLedger, ...withoutChange].includes(name);
    if (writes) return expectLater(answer);
    expect(answer.status).not.toBe(500);
    return answer.body?.cancel();
  });

  it("is 503 with retry-after while the ledger fails, if it needs the ledger", async () => {
    refused = "ledger";
    const answer = await send();
    if (name === "getReadiness") return answer.body?.cancel();
    if (answer.status === 503) return expectLater(answer);
    expect(answer.status).toBeLessThan(500);
    return answer.body?.cancel();
  });
});

it.each(refusals)("knows a refusal by what D1 says: %s", async (text) => {
  message = text;
  refused = "writes";
  await expectLater(await client.send("POST", "/qr", validBody.createQr));
  refused = "everything";
  await expectLater(await client.send("GET", "/qr"));
});

it.each<[string, string, (object | undefined)?]>([
  ["GET", "/qr"],
  ["POST", "/qr", validBody.createQr],
  ["POST", "/qr/bulk", validBody.createBulk],
])("%s %s is 503 with retry-after while the disk of its objects is full", async (verb, path, body) => {
  refused = "disk";
  const answer = await client.send(verb, path, body);
  await expectLater(answer.clone());
  expect(await answer.text()).not.toContain("reference");
});

it("an error of ours in a statement is a 500", async () => {
  message = "D1_ERROR: no such column: x: SQLITE_ERROR";
  refused = "everything";
  await expectError(await client.send("GET", "/qr"), 500, "internal");
});

describe("the dashboard", () => {
  // All requests of a minute would be more than a person may make.
  beforeEach(() => clock.advance(60_000));

  // Pages only read, which the session does first; what is changed, and so refused later, depends on the area.
  const pages = oneOfEach(routes, ([verb, path]) =>
    verb === "GET" ? verb : `${verb} ${path.split("/")[1]}`,
  );
  it.each(pages.map(([verb, path]) => [verb, path]))("%s %s asks to try again later", async (verb, path) => {
    const address = `/dashboard${path.replace(/^\/$/, "").replace(":id", qr.id).replace(/:\w+/g, crypto.randomUUID())}`;
    const open = () => (verb === "GET" ? browser.open(address) : browser.submit(address, { name: "A name" }));
    refused = "everything";
    const answer = await open();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await answer.text()).toContain("<h1>");
    refused = "writes";
    expect((await open()).status).not.toBe(500);
  });

  it("is shown without figures while the ledger fails or hangs; pages of figures alone ask to try again", async () => {
    const [other] = (await client.expect(200, QrList, "GET", "/qr?limit=1")).items;
    const at = (path: string) => `/dashboard${path.replace(":id", other?.id ?? "")}`;
    const withFigures = ["", "/codes", "/codes?order=scans", "/codes/:id", "/pages"];
    for (refused of ["ledger", "hanging"] as const) {
      for (const path of withFigures) {
        expect(await pageAt(browser, at(path))).toMatch(/Not available now|aren&#39;t available now/);
      }
      for (const path of ["/codes/:id/edit", "/folders"]) {
        expect(await pageAt(browser, at(path))).not.toContain("available now");
      }
    }
    refused = "ledger";
    const figures = [
      "/report.csv",
      "/codes/:id/scans",
      "/codes/:id/history",
      "/developer/webhooks",
      "/history",
    ];
    for (const path of figures) {
      const answer = await browser.open(at(path));
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "10"]);
    }
  });

  it("reads times in the zone that the form showed, whatever the ledger says by then", async () => {
    const { id } = await client.createQr();
    refused = "ledger";
    const fields = fieldsOf(await pageAt(browser, `/dashboard/codes/${id}/edit`));
    expect(fields.timeZone).toBe("UTC");
    refused = "nothing";
    await session.expect(200, ReportingSettings, "PATCH", "/developer/analytics", { timeZone: "Asia/Tokyo" });
    const saved = await browser.submit(`/dashboard/codes/${id}/edit`, {
      ...fields,
      startsAt: "2100-01-01T12:00",
    });
    expect(saved.status).toBe(303);
    expect((await client.expect(200, Qr, "GET", `/qr/${id}`)).startsAt).toBe("2100-01-01T12:00:00.000Z");
  });

  it("keeps what was entered in a form", async () => {
    refused = "writes";
    const fields = { type: "url", "data.url": "https://example.com/kept", name: "A name to keep" };
    const answer = await browser.submit("/dashboard/codes/new", fields);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(await answer.text()).toContain("A name to keep");
  });
});

describe("scans", () => {
  it("are answered from memory and from KV, and all are recorded afterwards", async () => {
    const held = new HeldScans();
    const scanQueue = held.queue;
    const remembering = new Service({ db, now: clock.now, scanQueue });
    const inMemory = await client.createQr();
    const inCache = await client.createQr();
    await remembering.scan(inMemory.hash);
    refused = "everything";
    const elsewhere = new Service({ db, now: clock.now, scanQueue });
    for (let i = 0; i < 5; i += 1) {
      clock.advance(400);
      expect((await remembering.scan(inMemory.hash)).status).toBe(302);
      expect((await elsewhere.scan(inCache.hash)).status).toBe(302);
    }
    await held.deliver(service);
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));
    expect((await ledger.listScans(inMemory.id, 1)).stats.total).toBe(6);
    expect((await ledger.listScans(inCache.id, 1)).stats.total).toBe(5);
  });
});

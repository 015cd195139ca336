import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import type { endpoints } from "../../src/contract/endpoints/index.ts";
import type { HistoryEntry } from "../../src/contract/resources/history/history.ts";
import { SessionList } from "../../src/contract/resources/identity/sessions.ts";
import { PrintJob } from "../../src/contract/resources/images/prints.ts";
import { AbuseReportList } from "../../src/contract/resources/operations/abuse-reports.ts";
import { BlockedHost } from "../../src/contract/resources/operations/blocked-hosts.ts";
import { NewAlertAddress } from "../../src/contract/resources/webhooks/alerts.ts";
import { Replay } from "../../src/contract/resources/webhooks/replays.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { saveDeadLetter } from "../../src/store/operations/save-dead-letter.ts";
import { table, validBody } from "../support/endpoints.ts";
import { actionsOf, type ExpectedEntries, HistoryWorkspace } from "../support/history-workspace.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { Service } from "../support/service.ts";

/** Every endpoint that changes something is in the history, once, or has a reason why it isn't. */

type Endpoints = typeof endpoints;
type Changing = {
  [Name in keyof Endpoints]: Endpoints[Name]["method"] extends "get" ? never : Name;
}[keyof Endpoints];

/** The subject of a request, and optionally who makes it instead of the key, owner or operator. */
interface Request {
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly by?: HistoryWorkspace["owner"];
}

interface Case {
  readonly expected: ExpectedEntries;
  /** Changes that the service itself then makes, such as when it finds that a host is free. */
  readonly found?: ExpectedEntries;
  /** Prepares what the request changes. By default it has the path of the table and the valid body of `endpoints.ts`. */
  readonly request?: (world: HistoryWorkspace) => Promise<Request>;
}

const byId =
  (make: (world: HistoryWorkspace) => Promise<{ readonly id: string }>): NonNullable<Case["request"]> =>
  async (world) => ({ path: (await make(world)).id });

const withAlerts: NonNullable<Case["request"]> = async ({ owner }) => {
  await owner.expect(200, NewAlertAddress, "PUT", "/developer/alerts", { url: "https://example.com/alerts" });
  return {};
};

const nothing = {
  account: { none: "It belongs to the person, not to a workspace" },
  drawing: { none: "Only makes files of what is there" },
  deliveries: { none: "Sends events; the deliveries show it" },
  installation: { none: "It belongs to the installation, not to a workspace" },
} as const satisfies Record<string, ExpectedEntries>;

const selected = async (world: HistoryWorkspace, more: object = {}) => ({
  body: { ids: [(await world.code()).id], ...more },
});

const cases: Readonly<Record<Changing, Case>> = {
  createQr: { expected: ["code.created"] },
  updateQr: { expected: ["code.updated"], request: byId((w) => w.code()) },
  deleteQr: { expected: ["code.deleted"], request: byId((w) => w.code()) },
  putQr: {
    expected: ["code.created"],
    request: async () => ({ path: "?externalId=Own%20id" }),
  },
  putQrByOwnId: { expected: ["code.created"], request: async () => ({ path: "SKU-1" }) },
  deleteQrWithOwnId: {
    expected: ["code.deleted"],
    request: async (w) => {
      await w.client.createQr({ externalId: "Another id" });
      return { path: "?externalId=Another%20id" };
    },
  },
  deleteQrByOwnId: {
    expected: ["code.deleted"],
    request: async (w) => {
      await w.client.createQr({ externalId: "SKU-2" });
      return { path: "SKU-2" };
    },
  },
  addAlias: {
    expected: ["code.updated"],
    request: async (w) => {
      const { host } = await w.domain();
      return { path: (await w.code()).id, body: { alias: `${host}/menu` } };
    },
  },
  eraseQr: {
    expected: ["code.erased"],
    request: byId(async (w) => w.deleted(w.client, "/qr", await w.code())),
  },
  restoreQr: {
    expected: ["code.restored"],
    request: byId(async (w) => w.deleted(w.client, "/qr", await w.code())),
  },
  createBulk: { expected: ["job.created"] },
  createBulkFromCsv: { expected: ["job.created"] },
  bulkUpdate: {
    expected: ["job.created"],
    request: (w) => selected(w, { change: { addTags: ["new"] } }),
  },
  bulkUpdateFromCsv: {
    expected: ["job.created"],
    request: async (w) => ({
      body: new TextEncoder().encode(`id,name\n${(await w.code()).id},New\n`),
      headers: { "content-type": "text/csv" },
    }),
  },
  eraseScans: {
    expected: ["code.scans_erased"],
    request: async (w) => ({ path: `${(await w.code()).id}/scans?sums=keep` }),
  },
  printLabels: { expected: nothing.drawing, request: (w) => selected(w, { format: "L7160" }) },
  archiveImages: { expected: nothing.drawing, request: (w) => selected(w) },
  createLabelJob: {
    expected: nothing.drawing,
    request: async (w) => {
      await w.code();
      return { body: { filter: {}, format: "L7160" } };
    },
  },
  createImageJob: {
    expected: nothing.drawing,
    request: async (w) => {
      await w.code();
      return {};
    },
  },
  deletePrintJob: {
    expected: nothing.drawing,
    request: async (w) => {
      await w.code();
      const { jobId } = await w.client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} });
      return { path: jobId };
    },
  },
  measureDesign: { expected: nothing.drawing },

  createFolder: { expected: ["folder.created"] },
  renameFolder: { expected: ["folder.updated"], request: byId((w) => w.folder()) },
  deleteFolder: { expected: ["folder.deleted"], request: byId((w) => w.folder()) },
  restoreFolder: {
    expected: ["folder.restored"],
    request: byId(async (w) => w.deleted(w.client, "/folders", await w.folder())),
  },
  createSavedList: { expected: ["saved_list.created"] },
  updateSavedList: {
    expected: ["saved_list.updated"],
    request: async (w) => ({ path: (await w.list()).id, body: { name: "Another name" } }),
  },
  deleteSavedList: { expected: ["saved_list.deleted"], request: byId((w) => w.list()) },
  restoreSavedList: {
    expected: ["saved_list.restored"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/lists", await w.list())),
  },
  createTemplate: { expected: ["template.created"] },
  updateTemplate: {
    expected: ["template.updated"],
    request: async (w) => ({ path: (await w.template()).id, body: { name: "Another name" } }),
  },
  deleteTemplate: { expected: ["template.deleted"], request: byId((w) => w.template()) },
  restoreTemplate: {
    expected: ["template.restored"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/templates", await w.template())),
  },
  createPage: { expected: ["page.created"] },
  updatePage: { expected: ["page.updated"], request: byId((w) => w.page()) },
  deletePage: { expected: ["page.deleted"], request: byId((w) => w.page()) },
  restorePage: {
    expected: ["page.restored"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/pages", await w.page())),
  },
  deleteSubmission: {
    expected: ["page.submissions_erased"],
    request: async (w) => {
      const { page, id } = await w.submission();
      return { path: `${page.id}/submissions/${id}` };
    },
  },
  revertChange: {
    expected: ["folder.deleted"],
    request: async (w) => {
      await w.folder();
      const [created] = await w.newEntries();
      return { path: created?.id ?? "" };
    },
  },

  changeReporting: { expected: ["workspace.updated"] },
  updateBrand: { expected: ["brand.updated"] },
  createPageImage: { expected: { none: "The page that shows it is changed" } },
  createBrandLogo: { expected: ["logo.created"] },
  updateBrandLogo: {
    expected: ["logo.updated"],
    request: async (w) => ({ path: (await w.logo()).id, body: { name: "Another name" } }),
  },
  deleteBrandLogo: { expected: ["logo.deleted"], request: byId((w) => w.logo()) },

  createKey: { expected: ["key.created"] },
  updateKey: { expected: ["key.updated"], request: byId((w) => w.publishableKey()) },
  rotateKey: { expected: ["key.created", "key.rotated"], request: byId((w) => w.key()) },
  revokeKey: { expected: ["key.revoked"], request: byId((w) => w.key()) },
  createWebhook: { expected: ["webhook.created"] },
  updateWebhook: { expected: ["webhook.updated"], request: byId((w) => w.webhook()) },
  deleteWebhook: { expected: ["webhook.deleted"], request: byId((w) => w.webhook()) },
  rotateSecret: { expected: ["webhook.rotated"], request: byId((w) => w.webhook()) },
  setAlerts: { expected: ["workspace.updated"] },
  deleteAlerts: { expected: ["workspace.updated"], request: withAlerts },
  rotateAlertSecret: { expected: ["workspace.updated"], request: withAlerts },
  testAlerts: { expected: nothing.deliveries, request: withAlerts },
  testWebhook: { expected: nothing.deliveries, request: byId((w) => w.webhook()) },
  replayDelivery: {
    expected: nothing.deliveries,
    request: async (w) => {
      const { webhookId, deliveryId } = await w.skippedDelivery();
      return { path: `${webhookId}/deliveries/${deliveryId}/replay` };
    },
  },
  createReplay: {
    expected: nothing.deliveries,
    request: async (w) => ({
      path: (await w.skippedDelivery()).webhookId,
      body: { since: new Date(w.service.deps.now() - 3_600_000).toISOString() },
    }),
  },
  stopReplay: {
    expected: nothing.deliveries,
    request: async (w) => {
      const { path, webhookId } = await w.skippedDelivery();
      const since = new Date(w.service.deps.now() - 3_600_000).toISOString();
      const { id } = await w.owner.expect(202, Replay, "POST", `${path}/replays`, { since });
      return { path: `${webhookId}/replays/${id}/stop` };
    },
  },

  createDomain: { expected: ["domain.created"] },
  updateDomain: { expected: ["domain.updated"], request: byId((w) => w.domain()) },
  checkDomain: {
    expected: { none: "Only a new status is a change, and the records of this host haven't changed" },
    request: byId((w) => w.domain()),
  },
  deleteDomain: { expected: ["domain.deleted"], request: byId((w) => w.domain()) },
  restoreDomain: {
    expected: ["domain.restored"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/domains", await w.domain())),
  },

  updateWorkspace: { expected: ["workspace.updated"] },
  createWorkspace: { expected: { none: "The new workspace's history begins with it" } },
  deleteWorkspace: {
    expected: ["workspace.deletion_requested"],
    request: async () => ({ body: { name: "Test", codes: "stop" } }),
  },
  cancelWorkspaceDeletion: {
    expected: ["workspace.deletion_cancelled"],
    request: async ({ owner }) => {
      await owner.send("POST", "/developer/workspace/deletion", { name: "Test", codes: "stop" });
      return {};
    },
  },
  updateMember: {
    expected: ["member.role_changed"],
    request: async (w) => ({ path: (await w.member()).userId, body: { role: "viewer" } }),
  },
  transferOwnership: {
    expected: ["member.role_changed", "member.role_changed"],
    request: async (w) => ({ path: (await w.member()).userId }),
  },
  removeMember: {
    expected: ["invitation.revoked", "member.removed"],
    request: async (w) => {
      const admin = await w.member("admin");
      await w.invitation(admin);
      return { path: admin.userId };
    },
  },
  leaveWorkspace: {
    expected: ["invitation.revoked", "member.removed"],
    request: async (w) => {
      const by = await w.member("admin");
      await w.invitation(by);
      return { by };
    },
  },
  deleteAccount: {
    expected: ["invitation.revoked", "member.removed"],
    request: async (w) => {
      const by = await w.member("admin");
      await w.invitation(by);
      await env.DB.prepare("UPDATE users SET email = 'ada@example.com' WHERE id = ?").bind(by.userId).run();
      return { by, body: { email: "ada@example.com", codes: "stop" } };
    },
  },
  createInvitation: { expected: ["invitation.created"] },
  revokeInvitation: { expected: ["invitation.revoked"], request: byId((w) => w.invitation()) },
  acceptInvitation: {
    expected: ["member.joined"],
    request: async (w) => {
      const { url } = await w.invitation();
      return { by: await w.service.session(), path: url.split("/").at(-1) ?? "" };
    },
  },
  endSession: {
    expected: nothing.account,
    request: async ({ owner }) => {
      const { sessions } = await owner.expect(200, SessionList, "GET", "/developer/sessions");
      return { path: sessions[0]?.id ?? "" };
    },
  },

  changePlan: {
    expected: ["workspace.updated"],
    request: async ({ client }) => ({ path: `${client.workspaceId}/plan`, body: { plan: "pro" } }),
  },
  suspendWorkspace: {
    expected: ["workspace.suspended"],
    request: async ({ client }) => ({ path: `${client.workspaceId}/suspension` }),
  },
  liftWorkspace: {
    expected: ["workspace.unsuspended"],
    request: async ({ client, service }) => {
      const path = `${client.workspaceId}/suspension`;
      await service.operator.send("PUT", `/operator/workspaces/${path}`, validBody.suspendWorkspace);
      return { path };
    },
  },
  suspendQr: {
    expected: ["code.suspended"],
    request: async (w) => ({ path: `${(await w.code()).id}/suspension` }),
  },
  liftQr: {
    expected: ["code.unsuspended"],
    request: async (w) => {
      const path = `${(await w.code()).id}/suspension`;
      await w.service.operator.send("PUT", `/operator/qr/${path}`, validBody.suspendQr);
      return { path };
    },
  },
  suspendPage: {
    expected: ["page.suspended"],
    request: async (w) => ({ path: `${(await w.page()).id}/suspension` }),
  },
  liftPage: {
    expected: ["page.unsuspended"],
    request: async (w) => {
      const path = `${(await w.page()).id}/suspension`;
      await w.service.operator.send("PUT", `/operator/pages/${path}`, validBody.suspendPage);
      return { path };
    },
  },
  putDomain: {
    expected: ["domain.created"],
    found: ["domain.updated"],
    request: async ({ client: { workspaceId } }) => ({ path: "given.example", body: { workspaceId } }),
  },
  removeDomain: {
    expected: ["domain.deleted"],
    request: async (w) => ({ path: (await w.domain()).host }),
  },
  suspendDomain: {
    expected: ["domain.suspended"],
    request: async (w) => ({ path: `${(await w.domain()).host}/suspension` }),
  },
  liftDomain: {
    expected: ["domain.unsuspended"],
    request: async (w) => {
      const path = `${(await w.domain()).host}/suspension`;
      await w.service.operator.send("PUT", `/operator/domains/${path}`, validBody.suspendDomain);
      return { path };
    },
  },
  decideAbuseReport: {
    expected: ["code.suspended"],
    request: async (w) => {
      const { hash } = await w.code();
      await w.service.fetch("/report", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ code: hash, reason: "spam" }).toString(),
      });
      const { items } = await w.service.operator.expect(200, AbuseReportList, "GET", "/operator/reports");
      const report = items.find((item) => item.hash === hash);
      return { path: report?.id ?? "", body: { decision: "acted_on", suspend: { reason: "Spam" } } };
    },
  },
  createSignInLink: { expected: nothing.account },
  retryDeadLetter: {
    expected: nothing.installation,
    request: async ({ service }) => {
      const id = newId(service.deps.now());
      const createdAt = service.deps.now();
      const body = JSON.stringify({ batches: [] });
      const row = {
        id,
        queue: "scans",
        messageId: id,
        body,
        createdAt,
        expiresAt: createdAt + 60_000,
      } as const;
      await saveDeadLetter(env.DB, row);
      return { path: id };
    },
  },
  retryDeadLetters: { expected: nothing.installation },
  openLedgers: { expected: nothing.installation },
  reEncryptWebhookSecrets: { expected: { none: "The secrets stay the same; only their encryption changes" } },
  blockHost: { expected: nothing.installation },
  unblockHost: {
    expected: nothing.installation,
    request: byId(({ service }) => {
      const input = { host: "also-blocked.example", reason: "A test" };
      return service.operator.expect(201, BlockedHost, "POST", "/operator/blocked-hosts", input);
    }),
  },
};

const service = new Service();
let shared: HistoryWorkspace;
beforeAll(async () => {
  shared = await HistoryWorkspace.of(service);
});

/** Changes of the workspace itself, of its people, brand and sessions are made in a workspace of their own. */
const needsOwn = (expected: ExpectedEntries) =>
  "none" in expected
    ? expected === nothing.account
    : expected.some((action) => /^(workspace|member|invitation|brand|logo)\./.test(action));

/** All that have entries, and one of those that have none for the same reason. */
const tried = oneOfEach(Object.keys(cases) as Changing[], (name) => {
  const { expected } = cases[name];
  return "none" in expected ? expected.none : name;
});

it.each(tried)("%s", async (name) => {
  const { expected, found, request } = cases[name];
  const endpoint = table.find((row) => row.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const world = needsOwn(expected) ? await HistoryWorkspace.of(service) : shared;
  const { path = "", by = world.owner, ...given } = (await request?.(world)) ?? {};
  await world.newEntries();

  const caller = { key: world.client, session: by, person: by, operator: service.operator }[endpoint.auth];
  const body = given.body ?? validBody[name];
  const type = Object.keys(endpoint.upload ?? {}).find((each) => each !== "application/json");
  const headers = { ...(body instanceof Uint8Array && type !== undefined && { "content-type": type }) };
  // A path that a case gives begins with the values of the parameters.
  const [parent = "", rest = ""] = endpoint.path.split(/\{\w+\}(.*)/s, 2);
  const address = path === "" ? endpoint.path : parent + path + (path.includes("/") ? "" : rest);
  const response = await caller.send(endpoint.method.toUpperCase(), address, body, headers);
  const text = await response.text();
  expect(response.ok ? "" : `${response.status}: ${text}`).toBe("");

  const told = await world.newEntries();
  const isOwn = ({ actor: { kind } }: HistoryEntry) => kind === "service";
  expect(told.filter(isOwn).map(({ action }) => action)).toEqual(found === undefined ? [] : actionsOf(found));
  const entries = told.filter((entry) => !isOwn(entry));
  expect(entries.map(({ action }) => action).sort()).toEqual(actionsOf(expected));
  const actor = {
    key: { kind: "key", id: world.client.keyId },
    session: { kind: "person", id: by.userId },
    person: { kind: "person", id: by.userId },
    operator: { kind: "operator", id: null },
  }[endpoint.auth];
  for (const entry of entries) {
    expect({ ...entry.actor, name: "" }).toEqual({ ...actor, name: "" });
    expect([entry.via, entry.requestId]).toEqual(["api", response.headers.get("x-request-id")]);
  }
});

it("knows every endpoint that changes something", () => {
  const changing = table.filter(({ method }) => method !== "get").map(({ name }) => name);
  expect(Object.keys(cases).sort()).toEqual(changing.sort());
});

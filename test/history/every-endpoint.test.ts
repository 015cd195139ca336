import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import type { endpoints } from "../../src/contract/endpoints/index.ts";
import { AbuseReportList } from "../../src/contract/resources/operations/abuse-reports.ts";
import { BlockedHost } from "../../src/contract/resources/operations/blocked-hosts.ts";
import type { HistoryEntry } from "../../src/contract/resources/history/history.ts";
import { PrintJob } from "../../src/contract/resources/images/prints.ts";
import { Replay } from "../../src/contract/resources/webhooks/replays.ts";
import { SessionList } from "../../src/contract/resources/identity/sessions.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { saveDeadLetter } from "../../src/store/operations/dead-letters.ts";
import { table, validBody } from "../support/endpoints.ts";
import { Service } from "../support/service.ts";
import { actionsOf, ToldWorkspace, type Told } from "../support/told.ts";

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
  readonly by?: ToldWorkspace["owner"];
}

interface Case {
  readonly told: Told;
  /** Changes that the service itself then makes, such as when it finds that a host is free. */
  readonly found?: Told;
  /** Prepares what the request changes. By default it has the path of the table and the valid body of `endpoints.ts`. */
  readonly request?: (world: ToldWorkspace) => Promise<Request>;
}

const byId =
  (make: (world: ToldWorkspace) => Promise<{ readonly id: string }>): NonNullable<Case["request"]> =>
  async (world) => ({ path: (await make(world)).id });

const nothing = {
  account: { none: "It belongs to the person, not to a workspace" },
  drawing: { none: "Only makes files of what is there" },
  deliveries: { none: "Sends events; the deliveries show it" },
  installation: { none: "It belongs to the installation, not to a workspace" },
} as const satisfies Record<string, Told>;

const selected = async (world: ToldWorkspace, more: object = {}) => ({
  body: { ids: [(await world.code()).id], ...more },
});

const cases: Readonly<Record<Changing, Case>> = {
  createQr: { told: ["code.created"] },
  updateQr: { told: ["code.updated"], request: byId((w) => w.code()) },
  deleteQr: { told: ["code.deleted"], request: byId((w) => w.code()) },
  putQr: {
    told: ["code.created"],
    request: async () => ({ path: "?externalId=Own%20id" }),
  },
  putQrByOwnId: { told: ["code.created"], request: async () => ({ path: "SKU-1" }) },
  deleteQrWithOwnId: {
    told: ["code.deleted"],
    request: async (w) => {
      await w.client.createQr({ externalId: "Another id" });
      return { path: "?externalId=Another%20id" };
    },
  },
  deleteQrByOwnId: {
    told: ["code.deleted"],
    request: async (w) => {
      await w.client.createQr({ externalId: "SKU-2" });
      return { path: "SKU-2" };
    },
  },
  addAlias: {
    told: ["code.updated"],
    request: async (w) => {
      const { host } = await w.domain();
      return { path: (await w.code()).id, body: { alias: `${host}/menu` } };
    },
  },
  eraseQr: {
    told: ["code.erased"],
    request: byId(async (w) => w.deleted(w.client, "/qr", await w.code())),
  },
  restoreQr: {
    told: ["code.restored"],
    request: byId(async (w) => w.deleted(w.client, "/qr", await w.code())),
  },
  createBulk: { told: ["job.created"] },
  createBulkFromCsv: { told: ["job.created"] },
  bulkUpdate: {
    told: ["job.created"],
    request: (w) => selected(w, { change: { addTags: ["new"] } }),
  },
  bulkUpdateFromCsv: {
    told: ["job.created"],
    request: async (w) => ({
      body: new TextEncoder().encode(`id,name\n${(await w.code()).id},New\n`),
      headers: { "content-type": "text/csv" },
    }),
  },
  eraseScans: {
    told: ["code.scans_erased"],
    request: async (w) => ({ path: `${(await w.code()).id}/scans?sums=keep` }),
  },
  printLabels: { told: nothing.drawing, request: (w) => selected(w, { format: "L7160" }) },
  archiveImages: { told: nothing.drawing, request: (w) => selected(w) },
  createLabelJob: {
    told: nothing.drawing,
    request: async (w) => {
      await w.code();
      return { body: { filter: {}, format: "L7160" } };
    },
  },
  createImageJob: {
    told: nothing.drawing,
    request: async (w) => {
      await w.code();
      return {};
    },
  },
  deletePrintJob: {
    told: nothing.drawing,
    request: async (w) => {
      await w.code();
      const { jobId } = await w.client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} });
      return { path: jobId };
    },
  },
  measureDesign: { told: nothing.drawing },

  createFolder: { told: ["folder.created"] },
  renameFolder: { told: ["folder.updated"], request: byId((w) => w.folder()) },
  deleteFolder: { told: ["folder.deleted"], request: byId((w) => w.folder()) },
  restoreFolder: {
    told: ["folder.restored"],
    request: byId(async (w) => w.deleted(w.client, "/folders", await w.folder())),
  },
  createTemplate: { told: ["template.created"] },
  updateTemplate: {
    told: ["template.updated"],
    request: async (w) => ({ path: (await w.template()).id, body: { name: "Another name" } }),
  },
  deleteTemplate: { told: ["template.deleted"], request: byId((w) => w.template()) },
  restoreTemplate: {
    told: ["template.restored"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/templates", await w.template())),
  },
  createPage: { told: ["page.created"] },
  updatePage: { told: ["page.updated"], request: byId((w) => w.page()) },
  deletePage: { told: ["page.deleted"], request: byId((w) => w.page()) },
  restorePage: {
    told: ["page.restored"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/pages", await w.page())),
  },
  deleteSubmission: {
    told: ["page.submissions_erased"],
    request: async (w) => {
      const { page, id } = await w.submission();
      return { path: `${page.id}/submissions/${id}` };
    },
  },
  revertChange: {
    told: ["folder.deleted"],
    request: async (w) => {
      await w.folder();
      const [created] = await w.news();
      return { path: created?.id ?? "" };
    },
  },

  changeReporting: { told: ["workspace.updated"] },
  updateBrand: { told: ["brand.updated"] },
  createPageImage: { told: { none: "The page that shows it is changed" } },
  createBrandLogo: { told: ["logo.created"] },
  updateBrandLogo: {
    told: ["logo.updated"],
    request: async (w) => ({ path: (await w.logo()).id, body: { name: "Another name" } }),
  },
  deleteBrandLogo: { told: ["logo.deleted"], request: byId((w) => w.logo()) },

  createKey: { told: ["key.created"] },
  rotateKey: { told: ["key.created", "key.rotated"], request: byId((w) => w.key()) },
  revokeKey: { told: ["key.revoked"], request: byId((w) => w.key()) },
  createWebhook: { told: ["webhook.created"] },
  updateWebhook: { told: ["webhook.updated"], request: byId((w) => w.webhook()) },
  deleteWebhook: { told: ["webhook.deleted"], request: byId((w) => w.webhook()) },
  rotateSecret: { told: ["webhook.rotated"], request: byId((w) => w.webhook()) },
  testWebhook: { told: nothing.deliveries, request: byId((w) => w.webhook()) },
  replayDelivery: {
    told: nothing.deliveries,
    request: async (w) => {
      const { webhookId, deliveryId } = await w.skippedDelivery();
      return { path: `${webhookId}/deliveries/${deliveryId}/replay` };
    },
  },
  createReplay: {
    told: nothing.deliveries,
    request: async (w) => ({
      path: (await w.skippedDelivery()).webhookId,
      body: { since: new Date(w.service.deps.now() - 3_600_000).toISOString() },
    }),
  },
  stopReplay: {
    told: nothing.deliveries,
    request: async (w) => {
      const { path, webhookId } = await w.skippedDelivery();
      const since = new Date(w.service.deps.now() - 3_600_000).toISOString();
      const { id } = await w.owner.expect(202, Replay, "POST", `${path}/replays`, { since });
      return { path: `${webhookId}/replays/${id}/stop` };
    },
  },

  createDomain: { told: ["domain.created"] },
  updateDomain: { told: ["domain.updated"], request: byId((w) => w.domain()) },
  checkDomain: {
    told: { none: "Only a new status is a change, and the records of this host haven't changed" },
    request: byId((w) => w.domain()),
  },
  deleteDomain: { told: ["domain.deleted"], request: byId((w) => w.domain()) },
  restoreDomain: {
    told: ["domain.restored"],
    found: ["domain.updated"],
    request: byId(async (w) => w.deleted(w.owner, "/developer/domains", await w.domain())),
  },

  updateWorkspace: { told: ["workspace.updated"] },
  createWorkspace: { told: { none: "The new workspace's history begins with it" } },
  deleteWorkspace: {
    told: ["workspace.deletion_requested"],
    request: async () => ({ body: { name: "Test", codes: "stop" } }),
  },
  cancelWorkspaceDeletion: {
    told: ["workspace.deletion_cancelled"],
    request: async ({ owner }) => {
      await owner.send("POST", "/developer/workspace/deletion", { name: "Test", codes: "stop" });
      return {};
    },
  },
  updateMember: {
    told: ["member.role_changed"],
    request: async (w) => ({ path: (await w.member()).userId, body: { role: "viewer" } }),
  },
  transferOwnership: {
    told: ["member.role_changed", "member.role_changed"],
    request: async (w) => ({ path: (await w.member()).userId }),
  },
  removeMember: {
    told: ["invitation.revoked", "member.removed"],
    request: async (w) => {
      const admin = await w.member("admin");
      await w.invitation(admin);
      return { path: admin.userId };
    },
  },
  leaveWorkspace: {
    told: ["invitation.revoked", "member.removed"],
    request: async (w) => {
      const by = await w.member("admin");
      await w.invitation(by);
      return { by };
    },
  },
  deleteAccount: {
    told: ["invitation.revoked", "member.removed"],
    request: async (w) => {
      const by = await w.member("admin");
      await w.invitation(by);
      await env.DB.prepare("UPDATE users SET email = 'ada@example.com' WHERE id = ?").bind(by.userId).run();
      return { by, body: { email: "ada@example.com", codes: "stop" } };
    },
  },
  createInvitation: { told: ["invitation.created"] },
  revokeInvitation: { told: ["invitation.revoked"], request: byId((w) => w.invitation()) },
  acceptInvitation: {
    told: ["member.joined"],
    request: async (w) => {
      const { url } = await w.invitation();
      return { by: await w.service.session(), path: url.split("/").at(-1) ?? "" };
    },
  },
  endSession: {
    told: nothing.account,
    request: async ({ owner }) => {
      const { sessions } = await owner.expect(200, SessionList, "GET", "/developer/sessions");
      return { path: sessions[0]?.id ?? "" };
    },
  },

  changePlan: {
    told: ["workspace.updated"],
    request: async ({ client }) => ({ path: `${client.workspaceId}/plan`, body: { plan: "pro" } }),
  },
  suspendWorkspace: {
    told: ["workspace.suspended"],
    request: async ({ client }) => ({ path: `${client.workspaceId}/suspension` }),
  },
  liftWorkspace: {
    told: ["workspace.unsuspended"],
    request: async ({ client, service }) => {
      const path = `${client.workspaceId}/suspension`;
      await service.operator.send("PUT", `/operator/workspaces/${path}`, validBody.suspendWorkspace);
      return { path };
    },
  },
  suspendQr: {
    told: ["code.suspended"],
    request: async (w) => ({ path: `${(await w.code()).id}/suspension` }),
  },
  liftQr: {
    told: ["code.unsuspended"],
    request: async (w) => {
      const path = `${(await w.code()).id}/suspension`;
      await w.service.operator.send("PUT", `/operator/qr/${path}`, validBody.suspendQr);
      return { path };
    },
  },
  suspendPage: {
    told: ["page.suspended"],
    request: async (w) => ({ path: `${(await w.page()).id}/suspension` }),
  },
  liftPage: {
    told: ["page.unsuspended"],
    request: async (w) => {
      const path = `${(await w.page()).id}/suspension`;
      await w.service.operator.send("PUT", `/operator/pages/${path}`, validBody.suspendPage);
      return { path };
    },
  },
  putDomain: {
    told: ["domain.created"],
    found: ["domain.updated"],
    request: async ({ client: { workspaceId } }) => ({ path: "given.example", body: { workspaceId } }),
  },
  removeDomain: {
    told: ["domain.deleted"],
    request: async (w) => ({ path: (await w.domain()).host }),
  },
  suspendDomain: {
    told: ["domain.suspended"],
    request: async (w) => ({ path: `${(await w.domain()).host}/suspension` }),
  },
  liftDomain: {
    told: ["domain.unsuspended"],
    request: async (w) => {
      const path = `${(await w.domain()).host}/suspension`;
      await w.service.operator.send("PUT", `/operator/domains/${path}`, validBody.suspendDomain);
      return { path };
    },
  },
  decideAbuseReport: {
    told: ["code.suspended"],
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
  createSignInLink: { told: nothing.account },
  retryDeadLetter: {
    told: nothing.installation,
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
  retryDeadLetters: { told: nothing.installation },
  openLedgers: { told: nothing.installation },
  reEncryptWebhookSecrets: { told: { none: "The secrets stay the same; only their encryption changes" } },
  blockHost: { told: nothing.installation },
  unblockHost: {
    told: nothing.installation,
    request: byId(({ service }) => {
      const input = { host: "also-blocked.example", reason: "A test" };
      return service.operator.expect(201, BlockedHost, "POST", "/operator/blocked-hosts", input);
    }),
  },
};

const service = new Service();
let shared: ToldWorkspace;
beforeAll(async () => {
  shared = await ToldWorkspace.of(service);
});

/** Changes of the workspace itself, of its people, brand and sessions are made in a workspace of their own. */
const needsOwn = (told: Told) =>
  "none" in told
    ? told === nothing.account
    : told.some((action) => /^(workspace|member|invitation|brand|logo)\./.test(action));

it.each(Object.keys(cases) as Changing[])("%s", async (name) => {
  const { told, found, request } = cases[name];
  const endpoint = table.find((row) => row.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const world = needsOwn(told) ? await ToldWorkspace.of(service) : shared;
  const { path = "", by = world.owner, ...given } = (await request?.(world)) ?? {};
  await world.news();

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

  const news = await world.news();
  const isOwn = ({ actor: { kind } }: HistoryEntry) => kind === "service";
  expect(news.filter(isOwn).map(({ action }) => action)).toEqual(found === undefined ? [] : actionsOf(found));
  const entries = news.filter((entry) => !isOwn(entry));
  expect(entries.map(({ action }) => action).sort()).toEqual(actionsOf(told));
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

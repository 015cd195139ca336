import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Endpoint } from "../../src/contract/endpoints/endpoint.ts";
import { endpoints } from "../../src/contract/endpoints/index.ts";
import { ErrorBody } from "../../src/contract/errors.ts";
import { BulkJob } from "../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../src/contract/resources/codes/folders.ts";
import { SavedList } from "../../src/contract/resources/codes/saved-lists.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { NewInvitation } from "../../src/contract/resources/identity/members.ts";
import { SessionList } from "../../src/contract/resources/identity/sessions.ts";
import { BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { onePixel } from "../../src/contract/resources/images/one-pixel.ts";
import { PrintJob } from "../../src/contract/resources/images/prints.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { Page, PageImage } from "../../src/contract/resources/pages.ts";
import { CreatedWebhook } from "../../src/contract/resources/webhooks/webhooks.ts";
import { oneOfEach } from "./runner/runs.ts";
import type { ApiClient, Client, Service, SessionClient } from "./service.ts";
import { specification } from "./specification.ts";

/** The endpoint table, for tests of every endpoint. New endpoints are included automatically. */
export const table = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ name, ...endpoint }));

/** All that the middleware knows of an endpoint: who calls it how, with what kind of body, and whether it names a resource. */
const classOf = ({ auth, method, path, body, upload }: Endpoint): string =>
  [auth, method, path.includes("{"), body !== undefined, Object.keys(upload ?? {}).join()].join(" ");

/** An endpoint of each class, for the rules that the middleware keeps for all of them. */
export const classes = oneOfEach(table, classOf);

/** Endpoints whose valid body names something else, so that no test deletes what the others use. */
export const namesSomethingElse: readonly string[] = ["deleteWorkspace", "deleteAccount"];

export const method = (endpoint: Endpoint) => endpoint.method.toUpperCase();
/** Includes the query that the endpoint requires. */
export const somePath = (endpoint: Endpoint, id = crypto.randomUUID()) =>
  endpoint.path.replace("{host}", `${id}.example`).replace(/\{\w+\}/g, id) +
  (requiredQueries.get(endpoint.path + endpoint.method) ?? "");

const requiredQueries = new Map(
  [
    [endpoints.eraseScans, "?sums=keep"] as const,
    [endpoints.putQr, "?externalId=SKU%201"] as const,
    [endpoints.deleteQrWithOwnId, "?externalId=SKU%202"] as const,
  ].map(([{ path, method }, query]) => [path + method, query]),
);

/** The input of a publishable key, as which every endpoint of keys accepts it. */
export const publishableKey = {
  name: "Shop",
  type: "publishable",
  origins: ["https://shop.example"],
} as const;

export const validBody: Record<string, object> = {
  createQr: { qrType: "url", data: { type: "url", url: "example.com" } },
  putQr: { qrType: "url", data: { type: "url", url: "example.com" } },
  putQrByOwnId: { qrType: "url", data: { type: "url", url: "example.com" } },
  updateQr: { name: "New name" },
  addAlias: { alias: "go.example.com/menu" },
  createBulk: { items: [{ qrType: "url", data: { type: "url", url: "example.com" } }] },
  bulkUpdate: { ids: ["01900000-0000-7000-8000-000000000001"], change: { addTags: ["summer"] } },
  createBulkFromCsv: new TextEncoder().encode("url\nexample.com\n"),
  bulkUpdateFromCsv: new TextEncoder().encode("hash,name\nsummer-menu,New\n"),
  printLabels: { ids: ["01900000-0000-7000-8000-000000000001"], format: "L7160" },
  archiveImages: { ids: ["01900000-0000-7000-8000-000000000001"] },
  createLabelJob: { filter: {}, format: "L7160" },
  createImageJob: { filter: {} },
  // Refused for their names, so that the callers go on.
  deleteWorkspace: { name: "Another workspace", codes: "stop" },
  deleteAccount: { email: "another@example.com", codes: "stop" },
  updateKey: { usesDomains: true },
  rotateKey: { overlapHours: 24 },
  createFolder: { name: "A folder" },
  renameFolder: { name: "A folder" },
  changeReporting: { timeZone: "Europe/Berlin" },
  createKey: { name: "A key", type: "secret" },
  updateWorkspace: { name: "A workspace" },
  createWorkspace: { name: "A workspace" },
  updateMember: { role: "editor" },
  createInvitation: { role: "viewer", email: "ada@harbour.example" },
  createTemplate: { name: "A template", shape: "circle" },
  updateTemplate: { name: "A template" },
  createSavedList: { name: "A list" },
  updateSavedList: { name: "A list" },
  measureDesign: { shape: "circle" },
  updateBrand: { colors: [{ hex: "#14532d" }] },
  createBrandLogo: {
    name: "A logo",
    logo: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA5IDkiLz4=",
  },
  updateBrandLogo: { name: "A logo" },
  createPageImage: { image: onePixel },
  createDomain: {
    /** Different in each copy, since a workspace has a host once. */
    get host() {
      return `${crypto.randomUUID()}.example`;
    },
  },
  updateDomain: { name: "A domain" },
  createPage: { title: "A page" },
  updatePage: { title: "A page" },
  createWebhook: { url: "https://example.com/hook", events: ["qr.created"] },
  updateWebhook: { status: "paused" },
  setAlerts: { url: "https://example.com/alerts" },
  createReplay: { since: "2026-01-31T09:30:00Z" },
  changePlan: { plan: "pro" },
  createSignInLink: { kind: "owner" },
  blockHost: { host: "blocked-in-a-test.example", reason: "A test" },
  decideAbuseReport: { decision: "dismissed" },
  retryDeadLetters: { queue: "scans" },
  suspendQr: { reason: "A test" },
  suspendPage: { reason: "A test" },
  suspendWorkspace: { reason: "A test" },
  putDomain: { workspaceId: "01900000-0000-7000-8000-000000000001" },
  suspendDomain: { reason: "A test" },
};

/** Returns the headers that a body of the endpoint needs: its media type, unless it is JSON. */
export const bodyHeaders = ({ upload }: Endpoint): Record<string, string> =>
  upload === undefined || "application/json" in upload
    ? {}
    : { "content-type": Object.keys(upload)[0] ?? "" };

/** Makes one resource of each kind in a workspace. @returns their ids, by the path before the parameter */
export async function makeResources(client: Client, session: SessionClient): Promise<Record<string, string>> {
  const { service } = client;
  return {
    "/qr": (await client.createQr()).id,
    "/qr/by-external-id": "SKU-1",
    "/developer/qr": (await client.createQr()).id,
    "/qr/bulk": (await client.expect(202, BulkJob, "POST", "/qr/bulk", validBody.createBulk)).jobId,
    "/qr/print-jobs": (await client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} })).jobId,
    "/folders": (await client.expect(201, Folder, "POST", "/folders", { name: "Theirs" })).id,
    "/developer/templates": (
      await session.expect(201, Template, "POST", "/developer/templates", validBody.createTemplate)
    ).id,
    "/developer/lists": (
      await client.expect(201, SavedList, "POST", "/developer/lists", validBody.createSavedList)
    ).id,
    "/developer/brand/logos": (
      await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", validBody.createBrandLogo)
    ).id,
    "/developer/page-images": (
      await session.expect(201, PageImage, "POST", "/developer/page-images", validBody.createPageImage)
    ).id,
    "/developer/domains": (
      await service.operator.expect(
        200,
        OperatorDomain,
        "PUT",
        `/operator/domains/${crypto.randomUUID()}.example`,
        { workspaceId: client.workspaceId },
      )
    ).id,
    "/developer/pages": (await session.expect(201, Page, "POST", "/developer/pages", validBody.createPage))
      .id,
    "/operator/workspaces": crypto.randomUUID(),
    "/operator/qr": crypto.randomUUID(),
    "/operator/pages": crypto.randomUUID(),
    "/operator/domains": crypto.randomUUID(),
    "/operator/dead-letters": crypto.randomUUID(),
    "/operator/reports": crypto.randomUUID(),
    "/operator/blocked-hosts": crypto.randomUUID(),
    "/developer/webhooks": (
      await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", validBody.createWebhook)
    ).id,
    "/developer/history":
      (await session.expect(200, HistoryList, "GET", "/developer/history")).items[0]?.id ?? "",
    "/developer/sessions":
      (await session.expect(200, SessionList, "GET", "/developer/sessions")).sessions[0]?.id ?? "",
    "/developer/members": session.userId,
    "/developer/invitations": (
      await session.expect(201, NewInvitation, "POST", "/developer/invitations", validBody.createInvitation)
    ).id,
    "/developer/join": crypto.randomUUID(),
    "/developer/keys": (await session.expect(201, NewApiKey, "POST", "/developer/keys", publishableKey)).id,
  };
}

/** A client for each kind of authentication, all in one workspace, and ids of another workspace. */
export class TestCallers {
  readonly service: Service;
  readonly keyClient: Client;
  readonly sessionClient: SessionClient;
  readonly #foreign: Record<string, string>;

  private constructor(
    service: Service,
    keyClient: Client,
    sessionClient: SessionClient,
    foreign: Record<string, string>,
  ) {
    this.service = service;
    this.keyClient = keyClient;
    this.sessionClient = sessionClient;
    this.#foreign = foreign;
  }

  static async of(service: Service): Promise<TestCallers> {
    const keyClient = await service.workspace();
    const sessionClient = await service.sessionIn(keyClient.workspaceId);
    const other = await service.workspace();
    const foreign = await makeResources(other, await service.sessionIn(other.workspaceId));
    return new TestCallers(service, keyClient, sessionClient, foreign);
  }

  /** Returns the client that may call the endpoint. */
  clientOf({ auth }: Endpoint): ApiClient {
    const { keyClient, sessionClient, service } = this;
    return { key: keyClient, session: sessionClient, person: sessionClient, operator: service.operator }[
      auth
    ];
  }

  /** Returns the id of another workspace's resource. */
  foreignId(endpoint: Endpoint): string {
    return this.#foreign[endpoint.path.replace(/\/\{.*/, "")] ?? "";
  }
}

/** Expects the text of an error to consist of whole sentences that follow the style sheet. */
function expectHouseStyle(error: string): void {
  // The contract's own words aren't a sentence.
  if (error === specification.rateLimit.body.error) return;
  expect(error).toMatch(/[.?]$/);
  expect(error).not.toMatch(/; |!|\bplease\b|\bsuccessful|\bmust not\b|\bis not\b|\binvalid\b/i);
}

/** Expects an error response, parsed strictly. @returns its message */
export async function expectError(response: Response, status: number, code: string): Promise<string> {
  const json = ErrorBody.strict().parse(await response.json());
  expect({ status: response.status, code: json.code, error: json.error }).toEqual({
    status,
    code,
    error: json.error,
  });
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-request-id")).toBeTruthy();
  expectHouseStyle(json.error);
  return json.error;
}

/** Returns the number of rows in each table, which a rejected request must not change. */
export async function rowCounts(): Promise<Record<string, unknown> | null> {
  const tables = [
    "qr_codes",
    "qr_tags",
    "folders",
    "templates",
    "logos",
    "outbox",
    "idempotency_records",
    "workspaces",
    "api_keys",
  ];
  const counts = tables.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`);
  return env.DB.prepare(`SELECT ${counts.join(", ")}`).first();
}

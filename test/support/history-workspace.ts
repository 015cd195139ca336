import { Folder } from "../../src/contract/resources/codes/folders.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { SavedList } from "../../src/contract/resources/codes/saved-lists.ts";
import { OperatorDomain } from "../../src/contract/resources/domains.ts";
import {
  type HistoryAction,
  type HistoryEntry,
  HistoryQuery,
} from "../../src/contract/resources/history/history.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { NewInvitation } from "../../src/contract/resources/identity/members.ts";
import { BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { PrintJob } from "../../src/contract/resources/images/prints.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import { CreatedWebhook, Delivery } from "../../src/contract/resources/webhooks/webhooks.ts";
import type { Role } from "../../src/contract/roles.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { listHistory } from "../../src/domain/history/history.ts";
import { Answer } from "../../src/mcp/tools/changes.ts";
import { Agent } from "./agents.ts";
import { publishableKey, validBody } from "./endpoints.ts";
import { sendForm } from "./hosted-pages.ts";
import { Client, type Service, type SessionClient } from "./service.ts";

/** Expected entries of a change; or why it has none. */
export type ExpectedEntries = readonly [HistoryAction, ...HistoryAction[]] | { readonly none: string };

/** The actions in the order of their names, because entries of one change may have the same time. */
export const actionsOf = (expected: ExpectedEntries): string[] =>
  "none" in expected ? [] : expected.toSorted();

/** A new workspace with an owner and a key, in which tests change things, and what its history then says. */
export class HistoryWorkspace {
  readonly service: Service;
  readonly client: Client;
  readonly owner: SessionClient;
  #known = new Set<string>();

  private constructor(service: Service, client: Client, owner: SessionClient) {
    this.service = service;
    this.client = client;
    this.owner = owner;
  }

  static async of(service: Service): Promise<HistoryWorkspace> {
    const client = await service.workspace();
    return new HistoryWorkspace(service, client, await service.sessionIn(client.workspaceId));
  }

  /** Returns the entries since the last call, but for those of single codes that a bulk job changes later. */
  async newEntries(): Promise<HistoryEntry[]> {
    const context = serviceContext(this.client.workspaceId, "business");
    const { items } = await listHistory(this.service.deps, context, HistoryQuery.parse({ limit: "200" }));
    const entries = items.filter(({ id, jobId }) => jobId === null && !this.#known.has(id));
    for (const { id } of entries) this.#known.add(id);
    return entries;
  }

  member = (role: Role = "editor") => this.service.sessionIn(this.client.workspaceId, role);
  code = (): Promise<Qr> => this.client.createQr({ name: "Menu", tags: ["summer"] });
  folder = () => this.client.expect(201, Folder, "POST", "/folders", { name: "Menus" });
  list = () => this.owner.expect(201, SavedList, "POST", "/developer/lists", validBody.createSavedList);
  template = () => this.owner.expect(201, Template, "POST", "/developer/templates", validBody.createTemplate);
  page = (input: object = {}) =>
    this.owner.expect(201, Page, "POST", "/developer/pages", { title: "Fair", ...input });
  /** A host that the operator gave the workspace. */
  domain = () =>
    this.service.operator.expect(
      200,
      OperatorDomain,
      "PUT",
      `/operator/domains/${crypto.randomUUID()}.example`,
      {
        workspaceId: this.client.workspaceId,
      },
    );
  logo = () => this.owner.expect(201, BrandLogo, "POST", "/developer/brand/logos", validBody.createBrandLogo);
  publishableKey = () => this.owner.expect(201, NewApiKey, "POST", "/developer/keys", publishableKey);
  key = () => this.owner.expect(201, NewApiKey, "POST", "/developer/keys", validBody.createKey);
  webhook = () =>
    this.owner.expect(201, CreatedWebhook, "POST", "/developer/webhooks", validBody.createWebhook);
  invitation = (by = this.owner, body: object = { role: "viewer" }) =>
    by.expect(201, NewInvitation, "POST", "/developer/invitations", body);

  /** A webhook with a delivery that was skipped. */
  async skippedDelivery() {
    const { id } = await this.webhook();
    const path = `/developer/webhooks/${id}`;
    const { id: deliveryId } = await this.owner.expect(202, Delivery, "POST", `${path}/test`);
    for (const status of ["paused", "active"]) await this.owner.send("PATCH", path, { status });
    return { path, webhookId: id, deliveryId };
  }

  /** A page with a form, and a submission. */
  async submission() {
    const form = { fields: [{ type: "text", name: "a", label: "A" }], button: "Send" };
    const page = await this.page({ form });
    await sendForm(this.service, page, { a: "Hello" });
    const path = `/developer/pages/${page.id}/submissions`;
    const { items } = await this.owner.expect(200, SubmissionList, "GET", path);
    return { page, path, id: items[0]?.id ?? "" };
  }

  /** Starts a job that draws the images of codes. */
  async printJob(): Promise<{ readonly id: string }> {
    await this.code();
    const { jobId } = await this.client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} });
    return { id: jobId };
  }

  /** Proposes a change of codes with a key whose changes a person confirms. */
  async proposal(): Promise<{ readonly id: string }> {
    await this.code();
    const input = { name: "Agent", type: "secret", scopes: ["qr:write"], personConfirms: true };
    const { id, key } = await this.owner.expect(201, NewApiKey, "POST", "/developer/keys", input);
    const agent = await Agent.connect(new Client(this.service, this.client.workspaceId, id, key));
    const change = { filter: {}, change: { addTags: ["new"] } };
    return { id: (await agent.ask(Answer, "change_codes", change)).proposalId ?? "" };
  }

  /** Deletes the thing at a path. */
  async deleted<T extends { readonly id: string }>(
    by: Client | SessionClient,
    at: string,
    thing: T,
  ): Promise<T> {
    await by.send("DELETE", `${at}/${thing.id}`);
    return thing;
  }
}

import { createHash } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, vi } from "vitest";
import * as z from "zod";
import { BulkJob, BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { SavedList } from "../../../src/contract/resources/codes/saved-lists.ts";
import { Domain } from "../../../src/contract/resources/domains.ts";
import { EventKind } from "../../../src/contract/resources/enums.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { MemberList, NewInvitation } from "../../../src/contract/resources/identity/members.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import { Brand, BrandLogo } from "../../../src/contract/resources/images/brand.ts";
import { PrintJob } from "../../../src/contract/resources/images/prints.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { Page, SubmissionList } from "../../../src/contract/resources/pages.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { Replay } from "../../../src/contract/resources/webhooks/replays.ts";
import {
  CreatedWebhook,
  Delivery,
  DeliveryWithAttempts,
} from "../../../src/contract/resources/webhooks/webhooks.ts";
import { readStrictly } from "./read-strictly.ts";
import type { OwnWorkspace } from "./workspaces.ts";

/** Text that is long, that can't be wrapped at spaces, and that would be markup. */
const names = {
  long: "A long name of a poster in the underground passage of the station, on the side of the river",
  unbroken: "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen".repeat(2),
  markup: `<b hx-post="/x" hx-trigger="load">"bold" & 'brave'</b>`,
};

const logo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>',
);

/** Nothing is there. */
const imageUrl = "https://images.example/fair.jpg";

/** A page with each kind of block and field. */
const hostedPage = {
  title: names.long,
  intro: names.markup,
  blocks: [
    { type: "text", text: names.unbroken },
    { type: "link", label: "The programme", url: "https://example.com/programme" },
    { type: "image", url: imageUrl, alt: names.markup },
  ],
  form: {
    fields: [
      { type: "text", name: "name", label: names.markup },
      { type: "text", name: "message", label: "Message", multiline: true },
      { type: "email", name: "email", label: "Email" },
      { type: "phone", name: "phone", label: "Phone" },
      { type: "choice", name: "cake", label: "A cake?", options: ["Yes", "No"] },
      { type: "checkbox", name: "terms", label: "I agree" },
    ],
  },
};

/** One more than a page of the list. */
const codeCount = 26;

/** The resources that a workspace was filled with. */
export interface Filled {
  /** Values of the parameters in paths, by the segment before them, such as `codes` of `/codes/:id`. */
  readonly values: Readonly<Record<string, string>>;
  /** The queries of pages that need one, by their paths in the route table. */
  readonly queries: Readonly<Record<string, string>>;
  readonly deletedCode: string;
}

/**
 * Fills a workspace with some of everything: codes in all states, with scans, a folder, a template, a hosted page.
 * @param codes in it, besides one that was deleted
 */
export async function fillWorkspace(workspace: OwnWorkspace, codes = codeCount): Promise<Filled> {
  const { service } = workspace;
  const [folder, template, page, list] = await Promise.all([
    readStrictly(service.send("POST", "/folders", { name: names.markup }), 201, Folder),
    readStrictly(
      workspace.callDeveloper("POST", "/templates", {
        name: names.unbroken.slice(0, 60),
        colorConfig: { dotsColor: "#14532d" },
        logo: `data:image/svg+xml;base64,${logo.toString("base64")}`,
      }),
      201,
      Template,
    ),
    readStrictly(workspace.callDeveloper("POST", "/pages", hostedPage), 201, Page),
    readStrictly(
      workspace.callDeveloper("POST", "/lists", {
        name: names.unbroken.slice(0, 60),
        filter: { status: "active" },
      }),
      201,
      SavedList,
    ),
  ]);
  await readStrictly(
    workspace.callDeveloper("PATCH", "/brand", {
      colors: [
        { hex: "#14532d", name: names.unbroken.slice(0, 60) },
        { hex: "#ffffff", name: null },
      ],
    }),
    200,
    Brand,
  );
  await readStrictly(
    workspace.callDeveloper("PATCH", `/brand/logos/${template.logo?.id}`, { name: names.markup }),
    200,
    BrandLogo,
  );
  await readStrictly(
    workspace.callDeveloper("PATCH", "/workspace", { logoId: template.logo?.id }),
    200,
    Workspace,
  );
  const create = (i: number) =>
    readStrictly(
      service.send("POST", "/qr", {
        qrType: "url",
        name: Object.values(names)[i % 5] ?? `Code ${i}`,
        data: { type: "url", url: `https://example.com/${i % 5 === 1 ? names.unbroken : i}` },
        tags: ["summer", "tables", names.markup],
        folderId: i % 2 === 0 ? folder.id : null,
        status: i % 7 === 1 ? "paused" : "active",
        ...(i % 7 === 2
          ? { expiresAt: "2020-01-01T00:00:00Z", fallbackUrl: "https://example.com/over" }
          : {}),
        ...(i % 7 === 3 ? { startsAt: "2090-01-01T00:00:00Z" } : {}),
        utm: { source: "table", campaign: names.long },
      }),
      201,
      Qr,
    );
  const submission = await fillIn(workspace, page);
  const draft = {
    save: "draft",
    title: names.unbroken,
    "blocks.0.type": "link",
    "blocks.0.url": names.markup,
  };
  expect((await workspace.submit(`/pages/${page.id}/edit`, draft)).status).toBe(303);
  const created = await Promise.all(Array.from({ length: codes }, (_, i) => create(i)));
  const [scanned, deleted] = [created[0], await create(0)];
  if (scanned === undefined) throw new Error("a workspace is filled with at least one code");
  expect((await service.send("DELETE", `/qr/${deleted.id}`)).status).toBe(200);
  const domain = await giveDomain(workspace, created);
  const [jobId, printId, proposalId, developer] = await Promise.all([
    runJob(workspace, scanned),
    runPrint(workspace),
    propose(workspace),
    fillDeveloper(workspace),
    scan(workspace, scanned),
  ]);
  const members = await fillMembers(workspace);
  return {
    values: {
      codes: scanned.id,
      folders: folder.id,
      templates: template.id,
      lists: list.id,
      logos: createHash("sha256").update(logo).digest("hex"),
      pages: page.id,
      domains: domain.id,
      submissions: submission,
      tags: "summer",
      choices: "tags",
      jobs: jobId,
      prints: printId,
      changes: proposalId,
      members,
      workspaces: workspace.id,
      ...developer,
    },
    queries: {
      "/share": "?tag=summer",
      "/tags/rename": "?tag=summer",
      "/tags/delete": "?tag=summer",
      "/go": "?q=summer",
      "/first-steps": `?code=${scanned.id}`,
      "/first-steps/image": `?code=${scanned.id}`,
      "/codes/:id/aliases": `?alias=${domain.host}/moved`,
      "/codes/bulk": "?q=",
      "/print": "?q=&all=on",
      "/print/images": "?q=&all=on",
      "/print/preview": "?q=&all=on",
      "/print/page.svg": "?q=&all=on",
      "/pages/:id/submissions/erase": "?all=on",
      "/pages/preview-image": `?url=${encodeURIComponent(imageUrl)}`,
    },
    deletedCode: deleted.id,
  };
}

/** Adds a domain with a long host, at which the first code has other addresses, and another has one that can be moved. */
async function giveDomain(workspace: OwnWorkspace, [first, second]: readonly Qr[]): Promise<Domain> {
  const { service, id } = workspace;
  const host = `${"long-".repeat(9)}${id.slice(-12)}.localhost`;
  const input = { host, name: names.markup, rootUrl: `https://example.com/${names.unbroken}` };
  const domain = await readStrictly(workspace.callDeveloper("POST", "/domains", input), 201, Domain);
  const aliases = [...Array(5).keys()].map((i) => `${host}/${names.long.replaceAll(" ", "-")}/${i}`);
  for (const [qr, list] of [
    [first, aliases],
    [second, [`${host}/moved`]],
  ] as const) {
    await readStrictly(service.send("PATCH", `/qr/${qr?.id}`, { aliases: list }), 200, Qr);
  }
  return domain;
}

/** Proposes a change of all codes, as an agent whose changes a person confirms. @returns its id */
async function propose(workspace: OwnWorkspace): Promise<string> {
  const input = { name: names.markup, type: "secret", scopes: ["qr:write"], personConfirms: true };
  const { key } = await readStrictly(workspace.callDeveloper("POST", "/keys", input), 201, NewApiKey);
  const agent = new Client({ name: names.unbroken, version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await agent.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", workspace.service.origin), { requestInit }),
  );
  const change = { replace: { host: { from: "example.com", to: `${"long".repeat(9)}.example.org` } } };
  const { structuredContent } = await agent.callTool({
    name: "change_codes",
    arguments: { filter: {}, change },
  });
  await agent.close();
  return z.object({ proposalId: z.string() }).parse(structuredContent).proposalId;
}

/** Runs a bulk job in which one code stays as it is and another is not found. @returns its id */
async function runJob({ service }: OwnWorkspace, { id, tags }: Qr): Promise<string> {
  const ids = [id, "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"];
  const change = { ids, change: { addTags: tags } };
  const { jobId } = await readStrictly(service.send("POST", "/qr/bulk-update", change), 202, BulkJob);
  await vi.waitFor(
    async () => {
      const job = await readStrictly(service.send("GET", `/qr/bulk/${jobId}`), 200, BulkJobWithItems);
      expect(job.status).toBe("completed");
    },
    { timeout: 60_000 },
  );
  return jobId;
}

/** Runs a print job of the workspace's codes. @returns its id */
async function runPrint({ service }: OwnWorkspace): Promise<string> {
  const { jobId } = await readStrictly(
    service.send("POST", "/qr/images/jobs", { filter: {} }),
    202,
    PrintJob,
  );
  await vi.waitFor(
    async () => {
      const job = await readStrictly(service.send("GET", `/qr/print-jobs/${jobId}`), 200, PrintJob);
      expect(job.status).toBe("completed");
    },
    { timeout: 60_000 },
  );
  return jobId;
}

/** Sends a page's form. @returns the id of the submission */
async function fillIn(workspace: OwnWorkspace, { id, url }: Page): Promise<string> {
  const token = /name="_form" value="([^"]*)"/.exec(await (await fetch(url)).text())?.[1] ?? "";
  const body = new URLSearchParams({ _form: token, name: names.markup, message: names.unbroken });
  // A form that is sent at once is refused, and can be sent later.
  await vi.waitFor(
    async () => {
      const answer = await fetch(url, { method: "POST", redirect: "manual", body });
      expect(answer.status).toBe(303);
    },
    { timeout: 30_000, interval: 500 },
  );
  const path = `/pages/${id}/submissions`;
  const { items } = await readStrictly(workspace.callDeveloper("GET", path), 200, SubmissionList);
  return items[0]?.id ?? "";
}

/** Two invitations. @returns the id of a member */
async function fillMembers(workspace: OwnWorkspace): Promise<string> {
  for (const input of [
    { role: "viewer" },
    { role: "admin", email: `ada@${"long-".repeat(9)}name.example` },
  ]) {
    await readStrictly(workspace.callDeveloper("POST", "/invitations", input), 201, NewInvitation);
  }
  const { members } = await readStrictly(workspace.callDeveloper("GET", "/members"), 200, MemberList);
  return members[0]?.id ?? "";
}

/** A publishable key, and a webhook whose receiver can't be reached, with a delivery. @returns their ids */
async function fillDeveloper(workspace: OwnWorkspace): Promise<Filled["values"]> {
  const origins = ["https://shop.example", `https://${"long-".repeat(10)}name.example`];
  const key = { name: names.markup, type: "publishable", origins };
  const hook = { url: `http://127.0.0.1:9/${names.unbroken}`, events: EventKind.options };
  const [{ id: keys }, { id: webhooks }] = await Promise.all([
    readStrictly(workspace.callDeveloper("POST", "/keys", key), 201, NewApiKey),
    readStrictly(workspace.callDeveloper("POST", "/webhooks", hook), 201, CreatedWebhook),
  ]);
  const test = workspace.callDeveloper("POST", `/webhooks/${webhooks}/test`);
  const { id: deliveries } = await readStrictly(test, 202, Delivery);
  await vi.waitFor(
    async () => {
      const path = `/webhooks/${webhooks}/deliveries/${deliveries}`;
      const sent = await readStrictly(workspace.callDeveloper("GET", path), 200, DeliveryWithAttempts);
      expect(sent.status).toBe("failed");
    },
    { timeout: 60_000 },
  );
  const replay = { since: "2020-01-01T00:00:00Z" };
  await readStrictly(workspace.callDeveloper("POST", `/webhooks/${webhooks}/replays`, replay), 202, Replay);
  return { keys, webhooks, deliveries };
}

const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const browsers = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
];

/** Scans a code by a bot and from several devices, and waits until those are counted. */
async function scan({ service }: OwnWorkspace, { id, scanUrl }: Qr): Promise<void> {
  for (const userAgent of [bot, ...browsers]) {
    await fetch(scanUrl, { redirect: "manual", headers: { "user-agent": userAgent } });
  }
  await vi.waitFor(
    async () => {
      const { stats } = await readStrictly(service.send("GET", `/qr/${id}/scans`), 200, ScanListResponse);
      expect(stats.total).toBe(browsers.length);
    },
    { timeout: 60_000 },
  );
}

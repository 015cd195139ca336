import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { HistoryEntry } from "../../src/contract/resources/history/history.ts";
import { InvitationList } from "../../src/contract/resources/identity/members.ts";
import { SessionList } from "../../src/contract/resources/identity/sessions.ts";
import { routes } from "../../src/dashboard/routes.ts";
import { Authenticator, passkeyRequestOf } from "../support/authenticator.ts";
import { Browser } from "../support/browser.ts";
import { fieldsOf, pageAt } from "../support/dashboard.ts";
import { actionsOf, type ExpectedEntries, HistoryWorkspace } from "../support/history-workspace.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { origin, Service, type SessionClient } from "../support/service.ts";
import { developerForms } from "./developer-forms.ts";
import { domainForms } from "./domain-forms.ts";
import { button, type Case, edit, type Form, filled, none, type World } from "./forms.ts";
import { proposalForms } from "./proposal-forms.ts";

/** Every form of the dashboard that changes something is in the history, once, or has a reason why it isn't. */

const service = new Service();

function browserOf({ cookie }: SessionClient): Browser {
  const browser = new Browser(service);
  browser.cookies.set("session", cookie.replace("session=", ""));
  return browser;
}

const deletedCode = async (w: World) => w.deleted(w.client, "/qr", await w.code());
const share = async (w: World): Promise<string> => {
  const { id } = await w.code();
  const form = await filled(w, `/codes/${id}/share`);
  await w.browser.submit(`/dashboard${form.path}`, form.fields as Record<string, string>);
  const [, shared = ""] = /\/shared\/([0-9a-f-]{36})\/replace/.exec(
    await pageAt(w.browser, `/dashboard/codes/${id}/share`),
  ) ?? [""];
  return shared;
};
const passkey = async (w: World): Promise<{ readonly id: string }> => {
  const path = "/dashboard/settings/passkeys/new";
  const request = passkeyRequestOf(await pageAt(w.browser, path));
  const credential = await new Authenticator(origin).create(request);
  await w.browser.submit(path, { name: "Phone", credential, sealed: request.sealed ?? "" });
  const list = await pageAt(w.browser, "/dashboard/settings/passkeys");
  return { id: /passkeys\/([^/"]+)\/rename/.exec(list)?.[1] ?? "" };
};
const asAdmin = async (w: World, path: string): Promise<Form> => {
  const by = await w.member("admin");
  await w.invitation(by);
  return { path, by };
};

const cases: Readonly<Record<string, Case>> = {
  ...developerForms,
  ...domainForms,
  ...proposalForms,
  "/first-steps": {
    expected: ["code.created"],
    form: async (w) => ({
      path: "/first-steps",
      fields: { ...(await filled(w, "")).fields, "data.url": "example.com/menu" },
    }),
  },
  "/first-steps/hide": { expected: none.account, form: async () => ({ path: "/first-steps/hide" }) },
  "/waiting/not-now": { expected: none.account, form: async () => ({ path: "/waiting/not-now" }) },
  "/waiting/now": { expected: none.account, form: async () => ({ path: "/waiting/now" }) },
  "/jobs/:id/undo": {
    expected: ["job.created"],
    form: async (w) => {
      const { id } = await w.code();
      const change = { ids: [id], change: { addTags: ["new"] } };
      const { jobId } = (await (await w.client.send("POST", "/qr/bulk-update", change)).json()) as {
        jobId: string;
      };
      await service.consume("bulk", [{ body: { task: "run", workspaceId: w.client.workspaceId, jobId } }]);
      await env.DB.prepare(
        "UPDATE bulk_jobs SET status = 'completed', completed_at = created_at, resume_at = NULL WHERE id = ?",
      )
        .bind(jobId)
        .run();
      return { path: `/jobs/${jobId}/undo` };
    },
  },

  "/codes/new": {
    expected: ["code.created"],
    form: (w) => filled(w, "/codes/new", { qrType: "url", "data.url": "example.com" }),
  },
  "/codes/logo": {
    expected: ["logo.created"],
    form: async (w) => {
      const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>';
      const form = await filled(w, "/codes/new", { logo: Uint8Array.from(new TextEncoder().encode(square)) });
      return { ...form, path: "/codes/logo" };
    },
  },
  "/codes/bulk": {
    expected: ["job.created"],
    form: async (w) => {
      await w.code();
      const look = { ...(await filled(w, "/codes/bulk?q=status%3Aactive")).fields, status: "paused" };
      const review = await w.browser.submit("/dashboard/codes/bulk", look as Record<string, string>);
      return { path: "/codes/bulk", fields: { ...fieldsOf(await review.text()), step: "start" } };
    },
  },
  "/codes/import": {
    expected: ["job.created"],
    form: async (w) => {
      const path = "/dashboard/codes/import";
      const read = await w.browser.upload(path, { step: "read", text: "https://example.com/1" });
      const checked = await w.browser.upload(path, { ...fieldsOf(await read.text()), step: "check" });
      return { path: "/codes/import", fields: { ...fieldsOf(await checked.text()), step: "start" } };
    },
  },
  "/bin/restore": {
    expected: ["code.restored"],
    form: async (w) => ({ path: `/bin/restore?id=code+${(await deletedCode(w)).id}` }),
  },
  "/bin/erase": {
    expected: ["code.erased"],
    form: async (w) => ({ path: `/bin/erase?id=code+${(await deletedCode(w)).id}` }),
  },
  "/codes/:id/edit": {
    expected: ["code.updated"],
    form: edit("/codes", (w) => w.code(), "edit", { name: "New name" }),
  },
  "/codes/:id/destination": {
    expected: ["code.updated"],
    form: button("/codes", (w) => w.code(), "destination", { "data.url": "https://example.com/other" }),
  },
  "/codes/:id/pause": { expected: ["code.updated"], form: button("/codes", (w) => w.code(), "pause") },
  "/codes/:id/resume": {
    expected: ["code.updated"],
    form: button("/codes", (w) => w.client.createQr({ status: "paused" }), "resume"),
  },
  "/codes/:id/delete": { expected: ["code.deleted"], form: button("/codes", (w) => w.code(), "delete") },
  "/codes/:id/restore": { expected: ["code.restored"], form: button("/codes", deletedCode, "restore") },
  "/codes/:id/erase": { expected: ["code.erased"], form: button("/codes", deletedCode, "erase") },
  "/codes/:id/share": { expected: ["shared_report.created"], form: edit("/codes", (w) => w.code(), "share") },
  "/share": { expected: ["shared_report.created"], form: (w) => filled(w, "/share") },
  "/shared/:shared/replace": {
    expected: ["shared_report.replaced"],
    form: async (w) => ({ path: `/shared/${await share(w)}/replace` }),
  },
  "/shared/:shared/revoke": {
    expected: ["shared_report.revoked"],
    form: async (w) => ({ path: `/shared/${await share(w)}/revoke` }),
  },

  "/prints/:id/cancel": { expected: none.drawing, form: button("/prints", (w) => w.printJob(), "cancel") },
  "/prints/:id/remove": { expected: none.drawing, form: button("/prints", (w) => w.printJob(), "remove") },
  "/print": {
    expected: none.drawing,
    form: async (w) => ({ path: "/print", fields: { id: (await w.code()).id } }),
  },
  "/print/images": {
    expected: none.drawing,
    form: async (w) => ({ path: "/print/images", fields: { id: (await w.code()).id } }),
  },

  "/folders": {
    expected: ["folder.created"],
    form: async () => ({ path: "/folders", fields: { name: "Menus" } }),
  },
  "/folders/:id/edit": {
    expected: ["folder.updated"],
    form: edit("/folders", (w) => w.folder(), "edit", { name: "New name" }),
  },
  "/folders/:id/delete": {
    expected: ["folder.deleted"],
    form: button("/folders", (w) => w.folder(), "delete"),
  },
  "/folders/:id/restore": {
    expected: ["folder.restored"],
    form: button("/folders", async (w) => w.deleted(w.client, "/folders", await w.folder()), "restore"),
  },
  "/tags/rename": {
    expected: ["job.created"],
    form: async (w) => {
      await w.code();
      return filled(w, "/tags/rename?tag=summer", { addTags: "winter" });
    },
  },
  "/tags/delete": {
    expected: ["job.created"],
    form: async (w) => {
      await w.code();
      return filled(w, "/tags/delete?tag=summer");
    },
  },

  "/pages/new": { expected: ["page.created"], form: (w) => filled(w, "/pages/new", { title: "Fair" }) },
  "/pages/preview": {
    expected: none.drawing,
    form: async (w) => ({ ...(await filled(w, "/pages/new", { title: "Fair" })), path: "/pages/preview" }),
  },
  "/pages/:id/edit": {
    expected: ["page.updated"],
    form: edit("/pages", (w) => w.page(), "edit", { title: "New title" }),
  },
  "/pages/:id/draft/discard": {
    expected: { none: "A draft isn't the page, which stays as it is" },
    form: async (w) => {
      const path = `/pages/${(await w.page()).id}`;
      const { fields } = await filled(w, `${path}/edit`, { title: "New title", save: "draft" });
      await w.browser.submit(`/dashboard${path}/edit`, fields as Record<string, string>);
      return filled(w, `${path}/draft/discard`);
    },
  },
  "/pages/:id/delete": { expected: ["page.deleted"], form: button("/pages", (w) => w.page(), "delete") },
  "/pages/:id/restore": {
    expected: ["page.restored"],
    form: button("/pages", async (w) => w.deleted(w.owner, "/developer/pages", await w.page()), "restore"),
  },
  "/pages/:id/submissions/erase": {
    expected: ["page.submissions_erased"],
    form: async (w) => {
      const { page } = await w.submission();
      return filled(w, `/pages/${page.id}/submissions/erase?all=on`);
    },
  },

  "/lists/new": {
    expected: ["saved_list.created"],
    form: (w) => filled(w, "/lists/new?q=tag%3Asummer&sort=name", { name: "Summer" }),
  },
  "/lists/:id/edit": {
    expected: ["saved_list.updated"],
    form: edit("/lists", (w) => w.list(), "edit", { name: "New name" }),
  },
  "/lists/:id/save": {
    expected: ["saved_list.updated"],
    form: async (w) => ({ path: `/lists/${(await w.list()).id}/save`, fields: { q: "", sort: "name" } }),
  },
  "/lists/:id/delete": {
    expected: ["saved_list.deleted"],
    form: button("/lists", (w) => w.list(), "delete"),
  },
  "/lists/:id/restore": {
    expected: ["saved_list.restored"],
    form: button("/lists", async (w) => w.deleted(w.owner, "/developer/lists", await w.list()), "restore"),
  },

  "/templates/new": {
    expected: ["template.created"],
    form: (w) => filled(w, "/templates/new", { name: "House" }),
  },
  "/templates/preview": {
    expected: none.drawing,
    form: async (w) => ({ ...(await filled(w, "/templates/new")), path: "/templates/preview" }),
  },
  "/templates/score": {
    expected: none.drawing,
    form: async (w) => ({ ...(await filled(w, "/templates/new")), path: "/templates/score" }),
  },
  "/templates/:id/edit": {
    expected: ["template.updated"],
    form: edit("/templates", (w) => w.template(), "edit", { name: "New name" }),
  },
  "/templates/:id/delete": {
    expected: ["template.deleted"],
    form: button("/templates", (w) => w.template(), "delete"),
  },
  "/templates/:id/restore": {
    expected: ["template.restored"],
    form: button(
      "/templates",
      async (w) => w.deleted(w.owner, "/developer/templates", await w.template()),
      "restore",
    ),
  },

  "/history/undo": {
    expected: ["folder.deleted"],
    form: async (w) => {
      await w.folder();
      const [created] = await w.newEntries();
      return {
        path: "/history/undo",
        fields: { object: created?.object.id ?? "", request: created?.requestId ?? "", back: "/dashboard" },
      };
    },
  },
  "/history/:id/revert": {
    expected: ["folder.deleted"],
    form: async (w) => {
      await w.folder();
      const [created] = await w.newEntries();
      return { path: `/history/${created?.id}/revert` };
    },
  },

  "/workspaces/switch": {
    expected: none.account,
    form: async ({ client }) => ({ path: "/workspaces/switch", fields: { workspace: client.workspaceId } }),
  },
  "/workspaces/new": {
    expected: { none: "The new workspace's history begins with it" },
    form: async () => ({ path: "/workspaces/new", fields: { name: "Harbour" } }),
  },
  "/settings": { expected: ["workspace.updated"], form: (w) => filled(w, "/settings", { name: "Harbour" }) },
  "/settings/reports": {
    expected: ["workspace.updated"],
    form: (w) => filled(w, "/settings/reports", { timeZone: "Europe/Berlin" }),
  },
  "/settings/brand": {
    expected: ["brand.updated"],
    form: async () => ({ path: "/settings/brand", fields: { hex: "#14532d", name: "Forest" } }),
  },
  "/settings/brand/logos/:id/edit": {
    expected: ["logo.updated"],
    form: edit("/settings/brand/logos", (w) => w.logo(), "edit", { name: "New name" }),
  },
  "/settings/brand/logos/:id/delete": {
    expected: ["logo.deleted"],
    form: button("/settings/brand/logos", (w) => w.logo(), "delete"),
  },

  "/settings/members/invite": {
    expected: ["invitation.created"],
    form: (w) => filled(w, "/settings/members/invite", { role: "viewer" }),
  },
  "/settings/members/invitations/:id/revoke": {
    expected: ["invitation.revoked"],
    form: async (w) => {
      await w.invitation();
      const { invitations } = await w.owner.expect(200, InvitationList, "GET", "/developer/invitations");
      return { path: `/settings/members/invitations/${invitations[0]?.id}/revoke` };
    },
  },
  "/settings/members/leave": {
    expected: ["invitation.revoked", "member.removed"],
    form: (w) => asAdmin(w, "/settings/members/leave"),
  },
  "/settings/members/:id/role": {
    expected: ["member.role_changed"],
    form: async (w) => filled(w, `/settings/members/${(await w.member()).userId}/role`, { role: "viewer" }),
  },
  "/settings/members/:id/remove": {
    expected: ["member.removed"],
    form: async (w) => ({ path: `/settings/members/${(await w.member()).userId}/remove` }),
  },
  "/settings/members/:id/transfer": {
    expected: ["member.role_changed", "member.role_changed"],
    form: async (w) => ({ path: `/settings/members/${(await w.member()).userId}/transfer` }),
  },
  "/settings/delete": {
    expected: ["workspace.deletion_requested"],
    form: (w) => filled(w, "/settings/delete", { name: "Test", codes: "stop" }),
  },
  "/settings/deletion/cancel": {
    expected: ["workspace.deletion_cancelled"],
    form: async ({ owner }) => {
      await owner.send("POST", "/developer/workspace/deletion", { name: "Test", codes: "stop" });
      return { path: "/settings/deletion/cancel" };
    },
  },

  "/settings/account": {
    expected: none.account,
    form: async () => ({ path: "/settings/account", fields: { shortcuts: "off" } }),
  },
  "/settings/account/delete": {
    expected: ["invitation.revoked", "member.removed"],
    form: async (w) => {
      const form = await asAdmin(w, "/settings/account/delete");
      await env.DB.prepare("UPDATE users SET email = 'ada@example.com' WHERE id = ?")
        .bind(form.by?.userId)
        .run();
      return { ...form, fields: { email: "ada@example.com", codes: "stop" } };
    },
  },
  "/settings/passkeys/new": {
    expected: none.account,
    form: async (w) => {
      const path = "/settings/passkeys/new";
      const request = passkeyRequestOf(await pageAt(w.browser, `/dashboard${path}`));
      const credential = await new Authenticator(origin).create(request);
      return { path, fields: { name: "Phone", credential, sealed: request.sealed ?? "" } };
    },
  },
  "/settings/passkeys/seen": {
    expected: none.account,
    form: async () => ({ path: "/settings/passkeys/seen" }),
  },
  "/settings/passkeys/:id/rename": {
    expected: none.account,
    form: edit("/settings/passkeys", passkey, "rename", { name: "New name" }),
  },
  "/settings/passkeys/:id/remove": {
    expected: none.account,
    form: edit("/settings/passkeys", passkey, "remove"),
  },
  "/settings/sessions/:id/end": {
    expected: none.account,
    form: async ({ owner }) => {
      await owner.again();
      const { sessions } = await owner.expect(200, SessionList, "GET", "/developer/sessions");
      return { path: `/settings/sessions/${sessions.find(({ current }) => !current)?.id}/end` };
    },
  },
};

const worldOf = (workspace: HistoryWorkspace): World =>
  Object.assign(workspace, { browser: browserOf(workspace.owner) });
const shared = worldOf(await HistoryWorkspace.of(service));

/** The first steps are those of a new workspace; changes of its people, brand and sessions need their own, too. */
const needsOwn = (path: string, expected: ExpectedEntries) =>
  path === "/first-steps" ||
  expected === none.account ||
  /"(workspace|member|invitation|brand|logo)\./.test(JSON.stringify(expected));

/**
 * Each change writes its entries, for the dashboard as for the API, all of whose changes `every-endpoint.test.ts`
 * tries. Who made it, and by which request, the middleware knows. So forms of an area that have the same entries are one
 * class, and so are those that have none for the same reason.
 */
const ofEach = oneOfEach(Object.entries(cases), ([path, { expected }]) =>
  "none" in expected ? expected.none : `${path.split("/")[1]} ${expected.join()}`,
);

it.each(ofEach)("%s", async (name, { expected, found, form }) => {
  const world = needsOwn(name, expected) ? worldOf(await HistoryWorkspace.of(service)) : shared;
  const { path, fields = {}, by = world.owner } = await form(world);
  await world.newEntries();

  const browser = by === world.owner ? world.browser : browserOf(by);
  const hasFile = Object.values(fields).some((value) => typeof value !== "string");
  const address = `/dashboard${path}`;
  const response = await (hasFile
    ? browser.upload(address, fields)
    : browser.submit(address, fields as Record<string, string>));
  const page = await response.text();
  expect(response.status < 400 ? "" : `${response.status}: ${page}`).toBe("");

  const told = await world.newEntries();
  const isOwn = ({ actor: { kind } }: HistoryEntry) => kind === "service";
  expect(told.filter(isOwn).map(({ action }) => action)).toEqual(found === undefined ? [] : actionsOf(found));
  const entries = told.filter((entry) => !isOwn(entry));
  expect(entries.map(({ action }) => action).sort()).toEqual(actionsOf(expected));
  for (const { actor, via, requestId } of entries) {
    expect([actor.kind, actor.id, via]).toEqual(["person", by.userId, "dashboard"]);
    expect(requestId).toBe(response.headers.get("x-request-id"));
  }
});

it("knows every form", () => {
  const forms = routes.filter(([verb]) => verb === "POST").map(([, path]) => path);
  expect(Object.keys(cases).sort()).toEqual(forms.sort());
});

import { beforeEach, describe, expect, it } from "vitest";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import {
  MemberList,
  NewInvitation,
  OwnWorkspaceList,
} from "../../src/contract/resources/identity/members.ts";
import type { Role } from "../../src/contract/roles.ts";
import { Authenticator, passkeyRequestOf } from "../support/authenticator.ts";
import { Browser } from "../support/browser.ts";
import { fieldsOf, pageAt } from "../support/dashboard.ts";
import { FakeProvider } from "../support/provider.ts";
import { FakeClock, origin, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
let provider: FakeProvider;
let service: Service;
let owner: SessionClient;

beforeEach(async () => {
  provider = await FakeProvider.start(clock.now);
  const signInLimit: RateLimit = { limit: async () => ({ success: true }) };
  service = new Service({
    now: clock.now,
    fetch: provider.fetch,
    signInLimit,
    settings: { passkeys: true, signUp: "closed" },
  });
  owner = await service.session();
});

function browserOf(session: SessionClient): Browser {
  const browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  return browser;
}

const rolesIn = async () => {
  const { members } = await owner.expect(200, MemberList, "GET", "/developer/members");
  return members.map(({ name, role }) => [name, role]);
};

/** @returns the path of the link */
async function invite(role: Role, email?: string): Promise<string> {
  const body = { role, ...(email === undefined ? {} : { email }) };
  const { url } = await owner.expect(201, NewInvitation, "POST", "/developer/invitations", body);
  return url.slice(origin.length);
}

/** Signs a person of the provider in. @param path of the page that they come back to */
async function signIn(browser: Browser, path: string, user: { sub: string; name?: string; email?: string }) {
  const begun = await browser.open(`/dashboard/sign-in/provider?return=${path}`);
  const back = provider.agree(begun.headers.get("location") ?? "", user);
  return browser.open(back.pathname + back.search);
}

describe("inviting someone", () => {
  it("explains the roles that one may grant, and shows the link once", async () => {
    const browser = browserOf(await service.sessionIn(owner.workspaceId, "admin"));
    const form = await pageAt(browser, "/dashboard/settings/members/invite");
    expect(form).toContain("Sees codes, downloads their images and reads reports.");
    expect(form).toContain('value="admin"');
    expect(form).not.toContain('value="owner"');
    const fields = { ...fieldsOf(form), role: "viewer" };
    const created = await (await browser.submit("/dashboard/settings/members/invite", fields)).text();
    expect(created).toMatch(/value="[^"]*\/dashboard\/invitations\/[0-9a-f]{40}"/);
    const again = await browser.submit("/dashboard/settings/members/invite", fields);
    expect(again.status).toBe(409);
    const list = await pageAt(browser, "/dashboard/settings/members");
    expect(list).toContain("Anyone with the link");
    expect(list).not.toMatch(/\/dashboard\/invitations\/[0-9a-f]{40}/);
    const [, revoke = ""] = /action="([^"]*\/invitations\/[^"]*\/revoke)"/.exec(list) ?? [];
    expect((await browser.submit(revoke, {})).status).toBe(303);
    expect(await pageAt(browser, "/dashboard/settings/members")).not.toContain("Anyone with the link");
  });
});

describe("an invitation's link", () => {
  it("lets someone new join with a passkey while sign-up is closed, and a member continue", async () => {
    const path = await invite("viewer");
    const browser = new Browser(service);
    const page = await pageAt(browser, path);
    expect(page).toContain("<h1>Join Test</h1>");
    expect(page).toContain("<strong>viewer</strong>");
    expect((await browser.submit(path, { name: "", credential: "x", sealed: "" })).status).toBe(400);
    const request = passkeyRequestOf(await pageAt(browser, path));
    const credential = await new Authenticator(origin).create(request);
    const joined = await browser.submit(path, { name: "Grace", credential, sealed: request.sealed ?? "" });
    expect([joined.status, joined.headers.get("location")]).toEqual([303, `${origin}/dashboard`]);
    expect(await rolesIn()).toEqual([
      [null, "owner"],
      ["Grace", "viewer"],
    ]);
    expect((await browser.submit("/dashboard/folders", { name: "Menus" })).status).toBe(403);
    const used = await browser.open(path);
    expect([used.status, await used.text()]).toEqual([
      404,
      expect.stringContaining("This invitation no longer works"),
    ]);
  });

  it("lets someone new join by the provider, without a workspace of their own", async () => {
    const path = await invite("editor", "ada@harbour.example");
    const browser = new Browser(service);
    const page = await pageAt(browser, path);
    expect(page).not.toContain("data-passkey");
    expect(page).toContain(`/dashboard/sign-in?return=${path}`);
    const ada = { sub: crypto.randomUUID(), name: "Ada", email: "ada@harbour.example", email_verified: true };
    const back = await signIn(browser, path, ada);
    expect(back.headers.get("location")).toBe(origin + path);
    expect(await pageAt(browser, path)).toContain("You are signed in as Ada.");
    expect((await browser.submit(path, {})).headers.get("location")).toBe(`${origin}/dashboard`);
    const own = await browser.open("/api/v1/developer/workspaces");
    const { workspaces } = OwnWorkspaceList.parse(await own.json());
    expect(workspaces).toMatchObject([{ id: owner.workspaceId, role: "editor" }]);
  });

  it("isn't for an address that only another source than the one naming it has verified", async () => {
    const path = await invite("editor", "ada@harbour.example");
    const browser = new Browser(service);
    const eve = { sub: crypto.randomUUID(), name: "Eve", email: "ada@harbour.example" };
    provider.signing = { claims: { email: "eve@harbour.example", email_verified: true } };
    expect((await signIn(browser, path, eve)).status).toBe(302);
    provider.signing = {};
    expect((await browser.submit(path, {})).status).toBe(403);
  });

  it("for another address is refused with the reason, and leaves the person a choice", async () => {
    const path = await invite("editor", "ada@harbour.example");
    const browser = new Browser(service);
    const eve = { sub: crypto.randomUUID(), name: "Eve", email: "ada@harbour.example" };
    expect((await signIn(browser, path, eve)).status).toBe(302);
    const refused = await browser.submit(path, {});
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("This invitation is for ada@harbour.example.");
    const home = await browser.open("/dashboard");
    expect([home.status, await home.text()]).toEqual([403, expect.stringContaining("in a workspace</h1>")]);
    expect((await browser.submit("/dashboard/first-workspace", { name: "" })).status).toBe(400);
    expect((await browser.submit("/dashboard/first-workspace", { name: "Eve's" })).status).toBe(303);
    expect(await pageAt(browser, "/dashboard")).toContain("Eve&#39;s");
  });
});

describe("the members' page", () => {
  it("offers each role what it may do, and changes a role, removes a member and transfers the ownership", async () => {
    const editor = await service.sessionIn(owner.workspaceId, "editor");
    const path = `/dashboard/settings/members/${editor.userId}`;
    const menus = async (browser: Browser) =>
      [
        ...(await pageAt(browser, "/dashboard/settings/members")).matchAll(
          /settings\/members\/[^/"]+\/(\w+)"/g,
        ),
      ].map(([, action]) => action);
    expect(await menus(browserOf(editor))).toEqual([]);
    const browser = browserOf(owner);
    expect(await menus(browser)).toEqual(["role", "role", "transfer", "remove"]);
    expect((await browser.submit(`${path}/role`, { role: "viewer" })).status).toBe(303);
    expect((await browser.submit(`${path}/role`, { role: "emperor" })).status).toBe(400);
    expect((await browserOf(editor).open("/dashboard/codes/new")).status).toBe(403);
    const ownRole = `/dashboard/settings/members/${owner.userId}/role`;
    const refused = await browser.submit(ownRole, { role: "viewer" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("always has an owner"),
    ]);
    expect((await browser.submit(`${path}/transfer`, {})).status).toBe(303);
    expect((await rolesIn()).map(([, role]) => role).sort()).toEqual(["admin", "owner"]);
    expect((await browser.submit(`${path}/remove`, {})).status).toBe(403);
    const successor = browserOf(editor);
    expect((await successor.submit(`/dashboard/settings/members/${owner.userId}/remove`, {})).status).toBe(
      303,
    );
    expect((await browser.open("/dashboard/codes")).status).toBe(403);
  });

  it("lists the keys of a member whose role changes or who is removed", async () => {
    const admin = await service.sessionIn(owner.workspaceId, "admin");
    const key = { name: "Till", type: "secret", scopes: ["qr:write"] };
    const { id } = await admin.expect(201, NewApiKey, "POST", "/developer/keys", key);
    for (const action of ["role", "remove"]) {
      const page = await pageAt(browserOf(owner), `/dashboard/settings/members/${admin.userId}/${action}`);
      expect(page).toContain(`/dashboard/developer/keys/${id}/revoke`);
      expect(page).toContain("Edit codes");
      const own = await pageAt(browserOf(admin), `/dashboard/settings/members/${admin.userId}/role`);
      expect(own).toContain("Till");
    }
    const other = await service.sessionIn(owner.workspaceId, "viewer");
    const page = await pageAt(browserOf(owner), `/dashboard/settings/members/${other.userId}/remove`);
    expect(page).not.toContain("/developer/keys/");
  });

  it("lets one leave, except the only owner", async () => {
    const viewer = await service.sessionIn(owner.workspaceId, "viewer");
    const leave = "/dashboard/settings/members/leave";
    expect((await browserOf(owner).submit(leave, {})).status).toBe(400);
    expect((await browserOf(viewer).submit(leave, {})).status).toBe(303);
    expect((await browserOf(viewer).open("/dashboard")).status).toBe(403);
    expect(await rolesIn()).toHaveLength(1);
  });
});

describe("the switcher", () => {
  it("creates a workspace, switches to it and back", async () => {
    const browser = browserOf(owner);
    expect((await browser.submit("/dashboard/workspaces/new", { name: "" })).status).toBe(400);
    expect((await browser.submit("/dashboard/workspaces/new", { name: "Second" })).status).toBe(303);
    expect(await pageAt(browser, "/dashboard/settings")).toContain('value="Second"');
    const list = await pageAt(browser, "/dashboard/workspaces");
    expect(list).toContain('aria-label="Switch to Test"');
    const switched = await browser.submit("/dashboard/workspaces/switch", { workspace: owner.workspaceId });
    expect(switched.headers.get("location")).toBe(`${origin}/dashboard`);
    expect(await pageAt(browser, "/dashboard/settings")).toContain('value="Test"');
  });
});

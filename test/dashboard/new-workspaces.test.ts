import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { OwnWorkspaceList } from "../../src/contract/resources/identity/members.ts";
import { SignInLink } from "../../src/contract/resources/identity/sign-in.ts";
import { Browser } from "../support/browser.ts";
import { pageAt } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { origin, Service, type SessionClient } from "../support/service.ts";

const closed = { passkeys: true, signUp: "closed", defaultPlan: "business", ownersCreateWorkspaces: false };
const service = new Service({ settings: closed });
const letting = new Service({ settings: { ...closed, ownersCreateWorkspaces: true } });
const open = new Service({ settings: { ...closed, signUp: "open", defaultPlan: "" } });

let owner: SessionClient;
let viewer: SessionClient;
beforeEach(async () => {
  owner = await service.session();
  viewer = await service.sessionIn(owner.workspaceId, "viewer");
});

/** The same person, at another configuration of the service. */
const at = async (other: Service, { userId, workspaceId }: SessionClient) =>
  other.sessionOf(userId, workspaceId);

function browserOf({ cookie }: SessionClient, of: Service = service): Browser {
  const browser = new Browser(of);
  browser.cookies.set("session", cookie.replace("session=", ""));
  return browser;
}

const create = (person: SessionClient) => person.send("POST", "/developer/workspaces", { name: "Another" });
const ownedBy = async (person: SessionClient) =>
  (await person.expect(200, OwnWorkspaceList, "GET", "/developer/workspaces")).workspaces.filter(
    ({ role }) => role === "owner",
  ).length;

const link = async (of: Service = service): Promise<string> =>
  new URL(
    (await of.operator.expect(201, SignInLink, "POST", "/operator/sign-in-links", { kind: "owner" })).url,
  ).pathname;

it.each([
  ["while everyone may", open],
  ["while owners may", letting],
])("whoever owns a suspended workspace creates no other, %s", async (_, of) => {
  const person = await at(of, owner);
  expect((await create(person)).status).toBe(201);
  const path = `/operator/workspaces/${owner.workspaceId}/suspension`;
  await of.operator.send("PUT", path, { reason: "Phishing" });
  const { workspaces } = await person.expect(200, OwnWorkspaceList, "GET", "/developer/workspaces");
  const another = workspaces.find(({ id }) => id !== owner.workspaceId)?.id ?? "";
  const createFrom = () =>
    person.send("POST", "/developer/workspaces", { name: "Third" }, { "x-workspace": another });
  expect(await expectError(await createFrom(), 403, "forbidden")).toContain("suspended");
  expect(await ownedBy(person)).toBe(2);
  await of.operator.send("DELETE", path);
  expect((await createFrom()).status).toBe(201);
});

describe("while sign-up is closed", () => {
  it("nobody creates a workspace without a link, and the refusal and the pages say what to do", async () => {
    for (const person of [owner, viewer]) {
      const before = await ownedBy(person);
      for (let i = 0; i < 11; i += 1) {
        expect(await expectError(await create(person), 403, "forbidden")).toContain("one-time link");
      }
      const browser = browserOf(person);
      const page = await pageAt(browser, "/dashboard/workspaces/new");
      expect(page).toContain("Ask the operator of this service for a one-time link");
      expect(page).not.toContain('name="name"');
      expect((await browser.submit("/dashboard/workspaces/new", { name: "Another" })).status).toBe(403);
      expect(await ownedBy(person)).toBe(before);
    }
  });

  it("someone without a workspace any more, who joined with a passkey, creates none either", async () => {
    await env.DB.prepare("UPDATE users SET issuer = 'passkey' WHERE id = ?").bind(viewer.userId).run();
    expect((await viewer.send("POST", "/developer/workspace/leave")).status).toBe(200);
    const browser = browserOf(viewer);
    const page = await pageAt(browser, "/dashboard", 403);
    expect(page).toContain("Ask a colleague for an invitation. Ask the operator of this service");
    expect(page).not.toContain("first-workspace");
    expect((await browser.submit("/dashboard/first-workspace", { name: "Mine" })).status).toBe(403);
  });

  it("someone of the provider without a workspace creates one, as signing in would, and no other", async () => {
    expect((await viewer.send("POST", "/developer/workspace/leave")).status).toBe(200);
    const browser = browserOf(viewer);
    expect(await pageAt(browser, "/dashboard", 403)).toContain("first-workspace");
    expect((await browser.submit("/dashboard/first-workspace", { name: "Mine" })).status).toBe(303);
    expect((await browser.submit("/dashboard/workspaces/new", { name: "Another" })).status).toBe(403);
  });

  it("a viewer who is signed in creates one workspace by the operator's link", async () => {
    const path = await link();
    const browser = browserOf(viewer);
    expect(await pageAt(browser, path)).toContain("and will own it");
    expect((await browser.submit(path, { name: "" })).status).toBe(400);
    const created = await browser.submit(path, { name: "By link" });
    expect([created.status, created.headers.get("location")]).toEqual([303, `${origin}/dashboard`]);
    expect(await pageAt(browser, "/dashboard/settings")).toContain('value="By link"');
    expect((await browser.open(path)).status).toBe(404);
    expect((await browserOf(owner).submit(path, { name: "Again" })).status).toBe(404);
    expect(await ownedBy(viewer)).toBe(1);
    expect((await create(viewer)).status).toBe(403);
  });

  it("a link used twice at once creates one workspace", async () => {
    const path = await link();
    const answers = await Promise.all(
      [owner, viewer].map((person) => browserOf(person).submit(path, { name: "Once" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404]);
  });

  it("a link also lets someone else join in a browser that is signed in, and leads to signing in", async () => {
    const path = await link();
    const page = await pageAt(browserOf(viewer), path);
    expect(page).toContain(`href="${path}?new"`);
    expect(await pageAt(browserOf(viewer), `${path}?new`)).toContain("data-passkey");
    const signIn = `/dashboard/sign-in?return=${encodeURIComponent(path)}`;
    expect(await pageAt(new Browser(service), path)).toContain(`href="${signIn}"`);
    const byProvider = new Service({ settings: { ...closed, passkeys: false } });
    const unknown = await pageAt(new Browser(byProvider), await link(byProvider));
    expect(unknown).toContain("Sign in first.");
    expect(unknown).not.toContain("data-passkey");
  });

  it("owners create others where the operator lets them, and viewers don't", async () => {
    expect((await create(await at(letting, owner))).status).toBe(201);
    const refused = await create(await at(letting, viewer));
    expect(await expectError(refused, 403, "forbidden")).toContain(
      "Only owners of a workspace can create others.",
    );
    await env.DB.prepare(
      "UPDATE workspaces SET suspended = '{}' WHERE id IN (SELECT workspace_id FROM members WHERE user_id = ?)",
    )
      .bind(owner.userId)
      .run();
    expect((await create(await at(letting, owner))).status).toBe(403);
  });
});

it("while sign-up is open, everyone creates workspaces", async () => {
  expect((await create(await at(open, viewer))).status).toBe(201);
});

import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import {
  InvitationList,
  MemberList,
  NewInvitation,
  OpenInvitation,
  OwnWorkspace,
  OwnWorkspaceList,
  WorkspaceMember,
} from "../../src/contract/resources/identity/members.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import type { Role } from "../../src/contract/roles.ts";
import type { Member } from "../../src/domain/context/context.ts";
import { createInvitation } from "../../src/domain/identity/invitations.ts";
import { serviceActor } from "../../src/protocol/history.ts";
import { expectError } from "../support/endpoints.ts";
import { FakeProvider } from "../support/provider.ts";
import { FakeClock, origin, Service, type SessionClient } from "../support/service.ts";

const day = 24 * 60 * 60_000;
const clock = new FakeClock();
const service = new Service({ now: clock.now });
let owner: SessionClient;

beforeEach(async () => {
  owner = await service.session("pro");
});

const workspaceOf = async (client: SessionClient, headers: Record<string, string> = {}) =>
  (await client.expect(200, Workspace, "GET", "/developer/workspace", undefined, headers)).id;
const invite = (by: SessionClient, body: object) =>
  by.expect(201, NewInvitation, "POST", "/developer/invitations", body);
const tokenOf = ({ url }: { url: string }) => url.split("/").at(-1) ?? "";
const accept = (client: SessionClient, invitation: { url: string }) =>
  client.send("POST", `/developer/join/${tokenOf(invitation)}`);
const rolesIn = async (client: SessionClient) => {
  const { members } = await client.expect(200, MemberList, "GET", "/developer/members");
  return new Map(members.map(({ id, role }) => [id, role]));
};
const setRole = (by: SessionClient, { userId }: { userId: string }, role: Role) =>
  by.send("PATCH", `/developer/members/${userId}`, { role });

describe("several workspaces of a person", () => {
  const create = (client: SessionClient, name: string) =>
    client.expect(201, OwnWorkspace, "POST", "/developer/workspaces", { name });

  it("are listed with the role in each; a call acts for the one that was joined first until one switches", async () => {
    const elsewhere = await owner.again();
    const { id, ...created } = await create(owner, "Zebra");
    expect(created).toEqual({ name: "Zebra", logoId: null, plan: "free", role: "owner", current: false });
    expect(await workspaceOf(owner)).toBe(owner.workspaceId);
    const { workspaces } = await owner.expect(200, OwnWorkspaceList, "GET", "/developer/workspaces");
    expect(workspaces.map(({ name, plan, current }) => ({ name, plan, current }))).toEqual([
      { name: "Test", plan: "pro", current: true },
      { name: "Zebra", plan: "free", current: false },
    ]);
    const switchTo = (client: SessionClient, workspace: string) =>
      service.fetch("/dashboard/workspaces/switch", {
        method: "POST",
        headers: { cookie: client.cookie, origin, "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ workspace }),
      });
    expect((await switchTo(owner, id)).status).toBe(303);
    expect(await workspaceOf(owner)).toBe(id);
    expect(await workspaceOf(await owner.again())).toBe(id);
    clock.advance(1);
    expect((await switchTo(elsewhere, owner.workspaceId)).status).toBe(303);
    expect([await workspaceOf(elsewhere), await workspaceOf(owner)]).toEqual([owner.workspaceId, id]);
    expect((await switchTo(owner, (await service.session()).workspaceId)).status).toBe(404);
    expect(await workspaceOf(owner)).toBe(id);
  });

  it("are named by X-Workspace; one that isn't the person's is refused like one that doesn't exist", async () => {
    const { id } = await create(owner, "Second");
    expect(await workspaceOf(owner, { "x-workspace": id.toUpperCase() })).toBe(id);
    expect(await workspaceOf(owner)).toBe(owner.workspaceId);
    const { workspaceId: foreign } = await service.session();
    const errors = new Set<string>();
    for (const other of [foreign, crypto.randomUUID(), "x", "' OR 1=1"]) {
      const answer = await owner.send("GET", "/developer/workspace", undefined, { "x-workspace": other });
      errors.add(await expectError(answer, 403, "forbidden"));
    }
    expect([...errors]).toEqual([
      expect.stringContaining("X-Workspace isn't the id of one of your workspaces."),
    ]);
  });

  it("have a count of requests each", async () => {
    const { id } = await create(owner, "Second");
    const remaining = async (workspaceId: string) =>
      Number(
        (
          await owner.send("GET", "/developer/workspaces", undefined, { "x-workspace": workspaceId })
        ).headers.get("x-ratelimit-remaining"),
      );
    const before = await remaining(id);
    await remaining(owner.workspaceId);
    expect(await remaining(id)).toBe(before - 1);
  });

  it("are limited, also for simultaneous requests", async () => {
    const { owned } = limits.workspaces;
    const answers = await Promise.all(
      Array.from({ length: owned }, (_, i) =>
        owner.send("POST", "/developer/workspaces", { name: `No ${i}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(owned - 1);
    const refused = await owner.send("POST", "/developer/workspaces", { name: "One more" });
    expect(await expectError(refused, 400, "invalid_input")).toContain("at most 10 workspaces");
  });
});

describe("an invitation", () => {
  it("shows what one joins, makes its user a member with its role, and works once", async () => {
    const invitation = await invite(owner, { role: "editor" });
    expect(invitation.url).toMatch(/\/dashboard\/invitations\/[0-9a-f]{40}$/);
    const stored = await env.DB.prepare("SELECT * FROM invitations WHERE id = ?").bind(invitation.id).first();
    expect(JSON.stringify(stored)).not.toContain(tokenOf(invitation));

    const guest = await service.session("free");
    const path = `/developer/join/${tokenOf(invitation)}`;
    const shown = await guest.expect(200, OpenInvitation.strict(), "GET", path);
    expect(shown).toMatchObject({ workspaceName: "Test", role: "editor", email: null });
    const joined = await guest.expect(200, OwnWorkspace, "POST", path);
    expect(joined).toMatchObject({ id: owner.workspaceId, role: "editor", plan: "pro" });
    expect(await workspaceOf(guest, { "x-workspace": owner.workspaceId })).toBe(owner.workspaceId);
    expect(await rolesIn(owner)).toEqual(
      new Map([
        [owner.userId, "owner"],
        [guest.userId, "editor"],
      ]),
    );
    await expectError(await accept(await service.session(), invitation), 404, "not_found");
  });

  it("is used by one of two who accept it at once", async () => {
    const invitation = await invite(owner, { role: "viewer" });
    const guests = await Promise.all([service.session(), service.session()]);
    const answers = await Promise.all(guests.map((guest) => accept(guest, invitation)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await rolesIn(owner)).size).toBe(2);
  });

  it("is listed until it is used, revoked or seven days old, without its link", async () => {
    const list = async () =>
      (await owner.expect(200, InvitationList, "GET", "/developer/invitations")).invitations;
    const first = await invite(owner, { role: "viewer" });
    clock.advance(1);
    const second = await invite(owner, { role: "admin" });
    const listed = await list();
    expect(listed.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(JSON.stringify(listed)).not.toContain(tokenOf(first));
    expect((await owner.send("DELETE", `/developer/invitations/${second.id}`)).status).toBe(200);
    const guest = await service.session();
    await expectError(await accept(guest, second), 404, "not_found");
    clock.advance(7 * day);
    const again = await service.sessionOf(owner.userId, owner.workspaceId);
    expect((await again.expect(200, InvitationList, "GET", "/developer/invitations")).invitations).toEqual(
      [],
    );
    await expectError(await accept(await service.session(), first), 404, "not_found");
  });

  it("for an address is only for a person whose identity provider has verified it", async () => {
    const provider = await FakeProvider.start(clock.now);
    const withProvider = new Service({ now: clock.now, fetch: provider.fetch });
    const invitation = await invite(owner, { role: "viewer", email: "Ada@Harbour.example" });
    const acceptAs = async (user: object) => {
      const token = await provider.token({ sub: crypto.randomUUID(), ...user });
      return withProvider.fetch(`/api/v1/developer/join/${tokenOf(invitation)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
    };
    for (const other of [
      {},
      { email: "ada@harbour.example" },
      { email: "ada@harbour.example", email_verified: false },
      { email: "ada@harbour.example", email_verified: "true" },
      { email: "eve@harbour.example", email_verified: true },
    ]) {
      const error = await expectError(await acceptAs(other), 403, "forbidden");
      expect(error).toContain("ada@harbour.example");
    }
    expect((await acceptAs({ email: "ADA@harbour.example", email_verified: true })).status).toBe(200);
    expect((await rolesIn(owner)).size).toBe(2);
  });

  it("gives a newcomer its workspace alone, in which they act by default", async () => {
    const provider = await FakeProvider.start(clock.now);
    const withProvider = new Service({ now: clock.now, fetch: provider.fetch });
    const path = `/developer/join/${tokenOf(await invite(owner, { role: "editor" }))}`;
    const token = await provider.token({ sub: crypto.randomUUID(), name: "Ada" });
    const send = (method: string, at: string) =>
      withProvider.fetch(`/api/v1${at}`, { method, headers: { authorization: `Bearer ${token}` } });
    expect((await send("GET", path)).status).toBe(200);
    const joined = await send("POST", path);
    expect([joined.status, await joined.json()]).toMatchObject([
      200,
      { id: owner.workspaceId, role: "editor", current: true },
    ]);
    const { workspaces } = (await (await send("GET", "/developer/workspaces")).json()) as {
      workspaces: unknown[];
    };
    expect(workspaces).toMatchObject([{ id: owner.workspaceId, current: true }]);
    expect(await (await send("GET", "/developer/workspace")).json()).toMatchObject({ id: owner.workspaceId });
  });

  it("lets a person without a workspace join, within their own limit of requests", async () => {
    const guest = await service.session();
    await env.DB.prepare("DELETE FROM members WHERE user_id = ?").bind(guest.userId).run();
    expect((await guest.send("GET", "/developer/workspace")).status).toBe(401);
    const invitation = await invite(owner, { role: "viewer" });
    const answer = await accept(guest, invitation);
    expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toEqual([200, "30"]);
    expect((await rolesIn(owner)).get(guest.userId)).toBe("viewer");
  });

  it("is made only by someone who still has the role for it", async () => {
    const admin = await service.sessionIn(owner.workspaceId, "admin");
    const context: Member = {
      ...{ workspaceId: owner.workspaceId, userId: admin.userId, role: "owner", plan: "pro" },
      ...{ actor: serviceActor, sessionId: null, authenticatedAt: clock.now(), deletion: null },
    };
    await expect(createInvitation(service.deps, context, { role: "owner" })).rejects.toThrow(
      /admin, doesn't/,
    );
    await setRole(owner, admin, "editor");
    await expect(createInvitation(service.deps, context, { role: "viewer" })).rejects.toThrow(/^Editors can/);
    expect((await owner.expect(200, InvitationList, "GET", "/developer/invitations")).invitations).toEqual(
      [],
    );
  });

  it("isn't used up by someone who is a member already, and never grants more than its sender has", async () => {
    const admin = await service.sessionIn(owner.workspaceId, "admin");
    const invitation = await invite(admin, { role: "admin" });
    const refused = await accept(owner, invitation);
    expect(await expectError(refused, 400, "invalid_input")).toBe("You are already a member of Test.");
    const tooHigh = await admin.send("POST", "/developer/invitations", { role: "owner" });
    expect(await expectError(tooHigh, 403, "forbidden")).toContain("higher");
    expect((await accept(await service.session(), invitation)).status).toBe(200);
  });

  it("ends when its sender is removed, leaves, or gets a role that doesn't allow it", async () => {
    const admins = await Promise.all([1, 2, 3].map(() => service.sessionIn(owner.workspaceId, "admin")));
    const [removed, left, lowered] = admins as [SessionClient, SessionClient, SessionClient];
    const invitations = await Promise.all(admins.map((admin) => invite(admin, { role: "admin" })));
    expect((await owner.send("DELETE", `/developer/members/${removed.userId}`)).status).toBe(200);
    expect((await left.send("POST", "/developer/workspace/leave")).status).toBe(200);
    expect((await setRole(owner, lowered, "editor")).status).toBe(200);
    const guest = await service.session();
    for (const invitation of invitations) expect((await accept(guest, invitation)).status).toBe(404);
  });

  it("is refused beyond 50", async () => {
    await env.DB.prepare(
      `INSERT INTO invitations (id, workspace_id, digest, role, invited_by, created_at, expires_at)
       SELECT value || ?1, ?1, value || ?1, 'viewer', '', 0, ?2 FROM json_each(?3)`,
    )
      .bind(owner.workspaceId, clock.now() + day, JSON.stringify([...Array(limits.invitations).keys()]))
      .run();
    const refused = await owner.send("POST", "/developer/invitations", { role: "viewer" });
    expect(await expectError(refused, 400, "invalid_input")).toContain("at most 50 invitations");
  });
});

describe("a member", () => {
  let admin: SessionClient;
  let editor: SessionClient;
  beforeEach(async () => {
    admin = await service.sessionIn(owner.workspaceId, "admin");
    editor = await service.sessionIn(owner.workspaceId, "editor");
  });

  it("gets a role from who has at least as much, and nobody changes someone above", async () => {
    const changed = await admin.expect(200, WorkspaceMember, "PATCH", `/developer/members/${editor.userId}`, {
      role: "admin",
    });
    expect(changed).toMatchObject({ id: editor.userId, role: "admin", current: false });
    for (const refused of [
      await setRole(admin, editor, "owner"),
      await setRole(admin, admin, "owner"),
      await setRole(admin, owner, "viewer"),
      await admin.send("DELETE", `/developer/members/${owner.userId}`),
    ]) {
      await expectError(refused, 403, "forbidden");
    }
    expect((await setRole(owner, editor, "owner")).status).toBe(200);
    expect([...(await rolesIn(owner)).values()].sort()).toEqual(["admin", "owner", "owner"]);
  });

  it("who is removed is refused at the next request, whatever they hold", async () => {
    const open = new Service({ now: clock.now, settings: { signUp: "open" } });
    const joining = await open.sessionOf(editor.userId, editor.workspaceId);
    const elsewhere = await joining.expect(201, OwnWorkspace, "POST", "/developer/workspaces", {
      name: "Own",
    });
    const header = { "x-workspace": owner.workspaceId };
    expect(await workspaceOf(editor, header)).toBe(owner.workspaceId);
    expect((await admin.send("DELETE", `/developer/members/${editor.userId}`)).status).toBe(200);
    const named = await editor.send("GET", "/developer/workspace", undefined, header);
    await expectError(named, 403, "forbidden");
    expect(await workspaceOf(editor)).toBe(elsewhere.id);

    expect((await owner.send("DELETE", `/developer/members/${admin.userId}`)).status).toBe(200);
    await expectError(await admin.send("GET", "/developer/workspace"), 401, "unauthorized");
    await expectError(await owner.send("DELETE", `/developer/members/${admin.userId}`), 404, "not_found");
  });

  it("who is removed gets no workspace by a token that they still hold", async () => {
    const provider = await FakeProvider.start(clock.now);
    const withProvider = new Service({ now: clock.now, fetch: provider.fetch });
    const token = await provider.token({ sub: `subject of ${editor.userId}` });
    const call = () =>
      withProvider.fetch("/api/v1/developer/workspace", { headers: { authorization: `Bearer ${token}` } });
    expect((await call()).status).toBe(200);
    await owner.send("DELETE", `/developer/members/${editor.userId}`);
    await expectError(await call(), 401, "unauthorized");
  });

  it("can leave, but a workspace always has an owner", async () => {
    expect((await editor.send("POST", "/developer/workspace/leave")).status).toBe(200);
    await expectError(await editor.send("GET", "/developer/workspace"), 401, "unauthorized");
    for (const refused of [
      await owner.send("POST", "/developer/workspace/leave"),
      await owner.send("DELETE", `/developer/members/${owner.userId}`),
      await setRole(owner, owner, "admin"),
    ]) {
      expect(await expectError(refused, 400, "invalid_input")).toContain("always has an owner");
    }
    const second = await service.sessionIn(owner.workspaceId, "owner");
    const both = await Promise.all([
      setRole(owner, second, "viewer"),
      setRole(second, owner, "viewer"),
      owner.send("POST", "/developer/workspace/leave"),
      second.send("POST", "/developer/workspace/leave"),
    ]);
    for (const answer of both) await answer.body?.cancel();
    const owners = await env.DB.prepare(
      "SELECT count(*) AS n FROM members WHERE workspace_id = ? AND role = 'owner'",
    )
      .bind(owner.workspaceId)
      .first<number>("n");
    expect(owners).toBe(1);
  });

  it("becomes owner by a transfer, and the owner admin", async () => {
    const transfer = (memberId: string, by = owner) =>
      by.send("POST", `/developer/members/${memberId}/transfer`);
    await expectError(await transfer(editor.userId, admin), 403, "forbidden");
    await expectError(await transfer((await service.session()).userId), 404, "not_found");
    await expectError(await transfer(owner.userId), 400, "invalid_input");
    expect((await transfer(editor.userId)).status).toBe(200);
    expect(await rolesIn(editor)).toEqual(
      new Map([
        [owner.userId, "admin"],
        [admin.userId, "admin"],
        [editor.userId, "owner"],
      ]),
    );
    await expectError(await transfer(admin.userId), 403, "forbidden");
  });
});

describe("a person who owns ten workspaces", () => {
  let full: SessionClient;
  beforeEach(async () => {
    full = await service.session();
    const ids = JSON.stringify(
      Array.from({ length: limits.workspaces.owned - 1 }, () => crypto.randomUUID()),
    );
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO workspaces (id, name, plan, created_at) SELECT value, 'Another', 'free', 0 FROM json_each(?)",
      ).bind(ids),
      env.DB.prepare(
        `INSERT INTO members (user_id, workspace_id, created_at, role)
         SELECT ?1, value, 9e15, 'owner' FROM json_each(?2)`,
      ).bind(full.userId, ids),
    ]);
  });

  it("can't get another one, whoever gives it to them, but be anything else in it", async () => {
    const own = await full.send("POST", "/developer/workspaces", { name: "More" });
    expect(await expectError(own, 400, "invalid_input")).toContain("own at most 10 workspaces");
    const invited = await accept(full, await invite(owner, { role: "owner" }));
    expect(await expectError(invited, 400, "invalid_input")).toContain("own at most 10 workspaces");
    expect((await accept(full, await invite(owner, { role: "admin" }))).status).toBe(200);
    const transfer = () => owner.send("POST", `/developer/members/${full.userId}/transfer`);
    for (const refused of [await setRole(owner, full, "owner"), await transfer()]) {
      expect(await expectError(refused, 400, "invalid_input")).toContain("owns 10 workspaces already");
    }
    expect((await rolesIn(owner)).get(full.userId)).toBe("admin");
    expect((await rolesIn(owner)).get(owner.userId)).toBe("owner");

    await env.DB.prepare("UPDATE members SET role = 'admin' WHERE user_id = ? AND workspace_id = ?")
      .bind(full.userId, full.workspaceId)
      .run();
    expect((await transfer()).status).toBe(200);
  });

  it("takes over a workspace that they own already", async () => {
    const both = await service.sessionIn(full.workspaceId);
    const path = `/developer/members/${full.userId}/transfer`;
    expect((await both.send("POST", path)).status).toBe(200);
    expect((await rolesIn(full)).get(both.userId)).toBe("admin");
    const { items } = await full.expect(200, HistoryList, "GET", "/developer/history?kind=member");
    expect(items.map(({ object, changes }) => [object.id, changes.role])).toEqual([
      [both.userId, { before: "owner", after: "admin" }],
    ]);
  });
});

it("the history has invitations, and members who join, get a role and are removed, each once", async () => {
  const revoked = await invite(owner, { role: "viewer", email: "eve@harbour.example" });
  await owner.send("DELETE", `/developer/invitations/${revoked.id}`);
  clock.advance(1);
  const guest = await service.session();
  await accept(guest, await invite(owner, { role: "viewer" }));
  clock.advance(1);
  await setRole(owner, guest, "editor");
  await setRole(owner, guest, "editor");
  await setRole(owner, owner, "viewer");
  clock.advance(1);
  await owner.send("DELETE", `/developer/members/${guest.userId}`);
  const { items } = await owner.expect(200, HistoryList, "GET", "/developer/history");
  expect(items.map(({ action, changes }) => [action, changes.role]).reverse()).toEqual(
    expect.arrayContaining([
      ["invitation.created", { before: null, after: "viewer" }],
      ["invitation.revoked", { before: "viewer", after: null }],
      ["member.joined", { before: null, after: "viewer" }],
      ["member.role_changed", { before: "viewer", after: "editor" }],
      ["member.removed", { before: "editor", after: null }],
    ]),
  );
  expect(items).toHaveLength(6);
});

import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { Answer } from "../../src/mcp/tools/changes.ts";
import { Agent } from "../support/agents.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let me: SignedInBrowser;
let session: SessionClient;
let agent: Agent;
let qr: Qr;

beforeEach(async () => {
  me = await signedIn(service);
  const { workspaceId } = me.client;
  session = await service.sessionIn(workspaceId);
  const input = { name: "Menu agent", type: "secret", scopes: ["qr:write"], personConfirms: true };
  const { id, key } = await session.expect(201, NewApiKey, "POST", "/developer/keys", input);
  agent = await Agent.connect(new Client(service, workspaceId, id, key));
  qr = await me.client.createQr({ name: "Lunch" });
});

/** Proposes a change of the code. @returns the path of its page */
async function propose(name: string): Promise<{ readonly path: string; readonly id: string }> {
  const input = { ids: [qr.id], change: { addTags: [name] } };
  const { confirmAt, proposalId } = await agent.ask(Answer, "change_codes", input);
  return { path: new URL(confirmAt ?? "").pathname, id: proposalId ?? "" };
}

const list = () => pageAt(me.browser, "/dashboard/waiting");
/** The number beside the link to the list; undefined without one. */
const counted = (page: string) =>
  /<a href="\/dashboard\/waiting"[^>]*>(?:(?!<\/a>).)*<span class="count due">([^<]*)</s.exec(page)?.[1];
const code = () => pageAt(me.browser, `/dashboard/codes/${qr.id}`);
const decline = (path: string) => me.browser.submit(`${path}/decline`, { workspace: me.client.workspaceId });

describe("changes that wait for confirmation", () => {
  it("are listed, newest first, counted on every page, and marked at their code", async () => {
    expect(await list()).toContain("Nothing waits for you");
    expect(counted(await pageAt(me.browser, "/dashboard/tags"))).toBeUndefined();
    const other = await me.client.createQr();
    const first = await propose("one");
    clock.advance(60_000);
    const second = await propose("two");
    const page = await list();
    const places = [second, first].map(({ path }) => page.indexOf(`href="${path}"`));
    expect(places[0]).toBeGreaterThan(0);
    expect(places[1]).toBeGreaterThan(places[0] ?? 0);
    for (const text of ["Sets the tags of 1 code.", "Menu agent (Desk Helper)", "minute"]) {
      expect(page).toContain(text);
    }
    expect(counted(page)).toBe("2");
    expect(counted(await pageAt(me.browser, "/dashboard/tags"))).toBe("2");
    expect(await code()).toContain(`href="${first.path}"`);
    expect(await pageAt(me.browser, `/dashboard/codes/${other.id}`)).not.toContain(`href="${first.path}"`);
    clock.advance(24 * 60 * 60_000);
    session = await service.sessionIn(me.client.workspaceId);
    me.browser.cookies.set("session", session.cookie.replace("session=", ""));
    expect(counted(await list())).toBeUndefined();
    expect(await code()).not.toContain(first.path);
  });

  it("are gone once they are declined, which the agent sees", async () => {
    const { path, id } = await propose("one");
    expect(await pageAt(me.browser, path)).toContain(`formaction="${path}/decline"`);
    const answer = await decline(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/\/dashboard\/waiting$/),
    ]);
    const page = await list();
    expect(page).toContain("Change declined. Nothing was changed.");
    expect(page).toContain("Nothing waits for you");
    expect(await pageAt(me.browser, path)).toContain("declined this change on");
    expect(await code()).not.toContain(path);
    expect(await agent.ask(z.any(), "job", { id })).toMatchObject({
      proposal: { status: "declined", usedBy: expect.any(String) },
    });
    for (const again of [
      await decline(path),
      await me.browser.submit(path, { workspace: me.client.workspaceId }),
    ]) {
      expect([again.status, await again.text()]).toEqual([409, expect.stringContaining("was declined at")]);
    }
    expect((await me.client.send("GET", `/qr/${qr.id}`)).status).toBe(200);
  });

  it("are shown only to those in their workspace who may change codes", async () => {
    const { path } = await propose("one");
    const viewer = await service.sessionIn(me.client.workspaceId, "viewer");
    const open = (address: string, method = "GET") =>
      service.fetch(address, {
        method,
        headers: { cookie: viewer.cookie, origin: service.deps.settings.appOrigin },
        ...(method === "POST" && { body: new URLSearchParams({ workspace: me.client.workspaceId }) }),
      });
    expect(await (await open("/dashboard/waiting")).text()).not.toContain(path);
    expect((await open(path)).status).toBe(403);
    expect((await open(`${path}/decline`, "POST")).status).toBe(403);
    expect(counted(await (await open("/dashboard/tags")).text())).toBeUndefined();
    const stranger = await signedIn(service);
    expect(await pageAt(stranger.browser, "/dashboard/waiting")).toContain("Nothing waits for you");
    expect((await stranger.browser.submit(`${path}/decline`, {})).status).toBe(404);
  });
});

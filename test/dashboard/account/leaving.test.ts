import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";

const day = 86_400_000;
const settings = "/dashboard/settings";
let clock: FakeClock;
let service: Service;
let me: SignedInBrowser;
let code: Qr;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2026, 5, 1));
  service = new Service({ now: clock.now });
  me = await signedIn(service);
  code = await me.client.createQr({ name: "Menu" });
});

const submit = (path: string, fields: Record<string, string>) => me.browser.submit(path, fields);

/** Fills in and sends the form to delete the workspace. */
async function remove(fields: Record<string, string> = {}): Promise<Response> {
  const form = fieldsOf(await pageAt(me.browser, `${settings}/delete`));
  return submit(`${settings}/delete`, { ...form, name: "Test", ...fields });
}

/** Gives the person another role, or signs them in again, as sessions end after twelve hours. */
const becomes = (role: string) =>
  env.DB.prepare("UPDATE members SET role = ? WHERE workspace_id = ?")
    .bind(role, me.client.workspaceId)
    .run();

async function signInAgain(): Promise<void> {
  const session = await service.sessionIn(me.client.workspaceId);
  me.browser.cookies.set("session", session.cookie.replace("session=", ""));
}

describe("deleting the workspace in the dashboard", () => {
  it("offers every export, says what happens to printed codes, and keeps what was entered if refused", async () => {
    const page = await pageAt(me.browser, `${settings}/delete`);
    const files = [
      "codes/export.csv",
      "codes/export.ndjson",
      "scans.csv",
      "report.csv",
      "history/export.ndjson",
    ];
    for (const path of files) {
      expect(page).toContain(`href="/dashboard/${path}"`);
      expect((await me.browser.open(`/dashboard/${path}`)).status).toBe(200);
    }
    expect(page).toContain("1 code, its scans");
    const refused = await remove({ name: "Tset", codes: "freeze" });
    expect(refused.status).toBe(400);
    const again = await refused.text();
    expect(again).toContain('value="Tset"');
    expect(again).toMatch(/value="freeze" checked/);
    expect((await service.scan(code.hash)).status).toBe(302);
  });

  it("leads everywhere to the page that says how far it is, where an owner cancels it", async () => {
    const answer = await remove();
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}${settings}/deletion`]);
    for (const path of [
      "/dashboard",
      "/dashboard/codes",
      `/dashboard/codes/${code.id}`,
      "/dashboard/developer",
    ]) {
      expect([path, await me.browser.follow(path)]).toEqual([path, `${origin}${settings}/deletion`]);
    }
    expect((await submit(`/dashboard/codes/${code.id}/pause`, {})).status).toBe(403);
    const page = await pageAt(me.browser, `${settings}/deletion`);
    expect(page).toContain("Test is being deleted");
    expect(page).toContain("8 Jun 2026");
    expect((await service.scan(code.hash)).status).toBe(404);

    await becomes("admin");
    expect(await pageAt(me.browser, `${settings}/deletion`)).not.toContain("Cancel deletion");
    expect((await submit(`${settings}/deletion/cancel`, {})).status).toBe(403);
    await becomes("owner");
    expect(await pageAt(me.browser, `${settings}/deletion`)).toContain("Cancel deletion");
    expect((await submit(`${settings}/deletion/cancel`, {})).status).toBe(303);
    expect(await pageAt(me.browser, settings)).toContain("Deletion cancelled.");
    expect((await service.scan(code.hash)).status).toBe(302);
    expect(await pageAt(me.browser, "/dashboard/codes")).toContain("Menu");
  });

  it("shows the steps of the erasure, which can't be cancelled", async () => {
    await remove();
    clock.advance(7 * day);
    await signInAgain();
    await env.DB.prepare("UPDATE workspaces SET deletion = json_set(deletion, '$.step', 'files')").run();
    const page = await pageAt(me.browser, `${settings}/deletion`);
    expect(page).toMatch(/aria-current="step">.*Logos and archived scans/s);
    expect(page).not.toContain("Cancel deletion");
    await sweep(service.deps);
    expect((await me.browser.open("/dashboard")).status).toBe(403);
  });

  it("is offered to owners only", async () => {
    expect(await pageAt(me.browser, settings)).toContain(`href="${settings}/delete"`);
    await becomes("admin");
    expect(await pageAt(me.browser, settings)).not.toContain(`href="${settings}/delete"`);
    expect((await me.browser.open(`${settings}/delete`)).status).toBe(403);
    expect((await submit(`${settings}/delete`, { name: "Test", codes: "stop" })).status).toBe(403);
    expect((await service.scan(code.hash)).status).toBe(302);
  });
});

describe("deleting one's account in the dashboard", () => {
  const path = `${settings}/account/delete`;

  it("names the workspaces that go with it, and ends on the page for people who are signed out", async () => {
    await env.DB.prepare("UPDATE users SET email = 'ada@example.com'").run();
    const page = await pageAt(me.browser, path);
    expect(page).toContain("because you are the only member: Test");
    const form = fieldsOf(page);
    const refused = await submit(path, { ...form, email: "eve@example.com" });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('value="eve@example.com"'),
    ]);
    const answer = await submit(path, { ...form, email: "ada@example.com", codes: "freeze" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `${origin}/dashboard/signed-out`]);
    expect((await me.browser.open("/dashboard")).headers.get("location")).toContain("/sign-in");
    expect((await service.scan(code.hash)).status).toBe(302);
  });

  it("says why it isn't possible for the last owner", async () => {
    await service.sessionIn(me.client.workspaceId);
    await env.DB.prepare(
      "UPDATE members SET role = 'viewer' WHERE user_id = (SELECT max(user_id) FROM members WHERE workspace_id = ?1)",
    )
      .bind(me.client.workspaceId)
      .run();
    const page = await pageAt(me.browser, path);
    expect(page).toContain("You are the only owner of Test");
    expect(page).not.toContain("Delete account</button>");
  });
});

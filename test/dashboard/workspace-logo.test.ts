import { beforeEach, expect, it } from "vitest";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import {
  NewInvitation,
  OwnWorkspace,
  OwnWorkspaceList,
} from "../../src/contract/resources/identity/members.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { BrandLogo } from "../../src/contract/resources/images/brand.ts";
import { Browser } from "../support/browser.ts";
import { pageAt } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { dataUri, svg } from "../support/images/logos.ts";
import { origin, Service, type SessionClient } from "../support/service.ts";

/** The logo beside the name of a workspace, which is one of its brand. */

const service = new Service({ signInLimit: { limit: async () => ({ success: true }) } });
const path = "/dashboard/settings";
let owner: SessionClient;
let browser: Browser;
let logo: BrandLogo;

const browserOf = (session: SessionClient): Browser => {
  const made = new Browser(service);
  made.cookies.set("session", session.cookie.replace("session=", ""));
  return made;
};
const upload = (session: SessionClient, name: string, color = "teal") =>
  session.expect(201, BrandLogo, "POST", "/developer/brand/logos", {
    name,
    logo: dataUri(svg(`<circle cx="50" cy="50" r="40" fill="${color}"/>`)),
  });
const choose = (logoId: string) => browser.submit(path, { name: "Harbour", logoId });
const chosen = async () => (await owner.expect(200, Workspace, "GET", "/developer/workspace")).logoId;
const imagesIn = (page: string): string[] =>
  [...page.matchAll(/<span class="avatar workspace-logo"><img src="([^"]+)"/g)].map(([, src = ""]) => src);

beforeEach(async () => {
  owner = await service.session();
  browser = browserOf(owner);
  logo = await upload(owner, "Harbour mark");
});

it("is chosen in the settings and shown in the frame, in the switcher and on invitations", async () => {
  expect(imagesIn(await pageAt(browser, "/dashboard"))).toEqual([]);
  expect((await choose(logo.id)).status).toBe(303);
  expect(await chosen()).toBe(logo.id);
  const [shown = ""] = imagesIn(await pageAt(browser, "/dashboard"));
  expect(imagesIn(await pageAt(browser, "/dashboard/workspaces"))).toContain(shown);
  expect(await pageAt(browser, path)).toContain(`value="${logo.id}" checked`);
  const file = await browser.open(shown);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(file.headers.get("cache-control")).toContain("private");
  expect(file.headers.get("content-security-policy")).toContain("sandbox");

  const invitation = await owner.expect(201, NewInvitation, "POST", "/developer/invitations", {
    role: "viewer",
  });
  const stranger = new Browser(service);
  const [onInvitation = ""] = imagesIn(await pageAt(stranger, invitation.url.slice(origin.length)));
  expect((await stranger.open(onInvitation)).status).toBe(200);
  await owner.send("DELETE", `/developer/invitations/${invitation.id}`);
  expect((await stranger.open(onInvitation)).status).toBe(404);

  expect((await choose("")).status).toBe(303);
  expect(imagesIn(await pageAt(browser, "/dashboard"))).toEqual([]);
});

it("is read by members of the workspace alone, whichever workspace they are in", async () => {
  await choose(logo.id);
  const [shown = ""] = imagesIn(await pageAt(browser, "/dashboard"));
  const { id } = await owner.expect(201, OwnWorkspace, "POST", "/developer/workspaces", { name: "Other" });
  await browser.submit("/dashboard/workspaces/switch", { workspace: id });
  expect((await browser.open(shown)).status).toBe(200);
  expect(imagesIn(await pageAt(browser, "/dashboard/workspaces"))).toContain(shown);
  expect((await browserOf(await service.session()).open(shown)).status).toBe(404);
  expect((await new Browser(service).open(shown)).status).toBe(302);
});

it("is in the history by its name, and is the brand's: others are refused, and deleting it there removes it", async () => {
  const stranger = await service.session();
  const theirs = await upload(stranger, "Theirs", "red");
  for (const logoId of [theirs.id, "unknown", "x".repeat(65)]) {
    const refused = await owner.send("PATCH", "/developer/workspace", { logoId });
    await expectError(refused, 400, "invalid_input");
  }
  expect((await choose(theirs.id)).status).toBe(400);
  expect(await chosen()).toBeNull();
  await choose(logo.id);
  await choose(logo.id);
  const { items } = await owner.expect(200, HistoryList, "GET", "/developer/history?kind=workspace");
  expect(items.map(({ action, changes }) => [action, changes])).toEqual([
    [
      "workspace.updated",
      { name: { before: "Test", after: "Harbour" }, logo: { before: null, after: "Harbour mark" } },
    ],
  ]);
  await owner.send("DELETE", `/developer/brand/logos/${logo.id}`);
  expect(await chosen()).toBeNull();
  const { workspaces } = await owner.expect(200, OwnWorkspaceList, "GET", "/developer/workspaces");
  expect(workspaces.map(({ logoId }) => logoId)).toEqual([null]);
});

it("is chosen by owners alone; others see it", async () => {
  await choose(logo.id);
  const admin = browserOf(await service.sessionIn(owner.workspaceId, "admin"));
  const page = await pageAt(admin, path);
  expect(page).not.toContain('name="logoId"');
  expect(imagesIn(page).length).toBeGreaterThan(1);
  expect((await admin.submit(path, { logoId: "" })).status).toBe(403);
  expect(await chosen()).toBe(logo.id);
});

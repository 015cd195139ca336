import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sample } from "../../support/runner/runs.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** Lets someone join the workspace of an owner's tab by an invitation. @returns their tab */
async function join(owner: Page, role: string, name: string): Promise<Page> {
  await owner.goto(`${server.dashboard}/settings/members`);
  await owner.getByRole("link", { name: "Invite member" }).click();
  await owner.getByLabel(role).check();
  await owner.getByRole("button", { name: "Create link" }).click();
  const link = await owner.getByLabel("Link", { exact: true }).inputValue();

  const guest = await (await browser.newContext()).newPage();
  await guest.goto(link);
  await guest.getByRole("link", { name: /Sign in/ }).click();
  const provider = guest.getByRole("link", { name: "Continue with" });
  await guest.waitForURL((url) => !url.pathname.startsWith("/dashboard/invitations/"));
  await guest.getByRole("textbox").or(provider).first().waitFor();
  if (await provider.isVisible()) await provider.click();
  await guest.getByRole("textbox").first().fill(name);
  await guest.getByRole("button").first().click();
  await guest.getByRole("button", { name: "Join workspace" }).click();
  await guest.waitForURL(server.dashboard);
  return guest;
}

it("an invitation is accepted by a second person, whose viewer role is refused a change; a removed member is out", async () => {
  const errors: string[] = [];
  const owner = await openTab(browser, server, "Olive Owner", {}, errors);
  const guest = await join(owner, "Viewer", "Vera Viewer");
  await guest.getByText("Olive Owner's workspace").first().waitFor();
  expect(await guest.getByRole("link", { name: "New code" }).count()).toBe(0);

  const refused = await guest.goto(`${server.dashboard}/codes/new`);
  expect(refused?.status()).toBe(403);
  await guest.getByText("Viewers can't").waitFor();
  const changed = await guest.evaluate(() =>
    fetch("/api/v1/developer/templates", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Mine" }),
    }).then(({ status }) => status),
  );
  expect(changed).toBe(403);

  await owner.goto(`${server.dashboard}/settings/members`);
  await owner.getByLabel("Actions for Vera Viewer").click();
  await owner.getByRole("link", { name: "Remove" }).click();
  await owner.getByRole("button", { name: "Remove member" }).click();
  await owner.getByText("was removed and has lost access.").waitFor();
  await guest.goto(`${server.dashboard}/codes`);
  await guest.getByRole("heading", { name: "You aren't in a workspace" }).waitFor();
  expect(errors).toEqual([]);
});

it("a member who leaves a workspace is out at the next click, in each of their tabs", async () => {
  const owner = await openTab(browser, server, "Otto Owner");
  const guest = await join(owner, "Editor", "Edda Editor");
  const tab = await guest.context().newPage();
  await tab.goto(`${server.dashboard}/folders`);
  await guest.goto(`${server.dashboard}/settings/members`);
  await guest.getByRole("link", { name: "Leave workspace" }).click();
  await guest.getByRole("button", { name: "Leave workspace" }).click();
  await guest.getByRole("heading", { name: "You aren't in a workspace" }).waitFor();

  await tab.getByLabel("New folder").fill("Left behind");
  await tab.getByRole("button", { name: "Create folder" }).click();
  await tab.getByRole("heading", { name: "You aren't in a workspace" }).waitFor();
  await owner.goto(`${server.dashboard}/settings/members`);
  expect(await owner.getByText("Edda Editor").count()).toBe(0);
  await owner.goto(`${server.dashboard}/folders`);
  expect(await owner.getByText("Left behind").count()).toBe(0);
  await Promise.all([owner.context().close(), guest.context().close()]);
});

it.each(sample([true, false], 2))(
  "a form in a tab of another workspace than the one switched to changes nothing until one switches back; with scripts: %j",
  async (javaScriptEnabled) => {
    const owner = `Two Workspaces ${javaScriptEnabled}`;
    const tab = await openTab(browser, server, owner, { javaScriptEnabled });
    await tab.goto(`${server.dashboard}/folders`);
    const other = await tab.context().newPage();
    await other.goto(`${server.dashboard}/workspaces/new`);
    await other.getByLabel("Name").fill("Roastery");
    await other.getByRole("button", { name: "Create workspace" }).click();
    await other.getByText("Workspace created.").waitFor();

    await tab.getByLabel("New folder").fill("Spring");
    await tab.getByRole("button", { name: "Create folder" }).click();
    await tab.getByRole("heading", { name: "You switched to Roastery in another tab" }).waitFor();
    await other.goto(`${server.dashboard}/folders`);
    expect(await other.getByText("Spring").count()).toBe(0);

    await tab.getByRole("button", { name: "Switch back and send again" }).click();
    await tab.getByText("Folder created.").waitFor();
    await tab.getByText(`${owner}'s workspace`).first().waitFor();
    await tab.getByText("Spring").first().waitFor();
    await tab.context().close();
  },
);

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

it("an invitation is accepted by a second person, whose viewer role is refused a change; a removed member is out", async () => {
  const errors: string[] = [];
  const owner = await openTab(browser, server, "Olive Owner", {}, errors);
  await owner.goto(`${server.dashboard}/settings/members`);
  await owner.getByRole("link", { name: "Invite member" }).click();
  await owner.getByLabel("Viewer").check();
  await owner.getByRole("button", { name: "Create link" }).click();
  const link = await owner.getByLabel("Link", { exact: true }).inputValue();

  const guest = await (await browser.newContext()).newPage();
  await guest.goto(link);
  await guest.getByText("You can see codes").waitFor();
  await guest.getByRole("link", { name: /Sign in/ }).click();
  const provider = guest.getByRole("link", { name: "Continue with" });
  if (await provider.isVisible()) await provider.click();
  await guest.getByRole("textbox").first().fill("Vera Viewer");
  await guest.getByRole("button").first().click();
  await guest.getByRole("button", { name: "Join workspace" }).click();
  await guest.waitForURL(server.dashboard);
  await guest.getByText("Olive Owner's workspace").first().waitFor();
  expect(await guest.getByRole("link", { name: "New code" }).count()).toBe(0);

  const refused = await guest.goto(`${server.dashboard}/codes/new`);
  expect(refused?.status()).toBe(403);
  await guest.getByText("Your role in this workspace, viewer,").waitFor();
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
  await owner.getByText("Member removed.").waitFor();
  await guest.goto(`${server.dashboard}/codes`);
  await guest.getByRole("heading", { name: "You aren't in a workspace" }).waitFor();
  expect(errors).toEqual([]);
});

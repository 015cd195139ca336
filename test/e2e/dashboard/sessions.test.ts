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

it("a session that is ended from another browser has to sign in at its next click", async () => {
  const phone = await openTab(browser, server, "two-browsers", {
    userAgent:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  });
  const desk = await openTab(browser, server, "two-browsers");
  await desk.getByRole("link", { name: "Settings" }).first().click();
  await desk.getByRole("link", { name: "Sessions" }).click();
  await desk.getByText("This browser").waitFor();
  await desk.getByRole("button", { name: "Sign out of Safari on iOS" }).click();
  await desk.getByText("Signed out on that device.").waitFor();
  expect(await desk.getByText("Safari on iOS").count()).toBe(0);

  await phone.getByRole("link", { name: "Codes" }).first().click();
  await phone.waitForURL(/\/sign-in/);
  await desk.getByRole("link", { name: "Codes" }).first().click();
  await desk.waitForURL(`${server.dashboard}/codes`);
  await Promise.all([phone.context().close(), desk.context().close()]);
});

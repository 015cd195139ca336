import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SignInLink } from "../../../src/contract/resources/identity/sign-in.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { callOperator, sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

it("an owner's link leads to a passkey, a code and its first scan; the passkey signs in again and can't be made twice", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  const devTools = await context.newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { url } = SignInLink.parse(await callOperator(server, "POST", "/sign-in-links", { kind: "owner" }));
  await page.goto(url);
  await page.getByLabel("Your name").fill("Ada Lovelace");
  await page.getByLabel("Workspace name").fill("Passkey Coffee");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.waitForURL(server.dashboard);

  await page.getByLabel("Destination").fill("example.com/menu");
  await page.getByRole("button", { name: "Create code" }).click();
  const shortLink = await page.getByRole("link", { name: "Open short link" }).getAttribute("href");
  const scan = await fetch(shortLink ?? "", {
    redirect: "manual",
    headers: {
      "user-agent":
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1",
    },
  });
  expect(scan.headers.get("location")).toBe("https://example.com/menu");
  await page.getByText("Last scan").waitFor();

  await page.goto(`${server.dashboard}/settings/passkeys/new`);
  await page.getByLabel("Name").fill("The same device");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByText("This device already has one of your passkeys.").waitFor();

  await page.goto(`${server.dashboard}/settings/account`);
  await page.getByRole("main").getByRole("button", { name: "Sign out", exact: true }).click();
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(server.dashboard);
  expect(await page.getByRole("link", { name: "Passkey Coffee, overview" }).count()).toBeGreaterThan(0);
  expect(errors).toEqual([]);
  await context.close();
});

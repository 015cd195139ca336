import { execFile, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { verifySamples } from "../../../src/dashboard/developer/webhooks/verify-samples.ts";
import { startReceiver } from "../support/controlled-receiver.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const run = promisify(execFile);
const errors: string[] = [];
let browser: Browser;
let workspace: OwnWorkspace;
let page: Page;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("developer"), openBrowser()]);
  page = await openTab(browser, workspace, {}, errors);
});
afterAll(() => browser?.close());

/** Runs a program as a person does who has copied it from the page. @returns its output */
const programs: Record<string, (program: string) => Promise<string>> = {
  curl: async (program) => (await run("sh", ["-c", program])).stdout,
  JavaScript: async (program) =>
    (await run(process.execPath, ["--input-type=module", "--eval", program])).stdout,
  Python: async (program) => (await run("python3", ["-c", program])).stdout,
};
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Chooses a language and reads its program, which the button copies as it is shown. */
async function readSample(language: string): Promise<string> {
  const choice = page.getByRole("radio", { name: language });
  await choice.check();
  const code = page.locator(".samples").filter({ has: choice }).locator(".sample:visible");
  expect(await code.count()).toBe(1);
  const shown = (await code.locator("code").textContent()) ?? "";
  expect(await code.locator("[data-copy]").getAttribute("data-copy")).toBe(shown);
  return shown;
}

it("keys are made and used by the programs of their pages, a publishable one as from a page of its origins; a revoked one is refused", async () => {
  await page.goto(`${workspace.service.dashboard}/developer/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("Warehouse");
  await page.getByRole("button", { name: "Create key" }).click();
  const field = page.getByLabel("Key", { exact: true });
  await field.waitFor();
  const key = await field.inputValue();
  expect(page.url()).not.toContain(key);
  const samples = new Map<string, string>();
  for (const language of ["curl", "JavaScript", "Python", "PHP"]) {
    samples.set(language, await readSample(language));
  }
  expect([...samples.values()].every((sample) => sample.includes(key))).toBe(true);
  const created = Qr.parse(JSON.parse((await programs.curl?.(samples.get("curl") ?? "")) ?? ""));
  expect(created).toMatchObject({ name: "My first code", data: { url: "https://example.com/" } });
  for (const language of hasPython ? ["JavaScript", "Python"] : ["JavaScript"]) {
    const output = await programs[language]?.(samples.get(language) ?? "");
    expect(output).toMatch(new RegExp(`^${new URL(created.scanUrl).origin}/[0-9a-z]{8}\n$`));
  }
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByLabel("Actions for Warehouse").click();
  await page.getByRole("link", { name: "Revoke" }).click();
  await page.getByRole("button", { name: "Revoke key" }).click();
  await page.getByText("Key revoked.").waitFor();
  const refused: unknown = JSON.parse((await programs.curl?.(samples.get("curl") ?? "")) ?? "");
  expect(refused).toMatchObject({ code: "unauthorized" });

  await page.goto(`${workspace.service.dashboard}/developer/keys/new`);
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByRole("radio", { name: /^Publishable/ }).check();
  expect(await page.getByText("Read scans").isVisible()).toBe(false);
  await page.getByLabel("Origins").fill("https://shop.example");
  await page.getByRole("button", { name: "Create key" }).click();
  const published: unknown = JSON.parse((await programs.curl?.(await readSample("curl"))) ?? "");
  expect(Qr.parse(published).data).toEqual({ type: "url", url: "https://example.com/" });
  expect(errors).toEqual([]);
});

it("the programs that verify signatures accept ours and no others", async () => {
  const time = Math.floor(Date.now() / 1000);
  const sign = (at: number, secret: string) =>
    `t=${at},v1=${createHmac("sha256", secret).update(`${at}.{}`).digest("hex")}`;
  const headers = [sign(time, "a"), `${sign(time, "b")},${sign(time, "a").split(",")[1]}`];
  const refused = [sign(time, "b"), sign(time - 400, "a"), "", "t=now,v1=", "t=²,v1=0"];
  const callOf: Record<string, (header: string) => string> = {
    JavaScript: (header) => `console.log(isGenuine("a", ${JSON.stringify(header)}, "{}"));`,
    Python: (header) => `print(is_genuine("a", ${JSON.stringify(header)}, b"{}"))`,
  };
  const known = verifySamples.filter(({ language }) => hasPython || language !== "Python");
  expect(known.length).toBeGreaterThan(0);
  for (const { language, text: program } of known) {
    const calls = [...headers, ...refused].map((header) => callOf[language]?.(header));
    const output = await programs[language]?.([program, ...calls].join("\n"));
    const accepted = output?.toLowerCase().trim().split("\n");
    expect(accepted).toEqual([...headers.map(() => "true"), ...refused.map(() => "false")]);
  }
});

it("a failing receiver is seen, fixed, and gets what it missed: one delivery, then all", async () => {
  const receiver = await startReceiver();
  const create = async (name: string) => {
    const input = { name, qrType: "url", data: { type: "url", url: "example.com" } };
    expect((await workspace.service.send("POST", "/qr", input)).status).toBe(201);
  };
  const webhooks = async (path = "") => (await workspace.callDeveloper("GET", `/webhooks${path}`)).text();
  /** Creates a code whose event the receiver refuses, which pauses the webhook and is said on every page. */
  const fail = async (name: string) => {
    receiver.state.status = 410;
    await create(name);
    await expect.poll(() => webhooks()).toContain("410 Gone");
    receiver.state.status = 200;
    await page.goto(`${workspace.service.dashboard}/settings`);
    await page.getByText("The receiver answered 410 Gone").waitFor();
  };

  await page.goto(`${workspace.service.dashboard}/developer/webhooks/new`);
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("checkbox", { name: "qr.scanned" }).uncheck();
  await page.getByRole("checkbox", { name: "qr.created" }).check();
  await page.getByRole("button", { name: "Create webhook" }).click();
  await expect.poll(() => page.getByLabel("Signing secret").inputValue()).toMatch(/^whsec_/);
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByText("thanks").waitFor();

  await fail("First");
  await create("Second");
  const [, hookId] = /"id":"([^"]+)"/.exec(await webhooks()) ?? [];
  await expect.poll(() => webhooks(`/${hookId}/deliveries?status=skipped`)).toContain("qr.created");
  await page.getByRole("link", { name: "View webhook" }).click();
  await page.getByRole("heading", { name: "Recent deliveries" }).waitFor();
  expect(await page.getByText("Skipped", { exact: true }).count()).toBe(1);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("Webhook resumed.").waitFor();
  await page.getByRole("link", { name: "View all deliveries" }).click();
  await page.getByText("Filter", { exact: true }).click();
  await page.getByLabel("Status").selectOption("Failed");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("link", { name: "Status: Failed" }).waitFor();
  await page.getByRole("link", { name: /^qr.created/ }).click();
  await page.getByText("closed for good").waitFor();
  await page.getByRole("button", { name: "Resend" }).click();
  await page.getByText("Succeeded").waitFor();
  const names = () =>
    receiver.received.map((body) => (JSON.parse(body) as { data: { name: string } }).data.name);
  expect(names()).toEqual(["Test", "First"]);

  await fail("Third");
  await page.getByRole("link", { name: "View webhook" }).click();
  await page.getByRole("heading", { name: "Recent deliveries" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("Webhook resumed.").waitFor();
  await page.getByRole("link", { name: "Replay failed deliveries" }).click();
  await page.getByText("1 failed delivery since").waitFor();
  // It begins with the minute of the failure, before which an earlier one was skipped.
  await page.getByRole("link", { name: "Last hour" }).click();
  await page.locator("[aria-current]", { hasText: "Last hour" }).waitFor();
  await page.getByLabel("Include skipped deliveries").check();
  await page.getByRole("button", { name: "Count deliveries" }).click();
  await page.getByText("2 failed or skipped deliveries since").waitFor();
  await page.getByRole("button", { name: "Replay 2 deliveries" }).click();
  await page.getByText("2 of 2 sent: 2 succeeded, 0 failed").waitFor();
  expect(names().slice(2).sort()).toEqual(["Second", "Third"]);
  receiver.close();
});

it("the API's reference copies a sample, filters its contents, marks the section that is read, and is no wider than a phone", async () => {
  const { origin } = workspace.service;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await page.setViewportSize({ width: 1300, height: 800 });
  await page.goto(`${origin}/api/v1/docs#createFolder`);
  await page.waitForURL(`${origin}/api/v1/docs/folders#createFolder`);
  const sample = page.locator("#createFolder .sample").first();
  await sample.getByRole("button", { name: "Copy" }).click();
  await sample.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await sample.locator("pre").textContent());

  // Without scripts, nothing is shown that needs them.
  const source = await (await fetch(`${origin}/api/v1/docs/qr-codes`)).text();
  expect(source.match(/<(button|p class="filter")(?![^>]* hidden)[^>]*>/g)).toBeNull();
  expect(source.match(/<(button|p class="filter") [^>]*hidden/g)?.length).toBeGreaterThan(15);

  const contents = page.getByRole("navigation", { name: "Contents" });
  await contents.getByLabel("Filter the contents").fill("delete fold");
  expect(await contents.getByRole("link").allInnerTexts()).toHaveLength(2);
  await page.keyboard.press("Enter");
  await contents.locator('[href$="#deleteFolder"][aria-current]').waitFor();
  expect(new URL(page.url()).hash).toBe("#deleteFolder");
  const fold = page.locator("#deleteFolder details.fold");
  expect(await fold.evaluate((each) => (each as HTMLDetailsElement).open)).toBe(true);
  await contents.getByLabel("Filter the contents").fill("no such thing");
  await contents.getByText("No results").waitFor();
  const height = await page.evaluate(() => {
    for (const each of document.querySelectorAll("article")) each.style.contentVisibility = "visible";
    return document.documentElement.scrollHeight;
  });
  expect(height).toBeLessThan(5_000);

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const wider = await page.evaluate(() => {
      for (const each of document.querySelectorAll("details")) each.open = true;
      const { scrollWidth, clientWidth } = document.documentElement;
      const parts = [...document.querySelectorAll("main *")].filter(
        (each) => each.checkVisibility() && each.getBoundingClientRect().right > clientWidth,
      );
      return {
        width: scrollWidth - clientWidth,
        parts: parts.map(({ outerHTML }) => outerHTML.slice(0, 120)),
      };
    });
    expect({ at: width, ...wider }).toEqual({ at: width, width: 0, parts: [] });
  }
});

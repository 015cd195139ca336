import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { startReceiver } from "../support/controlled-receiver.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** More controls than a page has before its content. */
const patience = 80;

/** Moves the focus with Tab until it is on the control of this name, where it must be seen. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = (label: string) => (typeof name === "string" ? label === name : name.test(label));
  const passed: string[] = [];
  for (let i = 0; i < patience; i += 1) {
    await page.keyboard.press("Tab");
    const [label, outline] = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement;
      const labels = [...(element.labels ?? [])].map((each) => each.textContent).join(" ");
      const own = element.getAttribute("aria-label") ?? (labels || element.textContent);
      const ringed = [element, element.closest("label"), element.parentElement];
      const ring = ringed.some((each) => each !== null && getComputedStyle(each).outlineStyle === "solid");
      return [own.trim().replace(/\s+/g, " "), ring] as const;
    });
    if (wanted(label)) return expect(outline, `a ring around ${label}`).toBe(true);
    passed.push(label);
  }
  throw new Error(`Tab leads to no ${name}, but to ${passed.join(", ")}`);
}

const say = (page: Page, text: string) => page.locator(".toast").getByText(text).waitFor();

it("a destination is changed and restored, and a code tagged, printed and tested by the keyboard alone", async () => {
  const { service } = await OwnWorkspace.create("keyboard");
  const data = { type: "url", url: "https://shop.example/spring" };
  const qr = await readStrictly(service.send("POST", "/qr", { name: "Menu", qrType: "url", data }), 201, Qr);
  const destination = async () =>
    (await readStrictly(service.send("GET", `/qr/${qr.id}`), 200, Qr)).data as { url: string };
  const page = await openTab(browser, service, "keyboard");
  await page.goto(`${service.dashboard}/codes/${qr.id}`);
  await tabTo(page, "Leads to");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("shop.example/summer");
  await page.keyboard.press("Enter");
  await say(page, "Every printed copy leads there now.");
  expect(await destination()).toMatchObject({ url: "https://shop.example/summer" });
  await tabTo(page, "Undo");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await destination()).url).toBe("https://shop.example/spring");

  await page.goto(`${service.dashboard}/codes`);
  await tabTo(page, "Select Menu");
  await page.keyboard.press("Space");
  await tabTo(page, "Tag");
  await page.keyboard.press("Enter");
  await page.locator(".menu[open] input:focus").waitFor();
  await page.keyboard.type("summer");
  await page.keyboard.press("Enter");
  await say(page, "1 code tagged summer.");

  await tabTo(page, "Select Menu");
  await page.keyboard.press("Space");
  await tabTo(page, "Download");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Print labels" }).waitFor();
  await tabTo(page, "Download PDF");

  await page.goto(`${service.dashboard}/codes/${qr.id}`);
  await tabTo(page, "Test");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Test Menu" }).waitFor();
  await page.context().close();
});

it("a list is filtered, and a failed delivery seen and sent again, by the keyboard alone", async () => {
  const receiver = await startReceiver();
  receiver.state.status = 410;
  const workspace = await OwnWorkspace.create("keyboard-hooks");
  const { service } = workspace;
  const hook = { url: receiver.url, events: ["qr.created"] };
  expect((await workspace.callDeveloper("POST", "/webhooks", hook)).status).toBe(201);
  const data = { type: "url", url: "https://shop.example/" };
  await service.send("POST", "/qr", { name: "Menu", qrType: "url", data });
  const page = await openTab(browser, service, "keyboard-hooks");
  await expect
    .poll(async () => {
      await page.goto(`${service.dashboard}/developer`);
      return page.getByText("410 Gone").count();
    })
    .toBeGreaterThan(0);
  receiver.state.status = 200;
  await tabTo(page, /^qr\.created failed/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Delivery of qr.created" }).waitFor();
  await page.getByText("Resume the webhook to resend the delivery.").waitFor();
  await tabTo(page, /^Webhook to/);
  await page.keyboard.press("Enter");
  await tabTo(page, "Resume");
  await page.keyboard.press("Enter");
  await say(page, "Webhook resumed.");
  await tabTo(page, /^qr.created/);
  await page.keyboard.press("Enter");
  await tabTo(page, "Resend");
  await page.keyboard.press("Enter");
  await page.getByText("Succeeded").first().waitFor();

  await tabTo(page, /^Webhook to/);
  await page.keyboard.press("Enter");
  await tabTo(page, "View all deliveries");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Deliveries" }).waitFor();
  await tabTo(page, "Filter");
  await page.keyboard.press("Enter");
  await tabTo(page, "Status");
  await page.keyboard.type("Failed");
  await page.getByRole("link", { name: "Status: Failed" }).waitFor();
  await page.getByText("No results").waitFor();
  receiver.close();
  await page.context().close();
});

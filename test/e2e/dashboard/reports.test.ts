import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { sample } from "../../support/runner/runs.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
const errors: string[] = [];

let workspace: OwnWorkspace;
let browser: Browser;
let page: Page;
/** The page of a code with a scan. */
let path = "";

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("reports"), openBrowser()]);
  const { service } = workspace;
  const data = { type: "url", url: "https://example.com/" };
  const code = await readStrictly(service.send("POST", "/qr", { qrType: "url", data }), 201, Qr);
  await fetch(code.scanUrl, { redirect: "manual", headers: { "user-agent": userAgent } });
  const total = async () =>
    (await readStrictly(service.send("GET", `/qr/${code.id}/scans`), 200, ScanListResponse)).stats.total;
  await vi.waitFor(async () => expect(await total()).toBe(1), { timeout: 60_000, interval: 200 });
  path = `${service.dashboard}/codes/${code.id}`;
  page = await openTab(browser, workspace, {}, errors);
});
afterAll(() => browser?.close());

const chartOf = (shown: Page) => shown.getByRole("img", { name: /^1 scan by day/ });

it("a chart is read and dates are chosen by keyboard, and a report is printed on one page", async () => {
  await page.goto(path);
  await chartOf(page).focus();
  await page.keyboard.press("End");
  const panel = page.locator(".chart-panel");
  expect(await panel.innerText()).toMatch(/People\s*1\s*Bots\s*0\s*\d+ days before\s*0/);
  await page.keyboard.press("ArrowLeft");
  expect(await panel.innerText()).toMatch(/People\s*0/);
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await panel.count()).toBe(0);
  await page.getByText("Show the numbers").first().click();
  expect(await page.getByRole("cell", { name: "1", exact: true }).first().isVisible()).toBe(true);

  await page.locator("summary", { hasText: "Dates" }).press("Enter");
  const day = page.locator('.calendar [data-day][tabindex="0"]');
  await day.focus();
  const today = await day.getAttribute("data-day");
  await page.keyboard.press("ArrowUp");
  expect(await axeFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`range=custom.*to=${today}`));
  await chartOf(page).waitFor();

  const prints = [page.url(), `${workspace.service.dashboard}?tag=`].flatMap((address) =>
    (["A4", "Letter"] as const).map((format) => ({ address, format })),
  );
  // The first address as A4, the second as Letter.
  for (const { address, format } of sample(prints, 3)) {
    await page.goto(address);
    const pdf = Buffer.from(await page.pdf({ format, preferCSSPageSize: true })).toString("latin1");
    expect([address, format, pdf.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([address, format, 1]);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".print-foot").innerText()).toMatch(/ 20\d\d\s+Printed .* 20\d\d/);
    expect(await page.locator(":is(.side, .top, .button, summary, .segmented) >> visible=true").count()).toBe(
      0,
    );
    await page.emulateMedia({ media: null });
  }
});

it("a report is filtered and shared on a small phone, and read by its link signed out until that is revoked", async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(path);
  await page.getByRole("link", { name: "7 days", exact: true }).click();
  await page.waitForURL(/range=7d$/);
  await page.getByRole("button", { name: "Report options" }).click();
  await page.locator("summary", { hasText: "days before" }).click();
  await page.getByRole("link", { name: "No comparison" }).click();
  await page.waitForURL(/range=7d&compare=none/);
  expect(await page.getByText("compared with").count()).toBe(0);
  await page.getByRole("button", { name: "Report options" }).click();
  await page.getByRole("link", { name: "Share report", exact: true }).click();
  await page.getByText("Choose what it shows").click();
  await page.getByRole("checkbox", { name: "Cities" }).uncheck();
  await page.getByRole("button", { name: "Create link" }).click();
  const url = await page.getByLabel("Link of the report").inputValue();
  const visitor = await browser.newPage();
  await visitor.goto(url);
  expect(await chartOf(visitor).count()).toBe(1);
  expect(await visitor.getByText("Cities").count()).toBe(0);
  expect(await axeFaults(visitor)).toEqual([]);
  await page.getByRole("button", { name: "Revoke link" }).click();
  await page.getByText("Link revoked.").waitFor();
  expect((await visitor.reload())?.status()).toBe(404);
  expect(errors).toEqual([]);
});

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { sample } from "../../support/runner/runs.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const userName = "reports";
const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";

let workspace: OwnWorkspace;
let browser: Browser;
let axe = "";

beforeAll(async () => {
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  [workspace, browser] = await Promise.all([OwnWorkspace.create(userName), openBrowser()]);
});
afterAll(() => browser?.close());

const signIn = (options: BrowserContextOptions, errors: string[]): Promise<Page> =>
  openTab(browser, workspace.service, userName, options, errors);

const newCode = (name: string): Promise<Qr> =>
  readStrictly(
    workspace.service.send("POST", "/qr", {
      name,
      qrType: "url",
      data: { type: "url", url: "https://example.com/" },
    }),
    201,
    Qr,
  );

const scan = ({ scanUrl }: Qr) =>
  fetch(scanUrl, { redirect: "manual", headers: { "user-agent": userAgent } });

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

it("shows scans as they arrive, each once, and then their report", async () => {
  const errors: string[] = [];
  const code = await newCode("Live");
  const page = await signIn({}, errors);
  await page.goto(`${workspace.service.origin}/dashboard/codes/${code.id}`);
  await page.getByRole("link", { name: "Test it now" }).click();
  await page.getByText("Waiting for scans").waitFor();
  const list = page.getByRole("list", { name: "Latest scans" }).getByRole("listitem");
  for (const count of [1, 2]) {
    await scan(code);
    await list.nth(count - 1).waitFor();
    expect(await page.locator("[data-count]").textContent()).toBe(String(count));
  }
  expect(await list.first().textContent()).toContain("iOS, Phone");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Live" }).click();
  const chart = page.getByRole("img", { name: /^2 scans by day/ });
  await chart.waitFor();
  await page.getByText("Show the numbers").first().click();
  expect(await page.getByRole("cell", { name: "2", exact: true }).first().isVisible()).toBe(true);
  await expectAccessible(page);
  expect(errors).toEqual([]);
  await page.context().close();
});

it("reads a chart and chooses dates by keyboard, and prints a report on one page", async () => {
  const errors: string[] = [];
  const code = await newCode("Keyboard");
  await scan(code);
  const page = await signIn({}, errors);
  const path = `${workspace.service.origin}/dashboard/codes/${code.id}`;
  const chart = page.getByRole("img", { name: /^1 scan by day/ });
  await expect
    .poll(async () => {
      await page.goto(path);
      return chart.count();
    })
    .toBe(1);
  await chart.focus();
  await page.keyboard.press("End");
  const panel = page.locator(".chart-panel");
  expect(await panel.innerText()).toMatch(/People\s*1\s*Bots\s*0\s*\d+ days before\s*0/);
  await page.keyboard.press("ArrowLeft");
  expect(await panel.innerText()).toMatch(/People\s*0/);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  expect(await panel.count()).toBe(0);

  await page.locator("summary", { hasText: "Dates" }).press("Enter");
  const day = page.locator('.calendar [data-day][tabindex="0"]');
  await day.focus();
  const today = await day.getAttribute("data-day");
  await page.keyboard.press("ArrowUp");
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`range=custom.*to=${today}`));
  await page.getByRole("img", { name: /^1 scan by day/ }).waitFor();

  const pagesOf = async (format: "A4" | "Letter") =>
    Buffer.from(await page.pdf({ format, preferCSSPageSize: true }))
      .toString("latin1")
      .match(/\/Type\s*\/Page\b/g)?.length;
  for (const address of [page.url(), `${workspace.service.origin}/dashboard?tag=`]) {
    await page.goto(address);
    expect([address, await pagesOf("A4"), await pagesOf("Letter")]).toEqual([address, 1, 1]);
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".print-foot").innerText()).toMatch(/ 20\d\d\s+Printed .* 20\d\d/);
    expect(await page.locator(":is(.side, .top, .button, summary, .segmented) >> visible=true").count()).toBe(
      0,
    );
    await page.emulateMedia({ media: null });
  }
  expect(errors).toEqual([]);
  await page.context().close();
});

it.each(sample([true, false], 2))(
  "filters and shares a report, which is read signed out; with scripts: %j",
  async (javaScriptEnabled) => {
    const errors: string[] = [];
    const code = await newCode(`Shared ${javaScriptEnabled}`);
    await scan(code);
    const page = await signIn({ javaScriptEnabled, viewport: { width: 320, height: 700 } }, errors);
    await page.goto(`${workspace.service.origin}/dashboard/codes/${code.id}`);
    await expect
      .poll(async () => {
        await page.reload();
        return page.getByRole("heading", { name: "Scans", exact: true }).count();
      })
      .toBe(1);
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
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(url);
    expect(await visitor.getByRole("img", { name: /^1 scan by day/ }).count()).toBe(1);
    expect(await visitor.getByText("Cities").count()).toBe(0);
    await expectAccessible(visitor);
    await page.getByRole("button", { name: "Revoke link" }).click();
    await page.getByText("Link revoked.").waitFor();
    expect((await visitor.reload())?.status()).toBe(404);
    expect(errors).toEqual([]);
    await Promise.all([page.context().close(), visitor.context().close()]);
  },
);

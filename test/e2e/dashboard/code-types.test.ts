import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { type CodeEntry, codeEntries } from "../../support/code-entries.ts";
import { readCode } from "../support/read-code.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148";
const errors: string[] = [];

let browser: Browser;
let workspace: OwnWorkspace;
let entries: Readonly<Record<QrType, CodeEntry>>;
let tab: Tab;

beforeAll(async () => {
  [workspace, browser] = await Promise.all([OwnWorkspace.create("code-types"), openBrowser()]);
  const page = workspace.callDeveloper("POST", "/pages", { title: "Summer fair", blocks: [] });
  entries = codeEntries((await readStrictly(page, 201, Page)).id);
  tab = await openTab(browser, workspace.service, "code-types", {}, errors);
});
afterAll(() => browser?.close());

it.each(QrType.options)("a code of type %s is made and opened again in a browser", async (type) => {
  const { fields, data, scan } = entries[type];
  const { service } = workspace;
  await tab.goto(`${service.dashboard}/codes/new?type=${type}`);
  const more = tab.getByText("More fields");
  if ((await more.count()) > 0) await more.click();
  for (const [name, text] of Object.entries(fields)) {
    const control = tab.locator(`[name="${name}"]`);
    const isSelect = await control.evaluate((element) => element.matches("select"));
    await (isSelect ? control.selectOption(text, { force: true }) : control.fill(text));
  }
  await tab.getByRole("button", { name: "Create code", exact: true }).click();
  await tab.getByText("Code created.").waitFor();
  const id = new URL(tab.url()).pathname.split("/").at(-1);

  const qr = await readStrictly(service.send("GET", `/qr/${id}`), 200, Qr);
  expect(qr).toMatchObject({ qrType: type, data });
  const scanned = await fetch(qr.scanUrl, { redirect: "manual", headers: { "user-agent": iPhone } });
  expect(scanned.status).toBe(scan.status);
  expect(scanned.headers.get("location") ?? (await scanned.text())).toContain(scan.shows);
  const picture = new Uint8Array(await (await fetch(`${qr.scanUrl}.png`)).arrayBuffer());
  expect(await readCode(picture)).toBe(qr.scanUrl);

  await tab.getByLabel("More actions").click();
  await tab.getByRole("link", { name: "Edit" }).click();
  await tab.getByRole("button", { name: "Save changes" }).waitFor();
  const shown = Object.keys(fields).map(
    async (name) => [name, await tab.locator(`[name="${name}"]`).inputValue()] as const,
  );
  expect(Object.fromEntries(await Promise.all(shown))).toEqual(fields);
  expect(errors).toEqual([]);
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { sample } from "../../support/runner/runs.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const scan = async (url: string) => (await fetch(url, { redirect: "manual" })).headers.get("location");

it.each(sample([true, false], 2))(
  "undoes a change right after it, and puts back an earlier one from the history; with scripts: %j",
  async (javaScriptEnabled) => {
    const name = `history-${javaScriptEnabled}`;
    const { service } = await OwnWorkspace.create(name);
    const data = { type: "url", url: "https://example.com/lunch" };
    const body = { name: "Menu", qrType: "url", data };
    const qr = await readStrictly(service.send("POST", "/qr", body), 201, Qr);
    const page = await openTab(browser, server, name, { javaScriptEnabled });
    const edit = async (destination: string) => {
      await page.goto(`${service.dashboard}/codes/${qr.id}/edit`);
      await page.getByLabel("Destination").fill(destination);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByText("Every printed copy leads there now.").waitFor();
      expect(await scan(qr.scanUrl)).toBe(`https://${destination}`);
    };

    await edit("example.com/dinner");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Change undone.").waitFor();
    expect(await scan(qr.scanUrl)).toBe("https://example.com/lunch");

    await edit("example.com/dinner");
    await page.goto(`${service.dashboard}/codes/${qr.id}/history`);
    await page.getByText("changed the destination of Menu").first().waitFor();
    // The audit itself is a script.
    if (javaScriptEnabled) expect(await axeFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Restore Menu" }).first().click();
    await page.getByText("Change undone.").waitFor();
    await page.getByText("restored the destination of Menu").first().waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/codes/${qr.id}/history`);
    expect(await scan(qr.scanUrl)).toBe("https://example.com/lunch");

    // The same change once more: its value is no longer there.
    await page.getByRole("button", { name: "Restore Menu" }).nth(1).click();
    await page.getByRole("heading", { name: "That can't be undone" }).waitFor();
    await page.getByRole("link", { name: "Go back" }).click();
    await page.getByText("restored the destination of Menu").first().waitFor();
    await page.context().close();
  },
);

it.each(sample([true, false], 2))(
  "a deleted code no longer redirects, and does again once it is restored from the bin; with scripts: %j",
  async (javaScriptEnabled) => {
    const name = `bin-${javaScriptEnabled}`;
    const { service } = await OwnWorkspace.create(name);
    const data = { type: "url", url: "https://example.com/lunch" };
    const body = { name: "Poster", qrType: "url", data };
    const qr = await readStrictly(service.send("POST", "/qr", body), 201, Qr);
    const page = await openTab(browser, server, name, { javaScriptEnabled });
    await page.goto(`${service.dashboard}/codes/${qr.id}/delete`);
    await page.getByRole("button", { name: "Delete code" }).click();
    await page.getByText("Code deleted.").waitFor();
    expect(await scan(qr.scanUrl)).toBeNull();

    await page.getByRole("link", { name: "Bin", exact: true }).first().click();
    expect(await page.getByRole("row", { name: /Poster/ }).innerText()).toContain(name);
    await page.getByRole("button", { name: "Restore Poster" }).click();
    await page.getByText("Code restored.").waitFor();
    expect(await scan(qr.scanUrl)).toBe("https://example.com/lunch");
    await page.goto(`${service.dashboard}/bin`);
    await page.getByText("The bin is empty").waitFor();
    await page.context().close();
  },
);

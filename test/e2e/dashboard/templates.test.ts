import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { TemplateList } from "../../../src/contract/resources/images/templates.ts";
import { sample } from "../../support/runner/runs.ts";
import { readCode } from "../support/read-code.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const logo = {
  name: "logo.svg",
  mimeType: "image/svg+xml",
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="4" cx="4" cy="4"/></svg>',
  ),
};
/** Larger than a form may be. */
const photo = { name: "photo.png", mimeType: "image/png", buffer: Buffer.alloc(6_000_000, 1) };

it.each(sample([true, false], 2))(
  "a template gets a logo, whose limits are said; with scripts: %j",
  async (scripts) => {
    const errors: string[] = [];
    const name = `designer-of-${scripts}`;
    const workspace = await OwnWorkspace.create(name);
    const page = await openTab(browser, sharedService(), name, { javaScriptEnabled: scripts }, errors);
    await page.getByRole("link", { name: "Templates", exact: true }).click();
    await page.getByRole("link", { name: "New template" }).click();
    await page.getByLabel("Name").fill("House style");
    await page.getByLabel("Drop a logo here").setInputFiles(photo);
    if (scripts) {
      await page.getByText("The logo can have at most 256 KiB.").waitFor();
      await page.getByText("once the new logo is saved").waitFor();
    }
    await page.getByRole("button", { name: "Create template" }).click();
    await page.getByRole("link", { name: "Logo file can have at most 256 KiB" }).waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("House style");
    const sample = page.getByRole("img", { name: "The code as it will look" });
    const before = await sample.getAttribute("src");
    await page.getByLabel("Drop a logo here").setInputFiles(logo);
    if (scripts) await expect.poll(() => sample.getAttribute("src")).not.toBe(before);
    await page.getByRole("button", { name: "Create template" }).click();
    await page.getByText("Template created.").waitFor();
    await page.getByRole("link", { name: "House style", exact: true }).click();
    const choice = page.getByRole("group", { name: "Logo", exact: true });
    expect(await choice.getByRole("radio", { name: "logo" }).isChecked()).toBe(true);
    if (scripts) {
      await page.getByRole("heading", { name: "Proof: read" }).waitFor();
      const picture = page.locator(".proof-pictures img").first();
      await expect
        .poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBeGreaterThan(0);
    }
    // The images Worker draws the PNG: it runs beside the service.
    const { templates } = TemplateList.parse(
      await (await workspace.callDeveloper("GET", "/templates")).json(),
    );
    const { service } = workspace;
    const data = { type: "url", url: "https://example.com/" };
    const input = { qrType: "url", data, templateId: templates[0]?.id };
    const { id, scanUrl } = await readStrictly(service.send("POST", "/qr", input), 201, Qr);
    const image = await service.send("GET", `/qr/${id}/image?format=png`);
    expect(await readCode(new Uint8Array(await image.arrayBuffer()))).toBe(scanUrl);
    // The browser reports the refused form itself.
    expect(errors.filter((text) => !text.includes("400"))).toEqual([]);
    await page.context().close();
  },
);

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import { pageFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const csv = [
  "Title,Link,Tags",
  "Lunch,https://example.com/lunch,menu",
  "Dinner,mailto:dinner@example.com,menu",
  `${"A long name ".repeat(20)},https://example.com/long,menu`,
  "Breakfast,https://example.com/breakfast,menu",
].join("\n");

/** The names and states of the workspace's codes. */
async function codesOf({ service }: OwnWorkspace): Promise<string[]> {
  const { items } = await readStrictly(service.send("GET", "/qr?limit=100"), 200, QrList);
  return items.map(({ name, status }) => `${name} ${status}`).toSorted();
}

/** The faults of the page that an act leads to. */
const faultsAfter = (page: Page, act: () => Promise<unknown>): Promise<string[]> =>
  pageFaults(page, async () => {
    const [answer] = await Promise.all([page.waitForNavigation(), act()]);
    return (await answer?.text()) ?? "";
  });

/** Waits for the page of a job that has ended. Without scripts, it is reloaded. */
async function jobIsDone(page: Page, hasScripts: boolean): Promise<void> {
  await page.waitForURL(/\/dashboard\/jobs\/[^/]+$/);
  const results = page.getByRole("heading", { name: /^(Codes|Results)$/ });
  if (hasScripts) return results.waitFor();
  await expect
    .poll(async () => {
      await page.reload();
      return results.count();
    })
    .toBe(1);
}

describe.each([
  ["with scripts", true],
  ["without scripts", false],
])("many codes at once %s", (name, hasScripts) => {
  it("are created from a file, with a row corrected at once and one in a second try", async () => {
    const userName = `bulk-import ${name}`;
    const workspace = await OwnWorkspace.create(userName);
    const errors: string[] = [];
    const page = await openTab(
      browser,
      workspace.service,
      userName,
      { javaScriptEnabled: hasScripts },
      errors,
    );
    await page.goto(`${workspace.service.dashboard}/codes`);
    await page.getByRole("link", { name: "Import", exact: true }).first().click();
    const file = { name: "codes.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
    await page.getByLabel("Drop a file here").setInputFiles(file);
    await page.getByRole("button", { name: "Check rows" }).click();
    await page.getByRole("link", { name: "Row 2", exact: true }).click();
    const cell = page.getByLabel("Destination, row 2");
    await expect.poll(() => cell.evaluate((element) => element.matches(":focus, :target"))).toBe(true);
    expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("name");
    await cell.fill("https://example.com/dinner");
    await page.getByRole("button", { name: "Check again" }).last().click();
    await cell.waitFor({ state: "detached" });
    // The place stays, at the next cell with a problem.
    const next = page.getByLabel("Name, row 3");
    if (hasScripts) await expect.poll(() => next.evaluate((element) => element.matches(":focus"))).toBe(true);
    await page.getByRole("button", { name: "Create 3 codes" }).click();
    await jobIsDone(page, hasScripts);
    expect(await codesOf(workspace)).toEqual(["Breakfast active", "Dinner active", "Lunch active"]);
    await page.getByText("3 codes created, 1 row left out").waitFor();
    await page.getByRole("link", { name: "Fix 1 row" }).click();
    await page.getByLabel("Name, row 1").fill("Long");
    await page.getByRole("button", { name: "Check again" }).last().click();
    await page.getByRole("button", { name: "Create 1 code" }).click();
    await jobIsDone(page, hasScripts);
    expect(await codesOf(workspace)).toContain("Long active");
    await page.getByRole("link", { name: "Long", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Long" }).waitFor();
    // Browsers report a page with problems as a resource that failed to load.
    expect(errors.filter((text) => !text.includes("status of 400"))).toEqual([]);
    await page.context().close();
  });

  it("are edited: those that are selected, and all results", async () => {
    const userName = `bulk-change ${name}`;
    const workspace = await OwnWorkspace.create(userName);
    for (let i = 10; i < 38; i += 1) {
      const data = { type: "url", url: `https://old.example/${i}` };
      await workspace.service.send("POST", "/qr", { qrType: "url", name: `Code ${i}`, data, tags: ["menu"] });
    }
    const errors: string[] = [];
    const page = await openTab(
      browser,
      workspace.service,
      userName,
      { javaScriptEnabled: hasScripts },
      errors,
    );
    await page.goto(`${workspace.service.dashboard}/codes?q=tag:menu`);
    await page.getByLabel("Select Code 37").check();
    if (hasScripts) {
      await page.getByText("1 selected").waitFor();
      await page.getByText("Select all 28 results").first().waitFor();
      await page.getByLabel("Select all codes on this page").check();
      await page.getByText("25 selected").waitFor();
      await page.getByLabel("Select all codes on this page").uncheck();
      await page.getByLabel("Select Code 37").check();
    }
    const edit = async () => {
      await page.locator("form.selection").getByLabel("More actions").click();
      await page.getByRole("button", { name: "Edit design and destinations" }).click();
    };
    await edit();
    await page.getByText("1 code selected").waitFor();
    await page.getByRole("radio", { name: "Paused" }).check();
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Edit 1 code" }).click();
    await jobIsDone(page, hasScripts);
    const paused = async () => (await codesOf(workspace)).filter((text) => text.endsWith("paused")).length;
    expect(await paused()).toBe(1);
    await page.goto(`${workspace.service.dashboard}/codes?q=tag:menu`);
    await page.getByLabel("Select Code 37").check();
    await page.getByLabel("Select all 28 results").check();
    await edit();
    await page.getByText("All 28 codes that match “tag:menu”").waitFor();
    await page.getByRole("radio", { name: "Paused" }).check();
    await page.getByLabel("Host to replace").selectOption("old.example (28 codes)");
    await page.getByLabel("Replace with").fill("new.example");
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByText("oldnew.example/37").waitFor();
    await page.getByRole("button", { name: "Edit 28 codes" }).click();
    await jobIsDone(page, hasScripts);
    expect(await paused()).toBe(28);
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

it("the pages on the way keep the rules of the dashboard", async () => {
  const workspace = await OwnWorkspace.create("bulk-pages");
  const { service } = workspace;
  for (const name of ["<b>bold</b>", "Donaudampfschifffahrtsgesellschaftskapitän".repeat(3)]) {
    const data = { type: "url", url: "https://old.example/" };
    await service.send("POST", "/qr", { qrType: "url", name, data, tags: ["menu"] });
  }
  const page = await openTab(browser, service, "bulk-pages", { javaScriptEnabled: true });
  const submitted = (path: string, fields: Record<string, string>) =>
    faultsAfter(page, () =>
      page.evaluate(
        ([action, entries]) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "post", enctype: "multipart/form-data", action });
          for (const [name, value] of Object.entries(entries)) {
            const field = document.createElement("textarea");
            Object.assign(field, { name, value });
            form.append(field);
          }
          document.body.append(form);
          form.submit();
        },
        [path, fields] as const,
      ),
    );
  await page.goto(`${service.dashboard}/codes`);
  const check = await submitted("/dashboard/codes/import", { step: "read", text: csv });
  expect(await page.locator("td.bad").count()).toBe(2);
  await page.goto(`${service.dashboard}/codes`);
  const change = {
    all: "on",
    step: "look",
    addTags: "summer",
    "replace.from": "old.example",
    "replace.to": "b.example",
  };
  const review = await submitted("/dashboard/codes/bulk", change);
  expect(await page.locator("ins").count()).toBe(4);
  await page.goto(`${service.dashboard}/codes`);
  const deletion = await submitted("/dashboard/codes/bulk", { all: "on", step: "delete" });
  expect(await page.getByRole("button", { name: "Delete 2 codes" }).count()).toBe(1);
  expect([check, review, deletion]).toEqual([[], [], []]);
  await page.context().close();
});

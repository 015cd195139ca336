import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../support/shared-browser.ts";
import { openTab } from "../support/tabs.ts";
import { OwnWorkspace, sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const newForm = async (name: string, query = ""): Promise<Page> => {
  await OwnWorkspace.create(name);
  const page = await openTab(browser, server, name);
  await page.goto(`${server.origin}/dashboard/codes/new${query}`);
  return page;
};

it("a code's page shows its first scan within two seconds, without being loaded again", async () => {
  const { service } = await OwnWorkspace.create("first-scan");
  const data = { type: "url", url: "https://example.com/menu" };
  const { id, scanUrl } = JSON.parse(
    await (await service.send("POST", "/qr", { qrType: "url", data })).text(),
  );
  const page = await openTab(browser, server, "first-scan");
  const ready = page.waitForResponse((answer) => answer.url().includes("/scans/live"));
  await page.goto(`${server.origin}/dashboard/codes/${id}`);
  await ready;
  await page.getByText("Not scanned yet").waitFor();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await fetch(scanUrl, {
    redirect: "manual",
    headers: { "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148" },
  });
  await page.getByText("Just now").waitFor();
  await page.locator("#report dl").first().getByText(/^1$/).first().waitFor();
  const live = page.getByRole("region", { name: "Live" });
  expect(await live.textContent()).toContain("1 today");
  expect(await live.getByRole("listitem").count()).toBe(1);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  await page.context().close();
});

it("the type of a new code is changed by the keyboard and loses no entry", async () => {
  const page = await newForm("changer");
  await page.getByLabel("Where should it lead?").fill("example.com/menu");
  await page.getByLabel(/^Name/).fill("Menu");
  await page.locator("summary", { hasText: /^Tags/ }).click();
  await page.getByRole("combobox", { name: /^Tags/ }).fill("lunch");
  await page.getByRole("radio", { name: "Link" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByLabel("All other devices").waitFor();
  expect(await page.evaluate(() => document.activeElement?.getAttribute("value"))).toBe("applink");
  await page.getByRole("radio", { name: "Contact" }).check();
  await page.getByLabel("First name").fill("Ada");
  expect(await page.getByText("No UTM parameters").count()).toBe(0);
  await page.getByRole("radio", { name: "Link" }).check();
  await expect.poll(() => page.getByLabel("Where should it lead?").inputValue()).toBe("example.com/menu");
  expect(await page.getByLabel(/^Name/).inputValue()).toBe("Menu");
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Menu" }).waitFor();
  expect(await page.locator(".head-facts .tag").allTextContents()).toEqual(["lunch"]);
  await page.context().close();
});

it("a text of another type picks the type, and who writes it goes on", async () => {
  const page = await newForm("picker");
  const chosen = (name: string) => page.getByRole("radio", { name, checked: true }).waitFor();
  const focused = () =>
    page.evaluate(() =>
      document.activeElement instanceof HTMLInputElement ? document.activeElement.name : "",
    );
  await page.getByLabel("Where should it lead?").focus();
  await page.keyboard.type("+351 912 345");
  await chosen("Text message");
  await expect.poll(focused).toBe("data.phone");
  await page.keyboard.type(" 678");
  expect(await page.getByLabel("Phone number").inputValue()).toBe("+351 912 345 678");
  await page.getByLabel("Phone number").fill("ines@harbour.example");
  await chosen("Email");
  await expect.poll(focused).toBe("data.to");
  // A choice of the person stays.
  await page.getByRole("radio", { name: "Link" }).check();
  await page.getByLabel("Where should it lead?").fill("https://maps.google.com/?q=38.7,-9.1");
  await page.getByLabel(/^Name/).fill("Map");
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
  expect(await page.locator(".head-facts").textContent()).toContain("Link");
  await page.context().close();
});

it("a code is created, branded with a dropped logo, and downloaded", async () => {
  await OwnWorkspace.create("brander");
  const page = await openTab(browser, server, "brander", { acceptDownloads: true });
  await page.goto(`${server.origin}/dashboard/codes/new`);
  await page.getByLabel("Where should it lead?").fill("example.com/menu");
  const buffer = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7z"/></svg>',
  );
  await page
    .getByLabel("Drop a logo here or choose one")
    .setInputFiles({ name: "a.svg", mimeType: "image/svg+xml", buffer });
  await page.getByRole("button", { name: /^Your brand/, pressed: true }).waitFor();
  expect(await page.getByLabel("Where should it lead?").inputValue()).toBe("example.com/menu");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Create and download" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  expect(page.url()).not.toContain("download");
  await page.getByRole("link", { name: "Download the PDF" }).waitFor();
  await page.context().close();
});

it("a pasted link to a map fills in the place without a request", async () => {
  const page = await newForm("traveller", "?type=location");
  await page.waitForLoadState("networkidle");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.getByLabel(/^Map link/).fill("https://www.openstreetmap.org/#map=17/48.20849/16.37208");
  expect(await page.getByLabel("Latitude").inputValue()).toBe("48.20849");
  expect(await page.getByLabel("Longitude").inputValue()).toBe("16.37208");
  expect(await page.getByLabel(/^Map link/).inputValue()).toBe("");
  expect(requests).toEqual([]);
  await page.context().close();
});

it("folders and tags are found and chosen by the keyboard alone", async () => {
  const { service } = await OwnWorkspace.create("filer");
  for (const name of ["Cafés", "Bars", "Car parks"]) await service.send("POST", "/folders", { name });
  const data = { type: "url", url: "https://example.com" };
  await service.send("POST", "/qr", { qrType: "url", data, tags: ["summer", "winter"] });
  const page = await openTab(browser, server, "filer");
  await page.goto(`${server.origin}/dashboard/codes/new`);
  await page.getByLabel("Where should it lead?").fill("example.com/menu");
  const folder = page.getByRole("combobox", { name: /^Folder/ });
  const options = page.getByRole("listbox", { name: "Folder" }).getByRole("option");
  const marked = () => page.locator('[role=option][aria-selected="true"]').textContent();
  for (const line of [/^Tags/, /^Folder/]) {
    await page.locator("summary", { hasText: line }).focus();
    await page.keyboard.press("Enter");
  }
  await folder.focus();

  // The list opens with the choice marked, and the arrow keys go round.
  await page.keyboard.press("ArrowDown");
  expect(await folder.getAttribute("aria-expanded")).toBe("true");
  expect(await options.allTextContents()).toEqual(["None", "Bars", "Cafés", "Car parks"]);
  expect(await marked()).toBe("None");
  await page.keyboard.press("ArrowUp");
  expect(await marked()).toBe("Car parks");
  expect(await folder.getAttribute("aria-activedescendant")).toBe(await options.nth(3).getAttribute("id"));
  // Escape closes it and changes nothing.
  await page.keyboard.press("Escape");
  expect(await folder.getAttribute("aria-expanded")).toBe("false");
  expect(await folder.inputValue()).toBe("None");
  // Typing filters, without regard to accents; Enter chooses and does not send the form.
  await folder.press("Control+A");
  await page.keyboard.type("cafes");
  expect(await options.allTextContents()).toEqual(["Cafés"]);
  await page.keyboard.press("Enter");
  expect(await folder.inputValue()).toBe("Cafés");
  expect(await options.count()).toBe(0);
  // A text that matches nothing is taken back when the field is left.
  await folder.press("Control+A");
  await page.keyboard.type("zoo");
  await page.getByText("No results").waitFor();
  await page.keyboard.press("Tab");
  expect(await folder.inputValue()).toBe("Cafés");
  await page.locator("summary", { hasText: "Folder Cafés" }).waitFor();
  // Past the line of the tags.
  await page.keyboard.press("Tab");

  const tags = page.getByRole("combobox", { name: /^Tags/ });
  expect(await tags.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type("win");
  await page.getByRole("option", { name: "winter" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("lunch,sun");
  await page.keyboard.press("Enter");
  const words = page.locator(".combobox .word");
  expect(await words.allTextContents()).toEqual(["winter×", "lunch×", "sun×"]);
  await page.keyboard.press("Backspace");
  await page.keyboard.type("late");
  await page.getByRole("button", { name: "Remove lunch" }).press("Enter");
  await page.getByRole("button", { name: "Create code", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "example.com/menu" }).waitFor();
  expect(await page.locator(".head-facts .tag").allTextContents()).toEqual(["winter", "late"]);
  expect(await page.locator(".head-facts").getByRole("link", { name: "Cafés" }).count()).toBe(1);
  await page.context().close();
});

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readAtDistances, readWithJsqr } from "../../support/images/decoders.ts";
import { sample } from "../../support/runner/runs.ts";
import { rasterise } from "../support/decode.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { sharedService } from "../support/workspaces.ts";

const server = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

/** A tab, and what its browser complains of. */
async function openTab() {
  const page = await (await browser.newContext()).newPage();
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", ({ message }) => errors.push(message));
  return { page, errors };
}

/** The text that a decoder reads in a drawing as the tab shows it. */
async function readDrawn(drawing: Locator): Promise<string | undefined> {
  const file = new Uint8Array(await drawing.screenshot());
  return readAtDistances((distance) => rasterise("png", file, Math.round(1000 / distance)), readWithJsqr);
}

const drawingOf = (page: Page, text: string) => page.getByRole("img", { name: `QR code that holds ${text}` });

it("draws what is typed in each look, and asks nobody", async () => {
  const { page, errors } = await openTab();
  await page.goto(server.origin);
  await page.getByRole("img", { name: "Sample of a QR code" }).waitFor();
  await page.getByLabel("Where should it lead?").focus();
  await page.waitForLoadState("networkidle");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));

  const texts = ["https://your-cafe.example/menu?table=4", "https://käse.example/größe"];
  for (const look of sample(["Leaf", "Ocean", "Sunset", "Dots", "Classic"], 2)) {
    const text = texts[look.length % 2] ?? "";
    await page.getByRole("radio", { name: look }).check();
    await page.getByLabel("Where should it lead?").fill(text);
    const drawing = drawingOf(page, text);
    await drawing.waitFor();
    expect({ look, text: await readDrawn(drawing) }).toEqual({ look, text });
  }
  await page.getByLabel("Where should it lead?").fill("your-cafe.example");
  await drawingOf(page, "https://your-cafe.example").waitFor();
  await page.getByText("This preview contains your address.").waitFor();
  await page.getByLabel("Where should it lead?").fill("ü".repeat(2000));
  await page.getByText("Too long to draw here.").waitFor();
  await page.getByLabel("Where should it lead?").fill("");
  await page.getByRole("img", { name: "Sample of a QR code" }).waitFor();
  expect({ asked, errors }).toEqual({ asked: [], errors: [] });
  await page.context().close();
});

it.each(sample([true, false], 2))(
  "leads a newcomer with an address by the sign-in into the form; with scripts: %j",
  async (javaScriptEnabled) => {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
    await page.goto(server.origin);
    await page.getByLabel("Where should it lead?").fill("your-cafe.example/menu");
    await page.getByRole("button", { name: "Create this code" }).click();
    await page.getByText("to keep the code for your-cafe.example/menu").waitFor();
    await page.getByRole("link", { name: "Continue with" }).click();
    await page.getByRole("textbox").first().fill(`newcomer-${crypto.randomUUID()}`);
    await page.getByRole("button").first().click();
    await page.waitForURL(/codes\/new/);
    expect(await page.getByLabel("Where should it lead?").inputValue()).toBe("your-cafe.example/menu");
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.getByRole("button", { name: "Create code", exact: true }).click();
    await page.waitForURL(/codes\/[0-9a-f-]{36}/);
    expect(await page.getByRole("main").textContent()).toContain("your-cafe.example/menu");
    await page.context().close();
  },
);

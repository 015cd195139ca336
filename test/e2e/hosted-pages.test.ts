import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { AxeResults } from "axe-core";
import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import { Qr } from "../../src/contract/resources/qr.ts";
import { launchBrowser } from "./support/chromium.ts";
import { readStrictly } from "./support/read-strictly.ts";
import { OwnWorkspace } from "./support/workspaces.ts";

/** One black pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

let workspace: OwnWorkspace;
let browser: Browser;
let images: Server;
let axe = "";

beforeAll(async () => {
  images = createServer((_, response) => {
    response.writeHead(200, { "content-type": "image/png" }).end(pixel);
  }).listen(0, "127.0.0.1");
  await once(images, "listening");
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  [workspace, browser] = await Promise.all([OwnWorkspace.open("hosted-pages"), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  images?.close();
});

const content = () => ({
  title: "Summer fair",
  intro: "Saturday, from noon.",
  blocks: [
    { type: "text", text: "Bring your friends.\n\nAnd a cake." },
    { type: "link", label: "The programme", url: "example.com/programme" },
    {
      type: "image",
      url: `http://127.0.0.1:${(images.address() as AddressInfo).port}/fair.png`,
      alt: "The stalls",
    },
  ],
  form: {
    fields: [
      { type: "text", name: "name", label: "Your name", required: true },
      { type: "text", name: "message", label: "A message", multiline: true },
      { type: "email", name: "email", label: "E-mail" },
      { type: "phone", name: "phone", label: "Phone" },
      { type: "choice", name: "cake", label: "A cake?", options: ["Yes", "No"], required: true },
      { type: "choice", name: "hour", label: "When?", options: ["12", "13", "14", "15", "16", "17", "18"] },
      { type: "checkbox", name: "terms", label: "I agree", required: true },
    ],
    thanks: "See you there!",
  },
});

/** A page made with a session, and a code that leads to it. */
async function publish(over: object = {}): Promise<{ page: Page; qr: Qr }> {
  const made = workspace.callDeveloper("POST", "/pages", { ...content(), ...over });
  const page = await readStrictly(made, 201, Page);
  const body = { qrType: "servicepage", data: { type: "servicepage", pageId: page.id } };
  return { page, qr: await readStrictly(workspace.service.send("POST", "/qr", body), 201, Qr) };
}

/** A phone's browser, with what it asked for and what it complained of. */
async function phoneTab(): Promise<{ tab: Tab; asked: string[]; complaints: string[] }> {
  const tab = await browser.newPage({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  });
  const asked: string[] = [];
  const complaints: string[] = [];
  tab.on("request", (request) => asked.push(request.url()));
  tab.on("console", (message) => complaints.push(message.text()));
  tab.on("pageerror", (error) => complaints.push(error.message));
  return { tab, asked, complaints };
}

/** What an audit that is not ours finds wrong for people who can't see, or not well. */
async function audit(tab: Tab): Promise<string[]> {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate<AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

describe("a hosted page in a phone's browser", () => {
  it("asks nobody but this service, and its policy has nothing to forbid", async () => {
    const { qr } = await publish();
    const { tab, asked, complaints } = await phoneTab();
    await tab.goto(qr.scanUrl);
    const image = tab.getByRole("img", { name: "The stalls" });
    await image.waitFor();
    const shown = await tab.waitForFunction(
      (element) => (element as { naturalWidth?: number } | null)?.naturalWidth === 1,
      await image.elementHandle(),
    );
    expect(await shown.jsonValue()).toBe(true);
    expect(tab.url()).toBe(qr.scanUrl);
    expect(asked.map((url) => new URL(url).origin)).toEqual(asked.map(() => workspace.service.origin));
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
    await tab.close();
  });

  it("fits a small screen, and an accessibility audit finds nothing, in any colours it may have", async () => {
    const looks = [
      null,
      { background: "black", text: "white", accent: "gold" },
      { background: "#f5f5dc", text: "#5c4033", accent: "#b22222" },
      // As little contrast as is accepted.
      { background: "white", text: "#767676", accent: "#949494" },
    ];
    for (const colors of looks) {
      const { page, qr } = await publish({ colors });
      const { tab } = await phoneTab();
      for (const address of [qr.scanUrl, `${page.url}/sent`]) {
        await tab.goto(address);
        expect({ colors, address, found: await audit(tab) }).toEqual({ colors, address, found: [] });
        const widths = "[document.documentElement.scrollWidth, window.innerWidth]";
        const [content, screen] = await tab.evaluate<[number, number]>(widths);
        expect(content).toBeLessThanOrEqual(screen);
      }
      await tab.close();
    }
  });

  it("takes what a person enters, says what is wrong where it is wrong, and thanks", async () => {
    const { page, qr } = await publish();
    const { tab } = await phoneTab();
    await tab.goto(qr.scanUrl);
    await tab.getByLabel("Your name").fill("Käthe");
    await tab.getByLabel("A message").fill("one\ntwo");
    await tab.getByLabel("E-mail").fill("kaethe@example.com");
    await tab.getByLabel("Phone").fill("12");
    await tab.getByLabel("Yes").check();
    await tab.getByLabel("When?").selectOption("15");
    await tab.getByLabel("I agree").check();
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByText("This must be a phone number with its country code").waitFor();
    expect(await audit(tab)).toEqual([]);
    expect(await tab.getByRole("alert").innerText()).toContain("not sent yet");
    const phone = tab.getByLabel("Phone");
    expect(await tab.locator(":focus").getAttribute("name")).toBe("phone");
    expect(await phone.getAttribute("aria-invalid")).toBe("true");
    await phone.fill("+49 30 901820");
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByRole("status").waitFor();
    expect(await tab.getByRole("status").innerText()).toBe("See you there!");
    // A reload sends nothing again.
    await tab.reload();
    const path = `/pages/${page.id}/submissions`;
    const list = await readStrictly(workspace.callDeveloper("GET", path), 200, SubmissionList);
    expect(list.items.map(({ fields }) => fields)).toEqual([
      {
        name: "Käthe",
        message: "one\ntwo",
        email: "kaethe@example.com",
        phone: "+4930901820",
        cake: "Yes",
        hour: "15",
        terms: true,
      },
    ]);
    await tab.close();
  });
});

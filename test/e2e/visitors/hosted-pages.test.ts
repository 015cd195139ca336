import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page as Tab } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Page, SubmissionList } from "../../../src/contract/resources/pages.ts";
import { sample } from "../../support/runner/runs.ts";
import { hasLoaded } from "../support/chromium.ts";
import { axeFaults } from "../support/page-faults.ts";
import { readStrictly } from "../support/read-strictly.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

/** One black pixel. */
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** One pixel wide, and red if its script runs. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1">
<script>document.documentElement.style.background = "red"</script></svg>`;

let workspace: OwnWorkspace;
let browser: Browser;
let images: Server;
/** With the viewport of a phone. */
let tab: Tab;
const requestedUrls: string[] = [];
const consoleMessages: string[] = [];

beforeAll(async () => {
  images = createServer(({ url }, response) => {
    const [type, body] = url?.endsWith(".svg") ? ["image/svg+xml", drawing] : ["image/png", pixel];
    response.writeHead(200, { "content-type": type }).end(body);
  }).listen(0, "127.0.0.1");
  await once(images, "listening");
  [workspace, browser] = await Promise.all([OwnWorkspace.create("hosted-pages"), openBrowser()]);
  tab = await browser.newPage({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  tab.on("request", (request) => requestedUrls.push(request.url()));
  tab.on("console", (message) => consoleMessages.push(message.text()));
  tab.on("pageerror", (error) => consoleMessages.push(error.message));
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
      { type: "email", name: "email", label: "Email" },
      { type: "phone", name: "phone", label: "Phone" },
      { type: "choice", name: "cake", label: "A cake?", options: ["Yes", "No"], required: true },
      { type: "choice", name: "hour", label: "When?", options: ["12", "13", "14", "15", "16", "17", "18"] },
      { type: "checkbox", name: "terms", label: "I agree", required: true },
    ],
    thanks: "See you there!",
  },
});

/** Creates a page and a code whose scans open it. */
async function publish(overrides: object = {}): Promise<{ page: Page; qr: Qr }> {
  const created = workspace.callDeveloper("POST", "/pages", { ...content(), ...overrides });
  const page = await readStrictly(created, 201, Page);
  const body = { qrType: "servicepage", data: { type: "servicepage", pageId: page.id } };
  return { page, qr: await readStrictly(workspace.service.send("POST", "/qr", body), 201, Qr) };
}

/** The widths of the open page's content and of the screen, pixels. */
const widths = () =>
  tab.evaluate<[number, number]>("[document.documentElement.scrollWidth, window.innerWidth]");

async function expectFits(): Promise<void> {
  const [content, screen] = await widths();
  expect(content).toBeLessThanOrEqual(screen);
}

/** Nothing was requested from elsewhere, nothing is against the page's policy, and no script failed. */
function expectQuiet(): void {
  const { origin } = workspace.service;
  expect(requestedUrls.filter((url) => new URL(url).origin !== origin)).toEqual([]);
  // The browser reports refused forms itself.
  expect(consoleMessages.filter((text) => !/favicon|status of 400/.test(text))).toEqual([]);
}

describe("a hosted page in a phone's browser", () => {
  it("asks this service alone, shows an error beside an invalid field, stores the corrected form and thanks the visitor", async () => {
    const { page, qr } = await publish();
    await tab.goto(qr.scanUrl);
    const image = tab.getByRole("img", { name: "The stalls" });
    await image.waitFor();
    expect(await hasLoaded(image, 1)).toBe(true);
    expect(tab.url()).toBe(qr.scanUrl);
    await expectFits();
    const openedAt = Date.now();
    await tab.getByLabel("Your name").fill("Käthe");
    await tab.getByLabel("A message").fill("one\ntwo");
    await tab.getByLabel("Email").fill("kaethe@example.com");
    await tab.getByLabel("Phone").fill("12");
    await tab.getByLabel("Yes").check();
    await tab.getByLabel("When?").selectOption("15");
    await tab.getByLabel("I agree").check();
    expect(await tab.getByRole("textbox").count()).toBe(4);
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByText("Enter a phone number with its country code").waitFor();
    expect(await axeFaults(tab)).toEqual([]);
    expect(await tab.getByRole("alert").innerText()).toContain("been sent yet");
    const phone = tab.getByLabel("Phone");
    expect(await tab.locator(":focus").getAttribute("name")).toBe("phone");
    expect(await phone.getAttribute("aria-invalid")).toBe("true");
    await phone.fill("+49 30 901820");
    // A form that is sent sooner is taken for a bot's.
    await tab.waitForFunction((at) => Date.now() - at > 2000, openedAt, { polling: 100 });
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByRole("status").waitFor();
    expect(await tab.getByRole("status").innerText()).toBe("See you there!");
    // A reload must not submit the form a second time.
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
    expectQuiet();
  });

  it("shows an SVG from elsewhere, which is a download when it is opened directly", async () => {
    const url = `http://127.0.0.1:${(images.address() as AddressInfo).port}/fair.svg`;
    const { page } = await publish({ blocks: [{ type: "image", url, alt: "The stalls" }] });
    await tab.goto(page.url);
    const image = tab.getByRole("img", { name: "The stalls" });
    expect(await hasLoaded(image, 1)).toBe(true);
    const source = new URL((await image.getAttribute("src")) ?? "", page.url).href;
    const download = tab.waitForEvent("download");
    await expect(tab.goto(source)).rejects.toThrow("Download is starting");
    expect((await download).url()).toBe(source);
    expect(tab.url()).toBe(page.url);
  });
});

describe("the report form in a phone's browser", () => {
  it.each(sample(["light", "dark"] as const, 2))(
    "can be sent, and passes an accessibility audit, in %s",
    async (colorScheme) => {
      await tab.emulateMedia({ colorScheme });
      const { qr } = await publish();
      await tab.goto(qr.scanUrl);
      await tab.getByRole("link", { name: "Report this page" }).click();
      expect(await tab.getByLabel("Code").inputValue()).toBe(qr.scanUrl);
      await expectFits();

      // An address that browsers accept and the service does not.
      await tab.getByLabel("harmful software").check();
      await tab.getByLabel("email").fill("ada@localhost");
      await tab.getByRole("button", { name: "Send report" }).click();
      await tab.getByText("Enter an email address").waitFor();
      expect(await tab.locator(":focus").getAttribute("name")).toBe("email");
      expect(await tab.getByLabel("harmful software").isChecked()).toBe(true);
      expect(await axeFaults(tab)).toEqual([]);
      await expectFits();

      await tab.getByLabel("email").fill("ada@example.com");
      await tab.getByRole("button", { name: "Send report" }).click();
      await tab.getByRole("status").waitFor();
      expect(await axeFaults(tab)).toEqual([]);
      await expectFits();
      expectQuiet();
    },
  );
});

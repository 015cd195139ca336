import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { PageLook } from "../../../src/contract/resources/enums.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { visitorPageFaults } from "../../e2e/support/page-faults.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { openBrowser } from "../../e2e/support/shared-browser.ts";
import { OwnWorkspace } from "../../e2e/support/workspaces.ts";
import { sample } from "../../support/runner/runs.ts";

let workspace: OwnWorkspace;
let browser: Browser;
let images: Server;

beforeAll(async () => {
  images = createServer((_, response) => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 3"><path d="M0 0h8v3H0z"/></svg>';
    response.writeHead(200, { "content-type": "image/svg+xml" }).end(svg);
  }).listen(0, "127.0.0.1");
  await once(images, "listening");
  [workspace, browser] = await Promise.all([OwnWorkspace.create("public-pages"), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  images?.close();
});

const makeCode = (input: object): Promise<Qr> =>
  readStrictly(
    workspace.service.send("POST", "/qr", {
      qrType: "url",
      data: { type: "url", url: "example.com" },
      ...input,
    }),
    201,
    Qr,
  );

const hourFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** The pages that scans show instead of a redirect, by code. */
const codes: Readonly<Record<string, object>> = {
  "a paused code": { status: "paused" },
  "a code that has not started": { startsAt: hourFromNow(1) },
  "an expired code": { startsAt: hourFromNow(-2), expiresAt: hourFromNow(-1) },
  "a message": {
    qrType: "sms",
    data: { type: "sms", phone: "+4930901820", message: `A table for two.\n${"long".repeat(60)}` },
  },
  "a mail": {
    qrType: "email",
    data: { type: "email", to: "orders@bakery.example", subject: "Saturday", body: "Two loaves." },
  },
};

/** The faults of a page in a tab of its own, which prefers a language. */
async function faultsOf(url: string, locale = "en"): Promise<string[]> {
  const context = await browser.newContext({ locale });
  try {
    return await visitorPageFaults(await context.newPage(), url);
  } finally {
    await context.close();
  }
}

// The last one is written from right to left.
describe.each(sample(["en", "de", "ar"], 2))(
  "in the language %s, accessible in light and dark, and whole on a small phone:",
  (language) => {
    it.each(language === "en" ? Object.entries(codes) : sample(Object.entries(codes), 3))(
      "%s",
      async (_, input) => {
        expect(await faultsOf((await makeCode(input)).scanUrl, language)).toEqual([]);
      },
    );

    it("an unknown code", async () => {
      expect(await faultsOf(`${workspace.service.origin}/00000000`, language)).toEqual([]);
    });
  },
);

describe("accessible in light and dark, and whole on a small phone:", () => {
  it.each(["/", "/report", "/unknown!", "/pages/none", "/embed/demo"])("%s", async (path) => {
    expect(await faultsOf(`${workspace.service.origin}${path}`)).toEqual([]);
  });

  const palettes = {
    "the default colors": null,
    "the palest colors that a page may have": { background: "white", text: "#767676", accent: "#949494" },
    "dark colors": { background: "#101418", text: "#ffffff", accent: "#ffbf00" },
  };
  const looks = PageLook.options.flatMap((look) =>
    Object.entries(palettes).map(([name, colors]) => ({ look, name, colors })),
  );
  // One more than the palettes, so that every look and every palette is tried.
  it.each(sample(looks, Object.keys(palettes).length + 1))(
    "a hosted page of the look $look in $name",
    async ({ look, colors }) => {
      const input = {
        title: "Summer fair",
        intro: "Saturday, from noon.",
        header: {
          url: `http://127.0.0.1:${(images.address() as AddressInfo).port}/fair.svg`,
          alt: "The stalls",
        },
        blocks: [
          { type: "text", text: "Cakes, music and a raffle." },
          { type: "link", label: "The programme", url: "example.com" },
        ],
        form: {
          fields: [
            { type: "text", name: "name", label: "Your name", required: true },
            { type: "choice", name: "cake", label: "A cake?", options: ["Yes", "No"] },
            { type: "checkbox", name: "terms", label: "I agree", required: true },
          ],
        },
        look,
        colors,
      };
      const page = await readStrictly(workspace.callDeveloper("POST", "/pages", input), 201, Page);
      expect(await faultsOf(page.url)).toEqual([]);
      expect(await faultsOf(`${page.url}/sent`)).toEqual([]);
    },
  );
});

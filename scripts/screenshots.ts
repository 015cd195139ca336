import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/e2e/support/chromium.ts";
import { companyName } from "./company/company.ts";
import { Stage } from "./company/stage.ts";
import { imagesWorker } from "./lib/images-worker.ts";
import { withPalette } from "./lib/palette-png.ts";
import { sessionSecret } from "./lib/seed.ts";
import { root } from "./lib/wrangler.ts";

// `npm run screenshots` takes the pictures of the dashboard for the documentation. Company, scans and time are always
// the same, so a picture only changes with its page. Names take those pictures alone. `npm run screenshots -- --review
// FOLDER [NAME …]` takes the main screens, or those named, at the three widths of the frame, in light and dark, for review.

const { values: options, positionals: names } = parseArgs({
  options: { review: { type: "string" } },
  allowPositionals: true,
});
const folder = options.review ?? join(root, "docs/img");

/** When the pictures are taken: a Tuesday afternoon in summer. */
const pictureTime = Date.UTC(2026, 5, 30, 15, 20);
const origin = "https://qr.harbour.example";

const wide = { width: 1440, height: 900 };
const tall = { width: 1280, height: 1195 };
const tablet = { width: 1000, height: 900 };
const narrow = { width: 1199, height: 900 };
const small = { width: 768, height: 900 };
const phone = { width: 390, height: 844 };

interface Picture {
  readonly name: string;
  /** A path of the dashboard. */
  readonly path: string;
  readonly size?: { readonly width: number; readonly height: number };
  readonly dark?: true;
  /** The part of the page that is taken; all that the window shows if omitted. */
  readonly part?: string;
  /** Actions on the page before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const isNamed = ({ name }: { readonly name: string }): boolean => names.length === 0 || names.includes(name);

const pictures = (stage: Stage): readonly Picture[] => {
  const code = `/dashboard/codes/${stage.codes.get("summer-menu")?.id}`;
  return [
    { name: "designed", path: code, part: ".code-head .picture" },
    {
      name: "labels",
      path: `/dashboard/print?${[...stage.codes.values()].map(({ id }) => `id=${id}`).join("&")}`,
      part: ".page-preview img",
    },
    { name: "report", path: code, size: small, part: ".chart-frame" },
    { name: "overview", path: "/dashboard" },
    { name: "overview-dark", path: "/dashboard", dark: true },
    { name: "codes", path: "/dashboard/codes" },
    { name: "code", path: code },
    { name: "change-destination", path: code, size: narrow, part: ".code-head", act: changeDestination },
    { name: "templates", path: "/dashboard/templates" },
    { name: "page-editor", path: `/dashboard/pages/${stage.pageId}/edit`, act: showPreview },
    { name: "submissions", path: `/dashboard/pages/${stage.pageId}/submissions` },
    { name: "new-code", path: "/dashboard/codes/new", act: fillForm },
    { name: "import", path: "/dashboard/codes/import", act: pasteTable },
    { name: "new-key", path: "/dashboard/developer/keys/new", act: createKey },
    { name: "webhook", path: "/dashboard/developer/webhooks/new", act: createWebhook },
    { name: "codes-phone", path: "/dashboard/codes", size: phone },
    { name: "code-phone-dark", path: code, size: phone, dark: true },
    { name: "shared-report", path: `${code}/share`, size: tall, act: openSharedReport },
  ];
};

/** The main screens in full, at every width of the frame and in both schemes. */
function reviewed(stage: Stage): readonly Picture[] {
  const code = `/dashboard/codes/${stage.codes.get("summer-menu")?.id}`;
  const screens: readonly Omit<Picture, "size" | "dark">[] = [
    { name: "overview", path: "/dashboard" },
    { name: "codes", path: "/dashboard/codes" },
    { name: "code", path: code },
    { name: "new-code", path: "/dashboard/codes/new", act: fillForm },
    { name: "import", path: "/dashboard/codes/import", act: pasteTable },
    { name: "templates", path: "/dashboard/templates" },
    { name: "page-editor", path: `/dashboard/pages/${stage.pageId}/edit`, act: showPreview },
    { name: "developer", path: "/dashboard/developer/keys" },
    { name: "settings", path: "/dashboard/settings" },
    { name: "plan", path: "/dashboard/settings/plan" },
    { name: "retention", path: "/dashboard/settings/reports" },
    { name: "account", path: "/dashboard/settings/account" },
    { name: "history", path: "/dashboard/history?actor=key" },
    { name: "code-history", path: `${code}/edit`, act: makeChanges },
    { name: "brand", path: "/dashboard/settings/brand" },
    { name: "shared-report", path: `${code}/share`, act: openSharedReport },
  ];
  return screens.filter(isNamed).flatMap((screen) =>
    [wide, tablet, phone].flatMap((size) =>
      [false, true].map((dark): Picture => {
        const name = `${screen.name}-${size.width}${dark ? "-dark" : ""}`;
        return { ...screen, name, size, ...(dark ? { dark } : {}) };
      }),
    ),
  );
}

/** Types another destination of a code. */
async function changeDestination(page: Page): Promise<void> {
  await page.getByLabel("Leads to").fill("https://harbour.example/menu/autumn");
}

async function fillForm(page: Page): Promise<void> {
  await page.getByLabel("Where should it lead?").fill("harbour.example/winter");
  await page.getByLabel("Name optional", { exact: true }).fill("Winter window");
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => scrollTo(0, 0));
}

async function pasteTable(page: Page): Promise<void> {
  const rows = [
    "Name\tLink\tTags\tNotes",
    "Pier 1\tharbour.example/pier/1\tposters\tby the stairs",
    "Pier 2\tmailto:pier@harbour.example\tposters\t",
    `${"Pier 3, on the wall behind the ticket office ".repeat(5)}\tharbour.example/pier/3\tposters\t`,
    "Pier 4\tharbour.example/pier/4\tposters\tat the crane",
  ];
  await page.getByLabel("Or paste a table").fill(rows.join("\n"));
  // Playwright doesn't pass on requests with a file field.
  await page.getByLabel("Drop a file here").evaluate((field) => field.remove());
  await page.getByRole("button", { name: "Check rows" }).click();
  await page.getByText("2 need a fix").waitFor();
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    scrollTo(0, 0);
  });
}

/** Waits for the preview of a page. */
async function showPreview(page: Page): Promise<void> {
  await page.frameLocator("iframe[name^='preview-']").getByRole("heading").first().waitFor();
  await page.waitForLoadState("networkidle");
}

async function createKey(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Copy the key now.").waitFor();
  // Keys are random, but pictures must always be the same.
  await page.evaluate(hideKey, "X".repeat(32));
}

/** Replaces the random part of each key shown on a page. */
function hideKey(random: string): void {
  const hidden = (text: string) => text.replace(/(?<=[sp]k_live_)[0-9A-Za-z]{32}/g, random);
  for (const code of document.querySelectorAll("pre code")) code.textContent = hidden(code.textContent ?? "");
  for (const field of document.querySelectorAll("input")) field.value = hidden(field.value);
}

async function createWebhook(page: Page): Promise<void> {
  await page.getByLabel("URL").fill("https://harbour.example/hooks/codes");
  await page.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Recent deliveries" }).waitFor();
}

/** Changes a code twice, and opens the last change in the history. */
async function makeChanges(page: Page): Promise<void> {
  const edit = page.url();
  await page.getByLabel("Destination").fill(`harbour.example/menu/autumn-${Date.now() % 100}`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.goto(edit);
  await page.getByLabel("Destination").fill("harbour.example/menu/summer");
  await page.getByLabel("Name optional", { exact: true }).fill(`Menu ${Date.now() % 100}`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.goto(edit.replace(/edit$/, "history"));
  await page.locator(".history-day summary").first().click();
}

async function openSharedReport(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create link" }).click();
  await page.goto(await page.getByLabel("Link of the report").inputValue());
}

async function take(browser: Browser, stage: Stage, picture: Picture): Promise<void> {
  const { name, path, size = wide, dark = false, part, act } = picture;
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: 2,
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    // On phones, the pointer is also coarse.
    ...(size === phone ? { isMobile: true, hasTouch: true } : {}),
    // Required for the style below.
    bypassCSP: true,
  });
  const [cookie = "", value = ""] = stage.cookie.split("=");
  await context.addCookies([{ name: cookie, value, url: origin, secure: true }]);
  await context.route(`${origin}/**`, async (route) => {
    const request = route.request();
    // A stream never ends, so the page would never be idle.
    if (request.resourceType() === "eventsource") return route.abort();
    const body = request.postData();
    const answer = await stage.fetch(request.url(), {
      method: request.method(),
      headers: await request.allHeaders(),
      ...(body === null ? {} : { body }),
    });
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: Buffer.from(await answer.arrayBuffer()),
    });
  });
  const page = await context.newPage();
  await page.goto(origin + path);
  await act?.(page);
  await page.waitForLoadState("networkidle");
  // Pictures have no scrollbars.
  await page.addStyleTag({ content: "html { scrollbar-gutter: auto }" });
  await page.evaluate(async () => {
    // Lazy images below the fold are never loaded.
    const eager = [...document.images].filter(({ loading }) => loading !== "lazy");
    await Promise.all(eager.map((image) => image.decode()));
  });
  const target = part === undefined ? page : page.locator(part).first();
  const png = await withPalette(new Uint8Array(await target.screenshot()));
  await writeFile(join(folder, `${name}.png`), png);
  console.log(`${name}.png ${Math.round(png.length / 1024)} KB`);
  await context.close();
}

await mkdir(folder, { recursive: true });
console.log(`Setting the stage for ${companyName}…`);
await using stage = await Stage.set({
  now: pictureTime,
  origin,
  issuer: "https://id.harbour.example",
  subject: "ines",
  receiver: "https://harbour.example/hooks/visits",
  variables: { SESSION_SECRET: sessionSecret },
  images: await imagesWorker(),
});
const browser = await launchBrowser();
try {
  const taken = options.review === undefined ? pictures(stage).filter(isNamed) : reviewed(stage);
  for (const picture of taken) await take(browser, stage, picture);
} finally {
  await browser.close();
}

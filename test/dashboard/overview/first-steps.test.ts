import { beforeEach, expect, it } from "vitest";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, signedIn } from "../../support/dashboard.ts";
import { scanRecord } from "../../support/scans/scans.ts";
import { recordVaried } from "../../support/scans/varied-scans.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
let browser: Browser;
let client: Client;

beforeEach(async () => {
  ({ browser, client } = await signedIn(service));
});

const overview = () => pageAt(browser, "/dashboard");

/** The progress of the steps on a page. */
const progress = (page: string): string[] => {
  const [, list = ""] =
    /<section class="first-steps".*?<ol class="plain steps">(.*?)<\/ol>/s.exec(page) ?? [];
  return [...list.matchAll(/<li class="(\w+)"/g)].map(([, name = ""]) => name);
};

const codes = async () => (await client.expect(200, QrList, "GET", "/qr")).items;

const scan = ({ id, hash }: { id: string; hash: string }) =>
  recordVaried(service, [
    scanRecord({
      at: Date.now(),
      workspaceId: client.workspaceId,
      qrId: id,
      hash,
      city: "Porto",
      country: "PT",
    }),
  ]);

/** Creates the first code on the overview. */
async function begin() {
  const fields = { ...fieldsOf(await overview()), "data.url": "example.com/menu" };
  const answer = await browser.submit("/dashboard/first-steps", fields);
  expect([answer.status, new URL(answer.headers.get("location") ?? "").pathname]).toEqual([
    303,
    "/dashboard",
  ]);
  const [code] = await codes();
  if (code === undefined) throw new Error("there is no code");
  return { code, fields };
}

it("ticks off a code, a scan and a download, by links and forms alone", async () => {
  expect(progress(await overview())).toEqual(["current", "upcoming", "upcoming"]);
  const { code } = await begin();
  expect(code.data).toEqual({ type: "url", url: "https://example.com/menu" });
  const created = await overview();
  expect(progress(created)).toEqual(["done", "current", "upcoming"]);
  expect(created).toContain(`src="${code.scanUrl}.svg`);
  await scan(code);
  const scanned = await overview();
  expect(progress(scanned)).toEqual(["done", "done", "current"]);
  expect(scanned).toContain("Porto, Portugal");
  expect(scanned).toContain('<dl class="totals">');
  const [, image = ""] = /href="([^"]+format=svg)"[^>]*data-downloaded/.exec(scanned) ?? [];
  const file = await browser.open(await browser.follow(image.replaceAll("&amp;", "&")));
  expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename=.*\.svg/);
  expect(progress(await overview())).toEqual([]);
});

it("ticks off a download before a scan", async () => {
  const { code } = await begin();
  await browser.follow(`/dashboard/first-steps/image?code=${code.id}&format=png`);
  expect(progress(await overview())).toEqual(["done", "current", "done"]);
});

it("lead to a scan where a code was created elsewhere, and are not shown once it was scanned", async () => {
  const code = await client.createQr();
  expect(progress(await overview())).toEqual(["done", "current", "upcoming"]);
  await scan(code);
  expect(progress(await overview())).toEqual([]);
});

it("create one code for a form sent twice, and none for a refused one, which keeps its entry", async () => {
  const { fields } = await begin();
  await browser.submit("/dashboard/first-steps", fields);
  expect(await codes()).toHaveLength(1);
  const refused = await browser.submit("/dashboard/first-steps", { ...fields, "data.url": "menu,example" });
  const page = await refused.text();
  expect(refused.status).toBe(400);
  expect(fieldsOf(page)["data.url"]).toBe("menu,example");
  expect(page).toContain('aria-invalid="true"');
  expect(await codes()).toHaveLength(1);
});

it("are the same as a part of the page, which knows of a download at once", async () => {
  const { code } = await begin();
  await scan(code);
  const path = `/dashboard/first-steps?code=${code.id}`;
  expect(progress(await pageAt(browser, path))).toEqual(["done", "done", "current"]);
  expect(progress(await pageAt(browser, `${path}&downloaded`))).toEqual(["done", "done", "done"]);
  const stranger = await signedIn(service);
  await pageAt(stranger.browser, path, 404);
  await pageAt(stranger.browser, path.replace("first-steps", "first-steps/image"), 404);
});

it("can be hidden, and are those of their own workspace", async () => {
  const { code } = await begin();
  await scan(code);
  const stranger = await signedIn(service);
  await stranger.client.createQr();
  const cookie = browser.cookies.get("first-code") ?? "";
  expect(cookie).toBe(code.id);
  stranger.browser.cookies.set("first-code", cookie);
  expect(await pageAt(stranger.browser, "/dashboard")).not.toContain(code.id);
  await browser.submit("/dashboard/first-steps/hide", {});
  expect(progress(await overview())).toEqual([]);
});

import { beforeEach, describe, expect, it } from "vitest";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;

beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const markup = `<img src=x onerror=alert(1)>"'&`;
const listed = () => me.client.expect(200, QrList, "GET", "/qr");
const newest = async (): Promise<Qr> => {
  const [qr] = (await listed()).items;
  if (qr === undefined) throw new Error("there is no code");
  return qr;
};

describe("a new code", () => {
  it("is created by its form alone, and shown", async () => {
    const fields = fieldsOf(await pageAt(browser, "/dashboard/codes/new"));
    const answer = await browser.submit("/dashboard/codes/new", {
      ...fields,
      "data.url": "example.com/menu",
      name: "Menu",
      tags: "summer, lunch",
      startsAt: "2030-01-31T09:30",
      "utm.source": "table",
      "colorConfig.dotsColor": "#113355",
    });
    const qr = await newest();
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard/codes/${qr.id}`);
    expect(qr).toMatchObject({
      name: "Menu",
      data: { type: "url", url: "https://example.com/menu" },
      tags: ["summer", "lunch"],
      startsAt: "2030-01-31T09:30:00.000Z",
      utm: { source: "table" },
      colorConfig: { dotsColor: "#113355" },
      shape: null,
    });
    const page = await pageAt(browser, `/dashboard/codes/${qr.id}`);
    expect(page).toContain("Code created.");
    expect(page).toContain(qr.scanUrl);
    expect(page).toContain("https://example.com/menu");
  });

  it("shows what is wrong beside each field, and keeps what was entered", async () => {
    const answer = await browser.submit("/dashboard/codes/new", {
      type: "vcard",
      "data.phones": "12",
      "data.note": markup,
      tags: "x".repeat(101),
    });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('href="#data.firstName">Enter a first name or an organisation.');
    expect(page).toContain('href="#tags">Tags can have at most 100 characters');
    expect(fieldsOf(page)).toMatchObject({ "data.phones": "12", "data.note": markup, tags: "x".repeat(101) });
    const second = await browser.submit("/dashboard/codes/new", {
      type: "vcard",
      "data.firstName": "Ada",
      "data.phones": "12",
    });
    expect(await second.text()).toContain('aria-describedby="data.phones-problem"');
    expect((await listed()).items).toEqual([]);
  });

  it("can be followed by another, and begin as a copy or with an address", async () => {
    const qr = await me.client.createQr({ name: "First", tags: ["a", "b"], shape: "circle" });
    const copy = fieldsOf(await pageAt(browser, `/dashboard/codes/new?from=${qr.id}`));
    expect(copy).toMatchObject({
      name: "First",
      tags: "a, b",
      "advanced.modules": "dots",
      "data.url": "https://example.com/",
    });
    const answer = await browser.submit("/dashboard/codes/new", { ...copy, name: "Second", next: "another" });
    const second = await newest();
    expect(second.name).toBe("Second");
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard/codes/new?like=${second.id}`);
    const begun = fieldsOf(await pageAt(browser, "/dashboard/codes/new?data.url=https://example.org/"));
    expect(begun["data.url"]).toBe("https://example.org/");
  });

  it("offers what the plan has, and names the plan where it has not", async () => {
    const free = await signedIn(service, "free");
    const page = await pageAt(free.browser, "/dashboard/codes/new");
    expect(page).not.toContain("type=vcard");
    expect(page).not.toContain('name="hash"');
    const answer = await free.browser.submit("/dashboard/codes/new", {
      type: "vcard",
      "data.firstName": "Ada",
    });
    expect(answer.status).toBe(402);
    const refused = await answer.text();
    expect(refused).toContain("Your Free plan doesn&#39;t include contact codes");
    expect(fieldsOf(refused)["data.firstName"]).toBe("Ada");
    expect(await pageAt(browser, "/dashboard/codes/new")).toContain('name="hash"');
  });
});

describe("the preview", () => {
  const preview = (query: string) => pageAt(browser, `/dashboard/codes/preview?${query}`);

  it("draws an unsaved design, and says why it can't be scanned", async () => {
    const drawn = await preview("colorConfig.dotsColor=%23123456&advanced.modules=dots");
    const [, image = ""] = /base64,([^"]+)/.exec(drawn) ?? [];
    expect(atob(image)).toContain('fill="#123456"');
    expect(drawn).not.toContain("<html");
    const refused = await preview("colorConfig.dotsColor=%23eeeeee");
    expect(refused).toContain(
      "The colour of the code is too pale to scan: contrast is 1.16:1, phones need 3:1.",
    );
    expect(refused).not.toContain("<img");
  });

  it("knows neither the code nor the template of another workspace", async () => {
    const other = await signedIn(service);
    const qr = await other.client.createQr();
    expect((await browser.open(`/dashboard/codes/preview?id=${qr.id}`)).status).toBe(404);
    expect(await preview(`templateId=${qr.id}`)).toContain("isn&#39;t a template of this workspace");
  });
});

describe("a code", () => {
  it("is edited, and its scans follow", async () => {
    const qr = await me.client.createQr({ name: "Menu", tags: ["a"], utm: { source: "x" } });
    const edit = `/dashboard/codes/${qr.id}/edit`;
    const fields = fieldsOf(await pageAt(browser, edit));
    const answer = await browser.submit(edit, {
      ...fields,
      "data.url": "https://example.org/new",
      name: "",
      tags: "",
      "utm.source": "",
      expiresAt: "2040-05-01T00:00",
    });
    expect(answer.status).toBe(303);
    expect(await newest()).toMatchObject({
      name: null,
      tags: [],
      utm: null,
      expiresAt: "2040-05-01T00:00:00.000Z",
    });
    expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.org/new");
  });

  it("keeps what its form can't show exactly", async () => {
    const qr = await me.client.createQr({
      colorConfig: { dotsColor: "navy", backgroundColor: "transparent", cornerColor: "black", note: "kept" },
      startsAt: "2030-01-01T00:00:59.123Z",
      advanced: { kept: true },
    });
    const edit = `/dashboard/codes/${qr.id}/edit`;
    await browser.submit(edit, { ...fieldsOf(await pageAt(browser, edit)), name: "Named" });
    const { name, updatedAt, ...others } = await newest();
    expect([name, updatedAt === qr.updatedAt]).toEqual(["Named", false]);
    expect({ ...others, name: null, updatedAt: qr.updatedAt }).toEqual(qr);
  });

  it("is paused, resumed and, after a question, deleted", async () => {
    const qr = await me.client.createQr({ name: "Menu" });
    const path = `/dashboard/codes/${qr.id}`;
    await browser.submit(`${path}/pause`, {});
    expect((await newest()).status).toBe("paused");
    expect(await pageAt(browser, path)).toContain("Code paused.");
    await browser.submit(`${path}/resume`, {});
    expect((await service.scan(qr.hash)).status).toBe(302);
    const question = await pageAt(browser, `${path}/delete`);
    expect(question).toContain("Its scans stay in your reports");
    expect((await service.scan(qr.hash)).status).toBe(302);
    const answer = await browser.submit(`${path}/delete`, {});
    expect(answer.headers.get("location")).toBe(`${origin}/dashboard/codes`);
    expect((await service.scan(qr.hash)).status).toBe(404);
    expect(await pageAt(browser, "/dashboard/codes")).toContain("Code deleted.");
    expect(await pageAt(browser, path, 410)).toContain("Restore code");
    await browser.submit(`${path}/restore`, {});
    expect((await service.scan(qr.hash)).status).toBe(302);
    expect(await pageAt(browser, path)).toContain("Code restored.");
  });

  it("shows the address that a scan opens, campaign parameters included, in its own colour", async () => {
    const qr = await me.client.createQr({
      data: { type: "url", url: "https://example.com/menu?table=1#top" },
      utm: { source: "poster", campaign: "summer" },
      colorConfig: { dotsColor: "#0f5c4d" },
    });
    const page = await pageAt(browser, `/dashboard/codes/${qr.id}`);
    const [, href = ""] = /class="leads">.*?<a [^>]*href="([^"]+)"/s.exec(page) ?? [];
    const opened = (await service.scan(qr.hash)).headers.get("location");
    expect(href.replaceAll("&amp;", "&")).toBe(opened);
    expect(opened).toBe("https://example.com/menu?table=1&utm_source=poster&utm_campaign=summer#top");
    expect(page).toContain('class="code-head tint tint-18 tint-by-2"');
    // Downloading is the first that one can do with a code.
    expect(page.indexOf("Download")).toBeLessThan(page.indexOf(`${qr.id}/edit"`));
  });

  it("can be downloaded", async () => {
    const qr = await me.client.createQr();
    const png = await browser.open(`/dashboard/codes/${qr.id}/image?format=png&size=1024&download`);
    expect(png.headers.get("content-type")).toBe("image/png");
    expect(png.headers.get("content-disposition")).toContain(`${qr.hash}-1024.png`);
    expect((await png.arrayBuffer()).byteLength).toBeGreaterThan(500);
    const refused = await browser.open(`/dashboard/codes/${qr.id}/image?size=1`);
    expect([refused.status, (await refused.text()).includes("size must be ")]).toEqual([400, true]);
  });

  it("of another workspace has the same pages as one that does not exist", async () => {
    const other = await signedIn(service);
    const qr = await other.client.createQr({ name: "Secret" });
    for (const suffix of ["", "/edit", "/delete", "/image", "/pause", "/resume", "/restore"]) {
      const isChange = ["/pause", "/resume", "/restore"].includes(suffix);
      const pages = [qr.id, crypto.randomUUID()].map(async (id) => {
        const path = `/dashboard/codes/${id}${suffix}`;
        const answer = await (isChange ? browser.submit(path, {}) : browser.open(path));
        return [answer.status, (await answer.text()).replaceAll(id, "ID")];
      });
      const [foreign, unknown] = await Promise.all(pages);
      expect([suffix, foreign?.[0]]).toEqual([suffix, 404]);
      expect(unknown).toEqual(foreign);
    }
    expect((await browser.open("/dashboard/codes/nonsense")).status).toBe(404);
    expect((await other.client.expect(200, Qr, "GET", `/qr/${qr.id}`)).status).toBe("active");
  });
});

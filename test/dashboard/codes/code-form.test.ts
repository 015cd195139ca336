import { beforeAll, describe, expect, it } from "vitest";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, newestCode, pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;
/** The page with the form of a new code. */
let newPage: string;
beforeAll(async () => {
  me = await signedIn(service);
  ({ browser } = me);
  newPage = await pageAt(browser, path);
});

const path = "/dashboard/codes/new";
const listed = async () => (await me.client.expect(200, QrList, "GET", "/qr")).items;
const idsOf = async () => (await listed()).map(({ id }) => id);
/** The fields of a new form: those of the page, with a key of their own. */
const newForm = () => ({ ...fieldsOf(newPage), key: crypto.randomUUID() });
const formOf = async (type: string) => fieldsOf(await pageAt(browser, `${path}?type=${type}`));

describe("the form of a new code, submitted twice,", () => {
  it("creates one code and leads to it both times", async () => {
    const form = { ...newForm(), "data.url": "example.com", name: "Menu" };
    const before = await idsOf();
    const first = await browser.submit(path, form);
    const second = await browser.submit(path, form);
    expect(first.status).toBe(303);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(await listed()).toHaveLength(before.length + 1);
  });

  it("creates one code when both arrive at once, also with a chosen short name", async () => {
    for (const hash of ["", `menu-${crypto.randomUUID().slice(0, 8)}`]) {
      const form = { ...newForm(), "data.url": "example.com", hash };
      const before = (await listed()).length;
      const answers = await Promise.all([1, 2, 3].map(() => browser.submit(path, form)));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
      expect(await listed()).toHaveLength(before + 1);
    }
  });

  it("creates two codes with other entries, as after the browser's back button", async () => {
    const form = { ...newForm(), "data.url": "example.com" };
    const before = await idsOf();
    await browser.submit(path, form);
    await browser.submit(path, { ...form, "data.url": "example.org" });
    expect(await listed()).toHaveLength(before.length + 2);
  });

  it("keeps its key when it is shown again with a problem, and every new form has another", async () => {
    const form = fieldsOf(newPage);
    const answer = await browser.submit(path, { ...form, "data.url": "" });
    expect(fieldsOf(await answer.text()).key).toBe(form.key);
    expect(fieldsOf(await pageAt(browser, path)).key).not.toBe(form.key);
  });

  it("is another user's own", async () => {
    const other = await signedIn(service);
    const form = { ...newForm(), "data.url": "example.com" };
    const before = await idsOf();
    const [mine, theirs] = [await browser.submit(path, form), await other.browser.submit(path, form)];
    expect(theirs.headers.get("location")).not.toBe(mine.headers.get("location"));
    expect(await listed()).toHaveLength(before.length + 1);
  });
});

it("creating a code and then another keeps the settings, not what each code has of its own", async () => {
  const answer = await browser.submit(path, {
    ...newForm(),
    "data.url": "example.com/1",
    name: "Table 1",
    tags: "tables",
    "advanced.modules": "dots",
    "colorConfig.dotsColor": "#14532d",
    "utm.source": "poster",
    next: "another",
  });
  const next = answer.headers.get("location")?.replace(origin, "") ?? "";
  const form = fieldsOf(await pageAt(browser, next));
  expect(form).toMatchObject({
    "data.url": "",
    name: "",
    hash: "",
    tags: "tables",
    "advanced.modules": "dots",
    "colorConfig.dotsColor": "#14532d",
    "utm.source": "poster",
  });
  await browser.submit(path, { ...form, "data.url": "example.com/2", name: "Table 2" });
  const codes = await listed();
  expect(codes.slice(0, 2).map(({ name, tags, shape }) => [name, tags, shape])).toEqual([
    ["Table 2", ["tables"], "circle"],
    ["Table 1", ["tables"], "circle"],
  ]);
});

it("a code is paused and resumed in its form, too", async () => {
  const qr = await me.client.createQr();
  const edit = `/dashboard/codes/${qr.id}/edit`;
  const form = fieldsOf(await pageAt(browser, edit));
  expect(form.status).toBe("active");
  await browser.submit(edit, { ...form, status: "paused" });
  expect((await newestCode(me)).status).toBe("paused");
  const again = fieldsOf(await pageAt(browser, edit));
  expect(again.status).toBe("paused");
  const wrong = await browser.submit(edit, { ...again, status: "asleep" });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain('href="#status">Status must be');
  await browser.submit(edit, { ...again, status: "active" });
  expect((await newestCode(me)).status).toBe("active");
});

it("neither a copy nor further codes can be begun from another workspace's code", async () => {
  const other = await signedIn(service);
  const qr = await other.client.createQr({ name: "Secret", tags: ["secret"] });
  for (const query of [`?from=${qr.id}`, `?like=${qr.id}`]) await pageAt(browser, path + query, 404);
});

describe("another type", () => {
  const entries = {
    "data.url": "example.com/menu",
    name: "Menu",
    tags: "summer, lunch",
    hash: "menu-summer",
    "utm.source": "poster",
    startsAt: "2030-01-31T09:30",
    "colorConfig.dotsColor": "#113355",
  };

  it("keeps all entries, also those that it has no fields for, and creates nothing", async () => {
    const first: Record<string, string> = { ...newForm(), ...entries };
    const before = await idsOf();
    const answer = await browser.submit(path, { ...first, type: "vcard", change: "type" });
    expect(answer.status).toBe(200);
    const page = await answer.text();
    expect(page).not.toContain('id="problems"');
    const contact = fieldsOf(page);
    expect(contact).toMatchObject({ ...entries, type: "vcard", "data.firstName": "", key: first.key });
    const back = await browser.submit(path, {
      ...contact,
      "data.firstName": "Ada",
      type: "url",
      change: "type",
    });
    const again = fieldsOf(await back.text());
    expect(again).toMatchObject({ ...entries, type: "url", "data.firstName": "Ada" });
    expect(await idsOf()).toEqual(before);
    await browser.submit(path, again);
    expect(await newestCode(me)).toMatchObject({
      ...{ name: "Menu", data: { type: "url" }, utm: { source: "poster" } },
    });
  });

  it("that the plan lacks is refused where it is chosen, once, and keeps all entries", async () => {
    const free = await signedIn(service, "free");
    const page = await pageAt(free.browser, path);
    expect(page).not.toContain("doesn&#39;t include");
    for (const change of [{ change: "type" }, {}]) {
      const answer = await free.browser.submit(path, {
        ...fieldsOf(page),
        ...entries,
        ...{ type: "vcard", "data.firstName": "Ada", ...change },
      });
      const refused = await answer.text();
      expect(answer.status).toBe("change" in change ? 200 : 402);
      expect(refused.split("Your Free plan doesn&#39;t include contact codes.")).toHaveLength(2);
      expect(fieldsOf(refused)).toMatchObject({ "data.url": entries["data.url"], "data.firstName": "Ada" });
    }
  });
});

describe("a place", () => {
  const place = { type: "location", name: "Café" };

  it("is read from a link to a map, on creation and in its form", async () => {
    const link =
      "https://www.google.com/maps/place/Brandenburg+Gate/@52.5,13.3,17z/data=!3d52.516275!4d13.377704";
    await browser.submit(path, { ...(await formOf("location")), ...place, mapLink: link });
    const qr = await newestCode(me);
    const data = { latitude: 52.516275, longitude: 13.377704, label: "Brandenburg Gate" };
    expect(qr.data).toEqual({ type: "location", ...data });
    const edit = `/dashboard/codes/${qr.id}/edit`;
    const fields = fieldsOf(await pageAt(browser, edit));
    expect(fields.mapLink).toBe("");
    await browser.submit(edit, { ...fields, mapLink: "geo:48.2010,16.3695" });
    expect((await newestCode(me)).data).toEqual({
      type: "location",
      ...data,
      latitude: 48.201,
      longitude: 16.3695,
    });
  });

  it.each([
    ["48,2082", "16,3738"],
    [" -48,2082° ", "\u221216,3738"],
    ["48.2082", "+16,3738"],
  ])("is %s and %s, with decimal commas", async (latitude, longitude) => {
    const entered = { "data.latitude": latitude, "data.longitude": longitude };
    await browser.submit(path, { ...(await formOf("location")), ...place, ...entered });
    const sign = (text: string) => (/[-\u2212]/.test(text) ? -1 : 1);
    expect((await newestCode(me)).data).toEqual({
      type: "location",
      latitude: sign(latitude) * 48.2082,
      longitude: sign(longitude) * 16.3738,
    });
  });

  it("is refused with the link named, which stays", async () => {
    const mapLink = "https://maps.app.goo.gl/abc";
    const answer = await browser.submit(path, { ...(await formOf("location")), ...place, mapLink });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('href="#mapLink">Map link has no coordinates');
    expect(fieldsOf(page)).toMatchObject({ mapLink, name: "Café" });
  });
});

it("the preview is drawn by a button, too, and keeps all entries and what the form was opened with", async () => {
  const qr = await me.client.createQr({ name: "Menu" });
  const before = await listed();
  for (const form of [path, `/dashboard/codes/${qr.id}/edit`]) {
    const fields = fieldsOf(await pageAt(browser, form));
    const answer = await browser.submit(form, {
      ...fields,
      name: "Dinner",
      "colorConfig.dotsColor": "#123456",
      change: "preview",
    });
    const page = await answer.text();
    const [, image = ""] = /base64,([^"]+)/.exec(page) ?? [];
    expect(atob(image)).toContain('fill="#123456"');
    expect(fieldsOf(page)).toMatchObject({ ...fields, name: "Dinner", "colorConfig.dotsColor": "#123456" });
  }
  expect(await listed()).toEqual(before);
});

it("the destination of a new code has the focus, but not where the form is shown again", async () => {
  expect(newPage).toMatch(/<input[^>]* name="data.url"[^>]* autofocus/);
  const again = await browser.submit(path, { type: "url", change: "type" });
  expect(await again.text()).not.toContain("autofocus");
});

it("a contact begins with six fields", async () => {
  const page = await pageAt(browser, `${path}?type=vcard`);
  const [before = "", after = ""] = page.split("More fields");
  const names = (part: string) => [...part.matchAll(/ name="(data\.[^"]+)"/g)].map(([, name]) => name);
  expect(names(before)).toHaveLength(6);
  expect(names(after)).toHaveLength(7);
});

describe("suggestions", () => {
  const suggest = async (query: string) => JSON.parse(await pageAt(browser, `/dashboard/choices/${query}`));

  it("are the workspace's own tags and folders with the words of a text", async () => {
    const stranger = await signedIn(service);
    await stranger.client.createQr({ tags: ["harvest-secret"] });
    await me.client.createQr({ tags: ["Harvest", "lunch", "late harvest"] });
    const { id } = JSON.parse(await (await me.client.send("POST", "/folders", { name: "Cafés" })).text());
    expect(await suggest("tags?q=harvest")).toEqual([
      ["Harvest", "Harvest"],
      ["late harvest", "late harvest"],
    ]);
    expect(await suggest("folders?q=caf%C3%A9")).toEqual([[id, "Cafés"]]);
    expect(await suggest("pages")).toEqual([]);
    expect((await browser.open("/dashboard/choices/keys?q=a")).status).toBe(404);
    expect((await browser.open("/dashboard/choices/constructor?q=a")).status).toBe(404);
  });
});

describe("the field at the top", () => {
  it.each([
    ["+351 912 345 678", "sms", { phone: "+351912345678" }],
    ["mailto:ines@harbour.example", "email", { to: "ines@harbour.example" }],
    ["@harbourcoffee", "telegram", { username: "harbourcoffee" }],
    ["38.7071, -9.1455", "location", { latitude: 38.7071, longitude: -9.1455 }],
    ["harbour.example/menu", "url", { url: "https://harbour.example/menu" }],
    ["https://maps.google.com/?q=38.7,-9.1", "url", { url: "https://maps.google.com/?q=38.7,-9.1" }],
  ])("of a link takes %s without scripts, as %s", async (text, qrType, data) => {
    const answer = await browser.submit(path, { ...newForm(), "data.url": text });
    expect(answer.status).toBe(303);
    expect(await newestCode(me)).toMatchObject({ qrType, data });
  });

  it("takes its text along to another type, and back", async () => {
    const choose = async (form: Record<string, string>, type: string) =>
      fieldsOf(await (await browser.submit(path, { ...form, type, change: "type" })).text());
    const phone = await choose({ ...newForm(), "data.url": "tel:+351912345678" }, "whatsapp");
    expect(phone["data.phone"]).toBe("+351912345678");
    expect(phone["data.url"]).toBeUndefined();
    const place = await choose({ ...newForm(), "data.url": "geo:38.7,-9.1" }, "location");
    expect(place).toMatchObject({ "data.latitude": "38.7", "data.longitude": "-9.1", mapLink: "" });
    const kept = await choose({ ...phone, "data.url": "example.com" }, "url");
    expect(kept).toMatchObject({ "data.phone": "+351912345678", "data.url": "example.com" });
  });

  it("shows what is wrong with a text of another type", async () => {
    const answer = await browser.submit(path, { ...newForm(), "data.url": "0912 34 56 78" });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('href="#data.phone">');
    expect(fieldsOf(page)).toMatchObject({ type: "sms", "data.phone": "0912 34 56 78" });
  });
});

it("creates a code and has its file downloaded, once", async () => {
  const form = { ...newForm(), "data.url": "example.com" };
  const answer = await browser.submit(path, { ...form, next: "download" });
  const to = answer.headers.get("location") ?? "";
  expect(to).toMatch(/\?download=pdf$/);
  expect(await pageAt(browser, to)).toContain("image?format=pdf&amp;download");
  expect(await pageAt(browser, to.replace(/\?.*/, ""))).not.toContain("data-download-now");
  expect(await pageAt(browser, to.replace("pdf", "exe"))).not.toContain("data-download-now");
});

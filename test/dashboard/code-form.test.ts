import { beforeEach, describe, expect, it } from "vitest";
import { QrList } from "../../src/contract/resources/qr.ts";
import type { Browser } from "../support/browser.ts";
import { fieldsOf, pageAt, type SignedInBrowser, signedIn } from "../support/dashboard.ts";
import { origin, Service } from "../support/service.ts";

const service = new Service();
let me: SignedInBrowser;
let browser: Browser;
beforeEach(async () => {
  me = await signedIn(service);
  ({ browser } = me);
});

const path = "/dashboard/codes/new";
const listed = async () => (await me.client.expect(200, QrList, "GET", "/qr")).items;
const newForm = async (query = "") => fieldsOf(await pageAt(browser, path + query));

describe("the form of a new code, submitted twice,", () => {
  it("creates one code and leads to it both times", async () => {
    const form = { ...(await newForm()), "data.url": "example.com", name: "Menu" };
    const first = await browser.submit(path, form);
    const second = await browser.submit(path, form);
    expect(first.status).toBe(303);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    expect(await listed()).toHaveLength(1);
  });

  it("creates one code when both arrive at once, also with a chosen short name", async () => {
    for (const hash of ["", `menu-${crypto.randomUUID().slice(0, 8)}`]) {
      const form = { ...(await newForm()), "data.url": "example.com", hash };
      const before = (await listed()).length;
      const answers = await Promise.all([1, 2, 3].map(() => browser.submit(path, form)));
      expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
      expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
      expect(await listed()).toHaveLength(before + 1);
    }
  });

  it("creates two codes with other entries, as after the browser's back button", async () => {
    const form = { ...(await newForm()), "data.url": "example.com" };
    await browser.submit(path, form);
    await browser.submit(path, { ...form, "data.url": "example.org" });
    expect(await listed()).toHaveLength(2);
  });

  it("keeps its key when it is shown again with a problem, and every new form has another", async () => {
    const form = await newForm();
    const answer = await browser.submit(path, { ...form, "data.url": "" });
    expect(fieldsOf(await answer.text()).key).toBe(form.key);
    expect((await newForm()).key).not.toBe(form.key);
  });

  it("is another user's own", async () => {
    const other = await signedIn(service);
    const form = { ...(await newForm()), "data.url": "example.com" };
    const [mine, theirs] = [await browser.submit(path, form), await other.browser.submit(path, form)];
    expect(theirs.headers.get("location")).not.toBe(mine.headers.get("location"));
    expect(await listed()).toHaveLength(1);
  });
});

it("creating a code and then another keeps the settings, not what each code has of its own", async () => {
  const answer = await browser.submit(path, {
    ...(await newForm()),
    "data.url": "example.com/1",
    name: "Table 1",
    tags: "tables",
    shape: "circle",
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
    shape: "circle",
    "colorConfig.dotsColor": "#14532d",
    "utm.source": "poster",
  });
  await browser.submit(path, { ...form, "data.url": "example.com/2", name: "Table 2" });
  const codes = await listed();
  expect(codes.map(({ name, tags, shape }) => [name, tags, shape])).toEqual([
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
  expect((await listed())[0]?.status).toBe("paused");
  const again = fieldsOf(await pageAt(browser, edit));
  expect(again.status).toBe("paused");
  const wrong = await browser.submit(edit, { ...again, status: "asleep" });
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain('href="#status">Status must be');
  await browser.submit(edit, { ...again, status: "active" });
  expect((await listed())[0]?.status).toBe("active");
});

it("neither a copy nor further codes can be begun from another workspace's code", async () => {
  const other = await signedIn(service);
  const qr = await other.client.createQr({ name: "Secret", tags: ["secret"] });
  for (const query of [`?from=${qr.id}`, `?like=${qr.id}`]) await pageAt(browser, path + query, 404);
});

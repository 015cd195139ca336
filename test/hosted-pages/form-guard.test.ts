import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import { en } from "../../src/ui/visitors/texts/en.ts";
import {
  formToken,
  makePage,
  openForm,
  type PageMaker,
  pageMaker,
  Shown,
  sendForm,
} from "../support/hosted-pages.ts";
import { FakeClock, Service } from "../support/service.ts";
import { keyring } from "../support/settings.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now, submissionLimit: { limit: async () => ({ success: true }) } });
const day = 24 * 60 * 60_000;
let maker: PageMaker;
let page: Page;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const fields = [
  { type: "text", name: "name", label: "Your name", required: true },
  { type: "email", name: "email", label: "Email" },
];
const makeForm = () => makePage(maker, { form: { fields } });
const stored = async (of: Page) =>
  (await maker.session.expect(200, SubmissionList, "GET", `/developer/pages/${of.id}/submissions`)).items;

const good = { name: "Ada", email: "ada@example.com" };

/** Parts of names and labels by which browsers and password managers know what to fill in. */
const known =
  /web|site|url|link|home|page|mail|name|user|login|pass|pin|code|otp|tel|phone|mobile|fax|ext|addr|street|city|town|zip|post|state|region|country|company|org|title|birth|date|card|cc|cvc|age|sex|gender|note|comment|message|search|number/i;

describe("a form's trap", () => {
  it("can't be seen, reached by keyboard, read aloud or filled in by a browser, and is sent empty", async () => {
    const { elements, html, entered } = await openForm(service, await makeForm());
    const trap = elements.find(({ attributes }) => attributes.name === "_q");
    expect(trap?.attributes).toMatchObject({ type: "text", tabindex: "-1", autocomplete: "off" });
    expect(html).toMatch(/<div class="trap" aria-hidden="true">(?:(?!<\/div>).)*name="_q"/);
    expect(html).toMatch(/\.trap ?\{[^}]*clip-path: ?inset\(50%\)/);
    expect(entered.get("_q")).toBe("");
  });

  it("has a name, id and label that no password manager knows, and marks for five of them", async () => {
    const { elements } = await openForm(service, await makeForm());
    const { attributes } = elements.find((each) => each.attributes.name === "_q") ?? {};
    const label = elements.find((each) => each.attributes.for === attributes?.id);
    for (const text of [attributes?.name, attributes?.id, label?.text]) expect(text).not.toMatch(known);
    expect(Object.keys(attributes ?? {})).toEqual(
      expect.arrayContaining([
        "data-1p-ignore",
        "data-lpignore",
        "data-bwignore",
        "data-form-type",
        "data-protonpass-ignore",
      ]),
    );
  });

  it.each([
    ["an address", { _q: "https://acme.example" }],
    ["the sender's name", { _q: "Ada" }],
    ["a space", { _q: " " }],
    ["a new password", { _q: "x7#Kp!" }],
    ["the form of 1.0.0, an address", { _website: "https://acme.example" }],
    ["the form of 1.0.0, a host", { _website: "acme.example" }],
    ["the form of 1.0.0, an email address", { _website: "ada@example.com" }],
    ["both", { _q: "a", _website: "b" }],
  ])("that is filled in with %s: the answers come back, and are stored when sent again", async (_, trap) => {
    const form = await makeForm();
    const info = vi.spyOn(console, "log");
    const response = await sendForm(service, form, { ...good, ...trap });
    const lines = info.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    info.mockRestore();
    const shown = await Shown.of(response);
    expect([response.status, shown.alert]).toEqual([400, en.notices.trapped]);
    expect(Object.fromEntries(shown.entered)).toEqual({ ...good, _form: expect.any(String) });
    expect(await stored(form)).toEqual([]);
    expect(lines.filter(({ pageId }) => pageId === form.id)).toEqual([
      { level: "info", message: "hidden field filled in", pageId: form.id },
    ]);
    expect((await sendForm(service, form, shown.entered)).status).toBe(303);
    expect((await stored(form)).map((submission) => submission.fields)).toEqual([good]);
  });

  it.each([
    ["invalid answers", { name: "" }, "invalid"],
    ["an expired form", { _form: "" }, "expired"],
  ] as const)("that is filled in beside %s costs no further round", async (_, values, notice) => {
    const form = await makeForm();
    const shown = await Shown.of(await sendForm(service, form, { ...good, ...values, _q: "Ada" }));
    expect([shown.alert, shown.entered.has("_q")]).toEqual([en.notices[notice], false]);
    clock.advance(2000);
    const again = new URLSearchParams(shown.entered);
    again.set("name", "Ada");
    expect((await sendForm(service, form, again)).status).toBe(303);
    expect(await stored(form)).toHaveLength(1);
  });

  it("stays in a form that comes back for another reason", async () => {
    const form = await makeForm();
    const shown = await Shown.of(await sendForm(service, form, { name: "", _q: "" }));
    expect(shown.entered.get("_q")).toBe("");
  });

  it("is no field of a submission", async () => {
    const form = await makeForm();
    const { entered } = await openForm(service, form);
    for (const [name, value] of Object.entries(good)) entered.set(name, value);
    expect((await sendForm(service, form, entered)).status).toBe(303);
    expect((await stored(form)).map((submission) => submission.fields)).toEqual([good]);
  });
});

describe("the time between showing and sending a form", () => {
  const again = async (values: Record<string, string>) => {
    const response = await sendForm(service, page, values);
    return { status: response.status, shown: await Shown.of(response) };
  };

  it.each([
    ["no time at all", 0],
    ["less than two seconds", 1999],
    ["a time that has not come yet", -60_000],
  ])("of %s: it is shown again with all answers, and accepted later", async (_, age) => {
    page = await makeForm();
    const token = await formToken(service, page, age);
    const { status, shown } = await again({ ...good, _form: token, _q: "" });
    expect([status, shown.alert]).toEqual([400, en.notices.early]);
    expect(shown.texts("title")).toEqual(["Not sent: Summer fair"]);
    expect(Object.fromEntries(shown.entered)).toEqual({ ...good, _form: token, _q: "" });
    expect(await stored(page)).toEqual([]);
    clock.advance(62_000);
    expect((await sendForm(service, page, shown.entered)).status).toBe(303);
    expect(await stored(page)).toHaveLength(1);
  });

  it("does not hide a problem of the answers", async () => {
    page = await makeForm();
    const { status, shown } = await again({ name: "", _form: await formToken(service, page, 0) });
    expect([status, shown.problems]).toEqual([400, { name: "Fill in this field." }]);
  });

  it.each([2000, day, 7 * day])("of %i ms is accepted", async (age) => {
    page = await makeForm();
    const { status } = await again({ ...good, _form: await formToken(service, page, age) });
    expect(status).toBe(303);
  });

  it("opened before a rotation of VISITOR_SECRET is accepted, and stored once", async () => {
    page = await makeForm();
    const _form = await formToken(service, page);
    const previous = service.deps.settings.visitorSecrets;
    const rotated = new Service({
      now: clock.now,
      settings: { visitorSecrets: [{ id: 2, secret: "the next one" }, ...previous] },
      submissionLimit: { limit: async () => ({ success: true }) },
    });
    for (const each of [service, rotated, rotated]) {
      expect((await sendForm(each, page, { ...good, _form })).status).toBe(303);
    }
    expect(await stored(page)).toHaveLength(1);
  });

  it("of more than a week, or unknown: it is shown again with a new token, and accepted then", async () => {
    page = await makeForm();
    const other = await makeForm();
    const [id = "", signature = ""] = (await formToken(service, page)).split(".");
    const foreign = new Service({ now: clock.now, settings: { visitorSecrets: keyring("another") } });
    const tokens = {
      old: await formToken(service, page, 7 * day + 1),
      empty: "",
      "not ours": "mine",
      "without a signature": id,
      "with an empty signature": `${id}.`,
      "of another time": `${id.replace(/^../, "00")}.${signature}`,
      "of another page": await formToken(service, other),
      "of another secret": await formToken(foreign, page),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const { status, shown } = await again({ ...good, _form: token });
      expect([name, status, shown.alert]).toEqual([name, 400, en.notices.expired]);
      expect(Object.fromEntries(shown.entered)).toMatchObject(good);
      clock.advance(2000);
      const sent = await sendForm(service, page, shown.entered);
      expect([name, sent.status]).toEqual([name, 303]);
    }
    expect(await stored(page)).toHaveLength(Object.keys(tokens).length);
  });
});

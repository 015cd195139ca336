import { beforeAll, describe, expect, it } from "vitest";
import { type Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import {
  earlier,
  fillIn,
  formToken,
  makeCodeOfPage,
  makePage,
  openCode,
  openForm,
  type PageMaker,
  pageMaker,
  Shown,
  sendForm,
} from "../support/hosted-pages.ts";
import { Service } from "../support/service.ts";

/** Never limits. The test of the limit uses the real one. */
const unlimited = { limit: async () => ({ success: true }) };
const service = new Service({ submissionLimit: unlimited });
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

const fields = [
  { type: "text", name: "name", label: "Your name", required: true },
  { type: "text", name: "message", label: "Message", multiline: true },
  { type: "email", name: "email", label: "Email" },
  { type: "phone", name: "phone", label: "Phone" },
  { type: "choice", name: "size", label: "Size", options: ["S", "M", "L"] },
  { type: "choice", name: "day", label: "Day", options: ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"] },
  { type: "checkbox", name: "news", label: "Send me news" },
  { type: "checkbox", name: "terms", label: "I agree", required: true },
];
const makeForm = (over: object = {}) => makePage(maker, { form: { fields, ...over } });

const submissions = async (page: Page) =>
  (await maker.session.expect(200, SubmissionList, "GET", `/developer/pages/${page.id}/submissions`)).items;
const answers = async (page: Page) => (await submissions(page)).map((submission) => submission.fields);

const good = { name: "Ada", terms: "yes" };

describe("a form", () => {
  it("can be submitted from the page of a scan, shows its thanks, and its answers can be read by the owner", async () => {
    const { page, qr } = await makeCodeOfPage(maker, {
      form: { fields, thanks: "Many thanks!", button: "Go" },
    });
    const shown = await openCode(earlier(service), qr.hash);
    const values = shown.entered;
    const entered = {
      name: '  Jörg "O\'Neil" <b>🍕 ',
      message: "one\r\n\r\ntwo",
      email: "jörg@müller.example",
      phone: "+49 30 901820",
      size: "M",
      day: "Su",
      news: "yes",
      terms: "yes",
    };
    for (const [name, value] of Object.entries(entered)) values.set(name, value);
    const response = await sendForm(service, page, values);
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pages/${page.id}/sent`]);
    const thanks = await Shown.of(await service.fetch(response.headers.get("location") ?? ""));
    expect([thanks.status, thanks.texts("p")]).toEqual([200, ["Many thanks!"]]);
    const [submission, ...others] = await submissions(page);
    expect(others).toEqual([]);
    expect(submission?.fields).toEqual({
      name: 'Jörg "O\'Neil" <b>🍕',
      message: "one\n\ntwo",
      email: "jörg@müller.example",
      phone: "+4930901820",
      size: "M",
      day: "Su",
      news: true,
      terms: true,
    });
    expect(Math.abs(Date.parse(submission?.submittedAt ?? "") - service.deps.now())).toBeLessThan(60_000);
  });

  it("has an accessible label for every field", async () => {
    const shown = await Shown.of(await service.fetch((await makeForm()).url));
    const labelled = new Set(shown.all("label").map(({ attributes }) => attributes.for));
    const entries = shown.elements.filter(({ tag, attributes }) => {
      const typed = tag === "input" && !["hidden", "radio", "checkbox"].includes(attributes.type ?? "");
      if (attributes.tabindex === "-1") return false;
      return typed || tag === "select" || tag === "textarea";
    });
    expect(entries.map(({ attributes }) => attributes.id)).toHaveLength(5);
    for (const { attributes } of entries) expect(labelled).toContain(attributes.id);
    expect(shown.texts("legend")).toEqual(["Size"]);
    expect(shown.all("option").map(({ text }) => text)).toEqual([
      "",
      "Mo",
      "Tu",
      "We",
      "Th",
      "Fr",
      "Sa",
      "Su",
    ]);
    const required = shown.elements.filter(({ attributes }) => "required" in attributes);
    expect(required.map(({ attributes }) => attributes.name)).toEqual(["name", "terms"]);
  });

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ["nothing", {}, { name: "Fill in this field.", terms: "Tick this box." }],
    ["spaces", { ...good, name: "   " }, { name: "Fill in this field." }],
    ["a long line", { ...good, name: "x".repeat(501) }, { name: "Use at most 500 characters." }],
    ["a long text", { ...good, message: "x".repeat(5001) }, { message: "Use at most 5000 characters." }],
    [
      "a line break in a line",
      { ...good, name: "a\nb" },
      { name: "This contains characters that can't be used here." },
    ],
    ["a NUL", { ...good, message: "a\0b" }, { message: "This contains characters that can't be used here." }],
    ["no email address", { ...good, email: "ada@" }, { email: "Enter an email address." }],
    [
      "no phone",
      { ...good, phone: "call me" },
      { phone: "Enter a phone number with its country code, such as +49\u00a030\u00a0901820." },
    ],
    ["another option", { ...good, size: "XL" }, { size: "Choose one of the options." }],
  ])(
    "with %s is shown again with the submitted values, and nothing is stored",
    async (_, values, problems) => {
      const page = await makeForm();
      const token = await formToken(service, page);
      const response = await sendForm(service, page, { ...values, day: "Fr", _form: token });
      const shown = await Shown.of(response);
      expect(shown.status).toBe(400);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(shown.problems).toEqual(problems);
      expect(shown.alert).toContain("been sent yet");
      expect(shown.texts("title")).toEqual(["Not sent: Summer fair"]);
      const marked = shown.elements.filter(({ attributes }) => attributes["aria-invalid"] === "true");
      expect(new Set(marked.map(({ attributes }) => attributes.name))).toEqual(
        new Set(Object.keys(problems)),
      );
      for (const { attributes } of marked) {
        expect(attributes["aria-describedby"]).toBe(`problem-${attributes.name}`);
      }
      expect(marked.filter(({ attributes }) => "autofocus" in attributes).length).toBeGreaterThan(0);
      // The submitted values and the form's token are kept.
      expect(shown.entered.get("_form")).toBe(token);
      if (values.name !== undefined && !values.name.includes("\n")) {
        expect(shown.entered.get("name")).toBe(values.name);
      }
      const chosen = shown.all("option").filter(({ attributes }) => "selected" in attributes);
      expect(chosen.map(({ text }) => text)).toEqual(["Fr"]);
      expect(await submissions(page)).toEqual([]);
    },
  );

  it("asks to choose, where a required choice is missing", async () => {
    const choice = { type: "choice", name: "size", label: "Size", options: ["S", "M"], required: true };
    const page = await makePage(maker, { form: { fields: [choice] } });
    const shown = await Shown.of(await sendForm(service, page, {}));
    expect(shown.problems).toEqual({ size: "Choose one of the options." });
  });

  it("accepts phone numbers in the national format of the visitor's country", async () => {
    const page = await makeForm();
    const values = { ...good, phone: "030 901820" };
    expect((await sendForm(service, page, values, {}, { country: "DE" })).status).toBe(303);
    expect((await sendForm(service, page, values, {}, { country: "T1" })).status).toBe(400);
    expect(await answers(page)).toEqual([{ name: "Ada", phone: "+4930901820", news: false, terms: true }]);
  });

  it("is stored once, however often it is submitted with the same token, also concurrently", async () => {
    const page = await makeForm();
    const { entered } = await openForm(service, page);
    for (const [name, value] of Object.entries(good)) entered.set(name, value);
    const answered = await Promise.all(Array.from({ length: 5 }, () => sendForm(service, page, entered)));
    expect(answered.map(({ status }) => status)).toEqual(Array(5).fill(303));
    expect(await submissions(page)).toHaveLength(1);
    // Going back and submitting corrected answers is another submission.
    entered.set("name", "Ada Lovelace");
    await sendForm(service, page, entered);
    expect((await answers(page)).map(({ name }) => name)).toEqual(["Ada Lovelace", "Ada"]);
  });

  it("is stored twice for two people with the same answers and the same address", async () => {
    const page = await makeForm();
    await fillIn(service, page, good);
    await fillIn(service, page, good);
    expect(await submissions(page)).toHaveLength(2);
  });

  it("ignores unknown fields, and validates against the current fields", async () => {
    const page = await makeForm();
    await sendForm(service, page, { ...good, admin: "true", __proto__: "x", id: "1" });
    expect(await answers(page)).toEqual([{ name: "Ada", news: false, terms: true }]);
    const other = { form: { fields: [{ type: "text", name: "age", label: "Age", required: true }] } };
    await maker.session.send("PATCH", `/developer/pages/${page.id}`, other);
    const shown = await Shown.of(await sendForm(service, page, good));
    expect([shown.status, shown.problems]).toEqual([400, { age: "Fill in this field." }]);
  });

  it("is rate limited by address, keeps the submitted values, and lets others through", async () => {
    const limited = new Service();
    const page = await makeForm();
    const send = (name: string, address: string) =>
      sendForm(limited, page, { ...good, name }, { "cf-connecting-ip": address });
    const statuses: number[] = [];
    // A new minute may begin meanwhile: then the limit is reached in that one.
    while (!statuses.includes(429) && statuses.length < 70) {
      statuses.push((await send(`n${statuses.length}`, "203.0.113.9")).status);
    }
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(303));
    expect(statuses.at(-1)).toBe(429);
    const refused = await send("Patient", "203.0.113.9");
    expect(refused.headers.get("retry-after")).toBe("60");
    const shown = await Shown.of(refused);
    expect(shown.alert).toContain("Wait a minute");
    expect(shown.entered.get("name")).toBe("Patient");
    expect((await send("Other", "203.0.113.10")).status).toBe(303);
  });

  it("that can't be stored is shown again, and stored once when it is submitted again", async () => {
    let unavailable = true;
    const ledger = service.deps.ledger;
    const failing = new Service({
      submissionLimit: unlimited,
      ledger: (workspaceId) =>
        new Proxy(ledger(workspaceId), {
          get(target, name) {
            if (name !== "submit") return Reflect.get(target, name, target);
            return async (...args: Parameters<typeof target.submit>) => {
              const due = await target.submit(...args);
              // Stored, but the response is lost.
              if (unavailable) throw new Error("the object is unavailable");
              return due;
            };
          },
        }),
    });
    const page = await makeForm();
    const { entered } = await openForm(failing, page);
    for (const [name, value] of Object.entries(good)) entered.set(name, value);
    const answer = await sendForm(failing, page, entered);
    expect(answer.headers.get("retry-after")).toBe("10");
    const shown = await Shown.of(answer);
    expect([shown.status, shown.alert]).toEqual([503, "Your answers couldn't be saved. Send them again."]);
    unavailable = false;
    const again = shown.entered;
    expect((await sendForm(failing, page, again)).status).toBe(303);
    expect(await submissions(page)).toHaveLength(1);
  });

  it("is rejected if the page has none, with another content type, and if it is too large", async () => {
    const bare = await makePage(maker);
    const page = await makeForm();
    const post = (to: Page, body: BodyInit, type: string) =>
      service.fetch(`/pages/${to.id}`, { method: "POST", body, headers: { "content-type": type } });
    const urlencoded = "application/x-www-form-urlencoded";
    expect((await post(bare, "name=Ada", urlencoded)).status).toBe(405);
    expect((await post(page, '{"name":"Ada"}', "application/json")).status).toBe(415);
    expect((await post(page, `name=${"x".repeat(200_000)}`, urlencoded)).status).toBe(413);
    expect((await post(page, "%E0%A4%A", urlencoded)).status).toBe(400);
    const nowhere = await service.fetch(`/pages/${crypto.randomUUID()}`, { method: "POST", body: "a=b" });
    expect(nowhere.status).toBe(404);
    expect(await submissions(page)).toEqual([]);
  });
});

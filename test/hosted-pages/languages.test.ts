import { beforeAll, describe, expect, it } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { withScript } from "../../src/lib/text/chinese.ts";
import { ar } from "../../src/ui/visitors/texts/ar.ts";
import { languages, textsFor } from "../../src/ui/visitors/texts/catalogue.ts";
import { en } from "../../src/ui/visitors/texts/en.ts";
import type { Texts } from "../../src/ui/visitors/texts/texts.ts";
import {
  earlier,
  formToken,
  makePage,
  openForm,
  type PageMaker,
  pageMaker,
  Shown,
  sendForm,
} from "../support/hosted-pages.ts";
import { sample } from "../support/runner/runs.ts";
import { Service } from "../support/service.ts";

const service = new Service({ submissionLimit: { limit: async () => ({ success: true }) } });
const fail = () => {
  throw new Error("D1 is down");
};
const unreadable = { prepare: fail, batch: fail, withSession: fail } as unknown as D1Database;
let maker: PageMaker;

beforeAll(async () => {
  maker = await pageMaker(service);
});

/** Latin letters that no language has as a word. */
const form = {
  fields: [
    { type: "text", name: "name", label: "Qxa", required: true },
    { type: "email", name: "email", label: "Qxb" },
    { type: "phone", name: "phone", label: "Qxc" },
    { type: "choice", name: "size", label: "Qxd", options: ["Qxe", "Qxf"] },
    { type: "checkbox", name: "terms", label: "Qxg", required: true },
    { type: "text", name: "note", label: "Qxh", multiline: true },
  ],
};
const make = (language: string, over: object = {}) =>
  makePage(maker, { title: "Qx", language, form, ...over });

/** An invalid value for every field. */
const wrong = { name: "x".repeat(501), email: "@", phone: "1", size: "XL", note: "a\0b" };

/** Every text of a language, by its path. A number stands for itself. */
function flatten(texts: Texts): Record<string, string> {
  const entries = (value: unknown, path: string): [string, string][] => {
    if (typeof value === "string") return [[path, value]];
    if (typeof value === "function") return [[path, String(value("17"))]];
    return Object.entries(value as object).flatMap(([key, inner]) => entries(inner, `${path}.${key}`));
  };
  return Object.fromEntries(entries(texts, ""));
}

/** Elements whose language is said to be another than the page's. */
const marked = (shown: Shown) =>
  shown.elements.filter(({ tag, attributes }) => tag !== "html" && attributes.lang !== undefined);

const spoken: [language: string, send: string, missing: string, report: string][] = [
  ["en-GB", "Send", "Fill in this field.", "Report this page"],
  ["de-CH", "Absenden", "Bitte füllen Sie dieses Feld aus.", "Diese Seite melden"],
  ["fr", "Envoyer", "Remplissez ce champ.", "Signaler cette page"],
  ["es-419", "Enviar", "Complete este campo.", "Denunciar esta página"],
  ["it", "Invia", "Compila questo campo.", "Segnala questa pagina"],
  ["pt-BR", "Enviar", "Preencha este campo.", "Denunciar esta página"],
  ["nl", "Versturen", "Vul dit veld in.", "Deze pagina melden"],
  ["PL", "Wyślij", "Wypełnij to pole.", "Zgłoś tę stronę"],
  ["tr", "Gönder", "Bu alanı doldurun.", "Bu sayfayı bildir"],
  ["ja", "送信", "この項目を入力してください。", "このページを報告"],
  ["zh", "提交", "请填写此项。", "举报此页面"],
  ["zh-CN", "提交", "请填写此项。", "举报此页面"],
  ["zh-Hant", "送出", "請填寫此欄。", "檢舉此頁面"],
  ["zh-TW", "送出", "請填寫此欄。", "檢舉此頁面"],
  ["zh-HK", "送出", "請填寫此欄。", "檢舉此頁面"],
  ["ar-EG", "إرسال", "يُرجى ملء هذا الحقل.", "الإبلاغ عن هذه الصفحة"],
];

it.each(spoken)("a page in %s has the texts of its language", (language, send, missing, report) => {
  const { texts } = textsFor(language);
  expect([texts.send, texts.problems.missing, texts.reportPage]).toEqual([send, missing, report]);
});

describe("the service's texts on a hosted page", () => {
  it.each(sample(spoken, 4))("are in its language %s", async (language, send, missing, report) => {
    const page = await make(language);
    const shown = await openForm(service, page);
    expect([shown.texts("button"), shown.texts("a")]).toEqual([[send], [report]]);
    expect(marked(shown)).toEqual([]);
    expect((await Shown.of(await sendForm(service, page, {}))).problems.name).toBe(missing);
    const { texts } = textsFor(language);
    const thanks = await Shown.of(await service.fetch(`/pages/${page.id}/sent`));
    expect([thanks.texts("p"), marked(thanks)]).toEqual([[texts.thanks], []]);
  });

  it.each(sample(spoken, 6, 1))("are all in its language %s, whatever is wrong", async (language) => {
    const page = await make(language);
    const { texts } = textsFor(language);
    const { problems, notices } = texts;
    const shown = await Shown.of(await sendForm(service, page, wrong));
    expect(shown.problems).toEqual({
      name: problems.tooLong(500),
      email: problems.email,
      phone: problems.phone,
      size: problems.option,
      terms: problems.unchecked,
      note: problems.characters,
    });
    expect([shown.alert, shown.texts("title")]).toEqual([notices.invalid, [texts.notSent("Qx")]]);
    const small = shown.elements.filter(({ attributes }) => attributes.class === "small");
    expect(small.map(({ text }) => text)).toEqual([texts.required]);

    const valid = { name: "Ada", terms: "yes" };
    const alertOf = async (token: string) =>
      (await Shown.of(await sendForm(service, page, { ...valid, _form: token }))).alert;
    expect(await alertOf(await formToken(service, page, 0))).toBe(notices.early);
    expect(await alertOf("x")).toBe(notices.expired);
    const trapped = await Shown.of(await sendForm(service, page, { ...valid, _q: "x" }));
    expect(trapped.alert).toBe(notices.trapped);

    const limiting = new Service({ submissionLimit: { limit: async () => ({ success: false }) } });
    const limited = await Shown.of(await sendForm(limiting, page, valid));
    expect(limited.alert).toBe(notices.limited);
  });

  it.each(["sv", "zu-ZA", "he"])("are in English, and marked as such, in %s", async (language) => {
    const page = await make(language);
    const shown = await Shown.of(await sendForm(service, page, { _q: "" }));
    expect(shown.all("html")[0]?.attributes.lang).toBe(language);
    const english = marked(shown);
    expect(english.map(({ tag }) => tag)).toEqual(["title", "p", "p", "p", "p", "div", "button", "a"]);
    for (const { attributes } of english) {
      expect([attributes.lang, attributes.dir]).toEqual(["en", "ltr"]);
    }
    expect(english.map(({ text }) => text).slice(0, 4)).toEqual([
      "Not sent: Qx",
      en.notices.invalid,
      en.required,
      "Fill in this field.",
    ]);
    const thanks = await Shown.of(await service.fetch(`/pages/${page.id}/sent`));
    expect(marked(thanks).map(({ text }) => text)).toEqual([en.thanks]);
  });

  it("follow the page to another language; what its owner wrote stays, unmarked", async () => {
    const page = await make("en");
    expect(page.form).toMatchObject({ button: null, thanks: null });
    const path = `/developer/pages/${page.id}`;
    await maker.session.expect(200, Page, "PATCH", path, { language: "de" });
    expect((await openForm(service, page)).texts("button")).toEqual(["Absenden"]);

    const own = await make("sv", { form: { ...form, button: "Skicka", thanks: "Tack!" } });
    const shown = await openForm(service, own);
    expect(shown.all("button").map(({ text, attributes }) => [text, attributes.lang])).toEqual([
      ["Skicka", undefined],
    ]);
    const thanks = await Shown.of(await service.fetch(`/pages/${own.id}/sent`));
    expect([thanks.texts("p"), marked(thanks)]).toEqual([["Tack!"], []]);
  });
});

describe("what stands in the place of a hosted page", () => {
  const open = async (path: string, language: string, from = service) =>
    Shown.of(await from.fetch(path, { headers: { "accept-language": language } }));

  it.each(sample(languages, 4))("is in the visitor's language %s", async (language) => {
    const { missing, unavailable } = textsFor(language).texts.pages;
    const broken = new Service({ db: unreadable });
    const shown = [
      await open("/pages/none", language),
      await open(`/pages/${crypto.randomUUID()}`, language, broken),
    ];
    expect(shown.map(({ status }) => status)).toEqual([404, 503]);
    expect(shown.map((each) => [each.texts("h1"), each.texts("p")])).toEqual(
      [missing, unavailable].map(({ title, text }) => [[title], [text]]),
    );
    for (const each of shown) {
      const { lang, dir } = each.all("html")[0]?.attributes ?? {};
      expect([lang, dir]).toEqual([withScript(language), language === "ar" ? "rtl" : undefined]);
    }
  });
});

describe("Chinese", () => {
  it.each([
    ["zh", "zh-Hans", "提交"],
    ["ZH-cn", "ZH-Hans-cn", "提交"],
    ["zh-Hans", "zh-Hans", "提交"],
    ["zh-Hant", "zh-Hant", "送出"],
    ["zh-MO", "zh-Hant-MO", "送出"],
  ])("on a page in %s says its script, and has the words of it", async (language, lang, send) => {
    const page = await make(language);
    expect(page.language).toBe(language);
    const shown = await openForm(service, page);
    expect([shown.all("html")[0]?.attributes.lang, shown.texts("button"), marked(shown)]).toEqual([
      lang,
      [send],
      [],
    ]);
  });

  it("keeps the answers of a traditional form whose trap was filled in, and says why", async () => {
    const page = await make("zh-TW");
    const shown = await Shown.of(await sendForm(service, page, { name: "王小明", terms: "yes", _q: "x" }));
    expect(shown.alert).toBe(textsFor("zh-Hant").texts.notices.trapped);
    expect(shown.all("input").map(({ attributes }) => attributes.value)).toContain("王小明");
  });

  it.each([
    // The rows of the characters in common use; those of Big5 hold no simplified one.
    ["zh-Hant", "big5", [0xa4, 0xc6]],
    ["zh", "gb2312", [0xb0, 0xf7]],
  ] as const)("in %s has only the characters of %s", (language, encoding, [first, last]) => {
    const decoder = new TextDecoder(encoding);
    const rows = Array.from({ length: last - first + 1 }, (_, row) => first + row);
    const cells = Array.from({ length: 0xff - 0x40 }, (_, cell) => 0x40 + cell);
    const common = new Set(
      rows.flatMap((row) => cells.map((cell) => decoder.decode(Uint8Array.of(row, cell)))),
    );
    const foreign = Object.values(flatten(textsFor(language).texts))
      .flatMap((text) => text.match(/\p{Script=Han}/gu) ?? [])
      .filter((character) => !common.has(character));
    expect(foreign).toEqual([]);
  });
});

it("a title in Japanese wraps between its words, not inside them", async () => {
  const page = await make("ja", { title: "港町の夏祭りと「灯台」見学ツアーのお知らせ。" });
  const { html } = await Shown.of(await service.fetch(page.url));
  const wrapped = /<h1><span class="words">(.*?)<\/span><\/h1>/.exec(html)?.[1];
  // Compounds and brackets stay whole, particles stay with what they follow.
  expect(wrapped).toBe("港町の<wbr/>夏祭りと「灯台」<wbr/>見学ツアーのお知らせ。");
  const plain = await Shown.of(await service.fetch((await make("en")).url));
  expect(plain.html).toContain("<h1>Qx</h1>");
});

describe("the direction of a hosted page", () => {
  it.each([
    ["ar", "rtl", undefined],
    ["he-IL", "rtl", undefined],
    ["fa", "rtl", undefined],
    // A text may be in another language than the page says.
    ["en", undefined, "auto"],
    ["ar-Latn", undefined, "auto"],
    ["en-ab-cd-xx", undefined, "auto"],
  ])("of %s is that of its language", async (language, html, body) => {
    const shown = await Shown.of(await service.fetch((await make(language)).url));
    expect([shown.all("html")[0]?.attributes.dir, shown.all("body")[0]?.attributes.dir]).toEqual([
      html,
      body,
    ]);
  });

  it("has no rule in the stylesheet that holds for one direction only", async () => {
    const html = await (await earlier(service).fetch((await make("ar")).url)).text();
    const [, css = ""] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    expect(css).not.toMatch(/\b(left|right)\b/);
    const sided = [...css.matchAll(/(?:margin|padding|border-radius):([^;}]+)/g)].filter(([, value = ""]) => {
      const [, right, , left] = value.trim().split(/\s+/);
      return left !== undefined && left !== right;
    });
    expect(sided).toEqual([]);
  });

  it("does not turn around a phone number in an Arabic sentence", () => {
    expect(ar.problems.phone).toContain("\u2066+49\u00a030\u00a0901820\u2069");
  });
});

/** Texts that are written alike in some languages. */
const borrowed = [".contact.extension", ".contact.phones.fax", ".contact.phones.mobile", ".contact.website"];

it("no language of the catalogue has an English text, or an empty one", () => {
  expect(languages).toHaveLength(13);
  const english = flatten(en);
  for (const language of languages.filter((each) => each !== "en")) {
    const texts = flatten(textsFor(language).texts);
    const same = Object.keys(texts).filter(
      (path) => texts[path] === english[path] && !borrowed.includes(path),
    );
    expect([language, Object.keys(texts), same]).toEqual([language, Object.keys(english), []]);
    expect(Object.values(texts).filter((text) => text !== text.trim() || text === "")).toEqual([]);
    for (const path of [".notSent", ".problems.tooLong"]) expect(texts[path]).toContain("17");
  }
});

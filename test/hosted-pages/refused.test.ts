import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { expectError } from "../support/endpoints.ts";
import { makePage, type PageMaker, pageMaker } from "../support/hosted-pages.ts";
import { origin, Service } from "../support/service.ts";

const service = new Service();
let maker: PageMaker;
let page: Page;

beforeAll(async () => {
  maker = await pageMaker(service);
  page = await makePage(maker);
});

afterAll(async () => {
  expect(await maker.session.expect(200, Page, "GET", `/developer/pages/${page.id}`)).toEqual(page);
});

describe("an invalid hosted page", () => {
  const text = (length: number) => "x".repeat(length);
  const field = { type: "text", name: "a", label: "A" };
  const form = (...fields: object[]) => ({ form: { fields } });
  const image = (url: string) => ({ blocks: [{ type: "image", url }] });
  const link = (url: string) => ({ blocks: [{ type: "link", label: "L", url }] });

  it.each<[string, object, string]>([
    ["no title", { title: undefined }, "title "],
    ["an empty title", { title: "  " }, "title can't be empty"],
    ["a long title", { title: text(201) }, "title can have at most 200 characters"],
    ["a line break in the title", { title: "a\nb" }, "title can't contain line breaks"],
    ["a lone surrogate", { intro: "\ud800" }, "intro must be valid Unicode"],
    ["a long intro", { intro: text(5001) }, "intro can have at most 5000 characters"],
    ["blocks that are not a list", { blocks: {} }, "blocks "],
    ["a block without a type", { blocks: [{ text: "x" }] }, "blocks.0.type must be text, link or image"],
    ["a block of another type", { blocks: [{ type: "video" }] }, "blocks.0.type must be text, link or image"],
    [
      "too many blocks",
      { blocks: Array(51).fill({ type: "text", text: "x" }) },
      "blocks can have at most 50 entries",
    ],
    ["an empty text", { blocks: [{ type: "text", text: "" }] }, "blocks.0.text can't be empty"],
    ...(
      [
        ["javascript:alert(1)", "must be an http, https, tel, mailto or sms address, not javascript:"],
        ["JavaScript:alert(1)", "must be an http, https, tel, mailto or sms address, not javascript:"],
        ["data:text/html,x", "must be an http, https, tel, mailto or sms address, not data:"],
        ["whatsapp://send?phone=49", "must be an http, https, tel, mailto or sms address, not whatsapp:"],
        ["facetime:ada@example.com", "must be an http, https, tel, mailto or sms address, not facetime:"],
        ["constructor:1x", "must be an http, https, tel, mailto or sms address, not constructor:"],
        ["tel:", "must be a phone number with its country code"],
        ["tel:030 901820", "must be a phone number with its country code"],
        ["tel:javascript:alert(1)", "must be a phone number with its country code"],
        ["tel:+4930901820?x=1", "can't contain x"],
        ["tel:%zz", "has a % that encodes no character"],
        ["sms:", "must be a phone number with its country code"],
        ["sms:+4930901820?body=%00", "can't contain control characters"],
        ["mailto:", "must be an email address"],
        ["mailto:ada", "must be an email address"],
        ["mailto:a@example.com,b@example.com", "must be an email address"],
        ["mailto:a@example.com%0d%0aBcc:b@example.com", "must be an email address"],
        ["mailto:a@example.com?attach=/etc/passwd", "can't contain attach"],
        ["mailto:a@example.com?subject=a%0d%0ab", "can't contain line breaks"],
        ["mailto:a@example.com?cc=b", "must be an email address"],
        ["mailto:a@example.com?body=a&Body=b", "can't contain Body twice"],
        [`mailto:a@example.com?body=${"%F0%9F%8D%95".repeat(200)}`, "can have at most 2048 characters"],
      ] as const
    ).map(([url, problem]): [string, object, string] => [
      `the link ${url.slice(0, 60)}`,
      link(url),
      `blocks.0.url ${problem}`,
    ]),
    ["a link with a password", link("https://a:b@example.com"), "blocks.0.url can't contain a username"],
    ["an image over http", image("http://example.com/a.png"), "blocks.0.url must be an https address"],
    ["an image in a private network", image("https://10.0.0.1/a.png"), "blocks.0.url must be a host name"],
    ["an image on this service", image(`${origin}/a.png`), "blocks.0.url can't be on this service itself"],
    ["a data image", image("data:image/png;base64,AAAA"), "blocks.0.url must be an https address"],
    ["a form without fields", form(), "form.fields must have at least one"],
    [
      "too many fields",
      form(...Array.from({ length: 21 }, (_, i) => ({ ...field, name: `a${i}` }))),
      "form.fields can have at most 20 entries",
    ],
    ["a field of another type", form({ ...field, type: "file" }), "form.fields.0.type must be text, email"],
    ["a name with a space", form({ ...field, name: "a b" }), "form.fields.0.name must begin with a letter"],
    [
      "a name with an underscore first",
      form({ ...field, name: "_form" }),
      "form.fields.0.name must begin with a letter",
    ],
    [
      "a name that is a column of the export",
      form({ ...field, name: "id" }),
      "form.fields.0.name can't be id",
    ],
    [
      "two fields with the same name",
      form(field, field),
      "form.fields.1.name is already used by another field",
    ],
    ["a field without a label", form({ type: "text", name: "a" }), "form.fields.0.label "],
    ["a choice without options", form({ ...field, type: "choice" }), "form.fields.0.options "],
    [
      "a choice with one option",
      form({ ...field, type: "choice", options: ["A"] }),
      "form.fields.0.options must have",
    ],
    [
      "a duplicate option",
      form({ ...field, type: "choice", options: ["A", "A"] }),
      "form.fields.0.options can't contain duplicates",
    ],
    ["an invalid colour", { colors: { text: "blurple" } }, "colors.text must be a CSS color"],
    [
      "a colour that closes the style element",
      { colors: { text: "red;}</style>" } },
      "colors.text must be a CSS color",
    ],
    [
      "a colour that is a URL",
      { colors: { background: "url(//x)" } },
      "colors.background must be a CSS color",
    ],
    ["a translucent colour", { colors: { accent: "rgba(0,0,0,.5)" } }, "colors.accent must be a CSS color"],
    [
      "illegible text",
      { colors: { text: "#999" } },
      "colors.text needs more contrast: text and background have 2.8",
    ],
    [
      "a background without any contrasting colour",
      { colors: { background: "#777" } },
      "colors.background needs more contrast: text",
    ],
    ["buttons without contrast", { colors: { accent: "#ddd" } }, "colors.accent needs more contrast: accent"],
    ["an invalid language", { language: "Deutsch!" }, "language must be a language"],
    [
      "too much content in total",
      { blocks: Array(10).fill({ type: "text", text: text(5000) }) },
      "page can have at most 32768 bytes",
    ],
  ])("with %s is rejected, on creation and update", async (_, input, message) => {
    const made = await maker.session.send("POST", "/developer/pages", { title: "T", ...input });
    expect(await expectError(made, 400, "invalid_input")).toContain(message);
    if ("title" in input && input.title === undefined) return;
    const changed = await maker.session.send("PATCH", `/developer/pages/${page.id}`, input);
    expect(await expectError(changed, 400, "invalid_input")).toContain(message);
  });
});

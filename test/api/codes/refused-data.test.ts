import { beforeAll, describe, it } from "vitest";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { type Client, Service } from "../../support/service.ts";
import { expectRefused, validData } from "../../support/types.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const post = (data: unknown, by = client) => by.send("POST", "/qr", { qrType: Object(data).type, data });

const long = "x".repeat(5000);

describe("data that is refused", () => {
  const cases: [data: Record<string, unknown>, error: RegExp][] = [
    [{ type: "applink" }, /^data\.fallback /],
    [{ ...validData.applink, fallback: "" }, /^data\.fallback can't be empty/],
    [{ ...validData.applink, ios: "" }, /^data\.ios can't be empty/],
    [
      { ...validData.applink, ios: "itms-apps://itunes.apple.com/app/id1" },
      /^data\.ios must be an http or https/,
    ],
    [{ ...validData.applink, android: "javascript:alert(1)" }, /^data\.android must be an http or https/],
    [{ ...validData.applink, android: "http://localhost:8787/0" }, /^data\.android can't lead back/],
    [{ ...validData.applink, fallback: `example.com/${long}` }, /^data\.fallback can have at most 2048/],
    [
      {
        type: "applink",
        ios: `a.example/${long.slice(3000)}`,
        android: `a.example/${long.slice(3000)}`,
        fallback: `a.example/${long.slice(3000)}`,
      },
      /^data can have at most 4096 bytes/,
    ],
    [{ type: "vcard" }, /^data\.firstName /],
    [{ type: "vcard", firstName: "" }, /^data\.firstName can't be empty/],
    [{ type: "vcard", firstName: "  " }, /^data\.firstName can't be empty/],
    [
      { type: "vcard", firstName: "A\r\nTEL:+1" },
      /^data\.firstName can't contain line breaks or control characters/,
    ],
    [{ type: "vcard", firstName: long }, /^data\.firstName can have at most 200/],
    [{ type: "vcard", firstName: "\ud83c" }, /^data\.firstName must be valid Unicode/],
    [{ ...validData.vcard, phones: "+4930901820" }, /^data\.phones /],
    [
      { ...validData.vcard, phones: ["+49 30 901820", "nonsense"] },
      /^data\.phones\.1 must be a phone number/,
    ],
    [{ ...validData.vcard, phones: Array(6).fill("+4930901820") }, /^data\.phones can have at most 5/],
    [
      { ...validData.vcard, emails: ["nonsense"] },
      /^data\.emails\.0 must be an email address such as hello@example.com/,
    ],
    [{ ...validData.vcard, urls: ["nonsense"] }, /^data\.urls\.0 must be a complete address/],
    [{ ...validData.vcard, address: {} }, /^data\.address must have at least one property/],
    [{ ...validData.vcard, address: "Street 1" }, /^data\.address /],
    [{ ...validData.vcard, address: { city: "" } }, /^data\.address\.city can't be empty/],
    [{ ...validData.vcard, note: long }, /^data\.note can have at most 1000/],
    [{ ...validData.vcard, note: "a\u0000" }, /^data\.note can't contain control characters/],
    [{ type: "sms" }, /^data\.phone /],
    [{ ...validData.sms, phone: 4930901820 }, /^data\.phone /],
    [{ ...validData.sms, phone: "" }, /^data\.phone can't be empty/],
    [{ ...validData.sms, message: "" }, /^data\.message can't be empty/],
    [{ ...validData.sms, message: long }, /^data\.message can have at most 1000/],
    [{ ...validData.sms, message: "\udf55" }, /^data\.message must be valid Unicode/],
    [{ type: "whatsapp", message: "Hi" }, /^data\.phone /],
    [{ ...validData.whatsapp, phone: "+49" }, /^data\.phone must be a phone number/],
    [{ ...validData.whatsapp, message: 7 }, /^data\.message /],
    [{ type: "email" }, /^data\.to /],
    ...[
      "",
      "ada",
      "ada@",
      "@example.com",
      "ada@localhost",
      "a b@example.com",
      "a@example.com,b@example.com",
      "Ada <ada@example.com>",
      "a\u0000@example.com",
      `${long}@example.com`,
    ].map((to): [Record<string, unknown>, RegExp] => [{ ...validData.email, to }, /data\.to must be/]),
    [
      { ...validData.email, subject: "a\nbcc: x@example.com" },
      /^data\.subject can't contain line breaks or control characters/,
    ],
    [{ ...validData.email, body: long }, /^data\.body can have at most 1000/],
    [{ ...validData.email, cc: "nonsense" }, /^data\.cc must be an email address such as hello@example.com/],
    [{ ...validData.email, bcc: "" }, /^data\.bcc must be an email address such as hello@example.com/],
    [{ type: "location" }, /^data\.latitude .*\. data\.longitude /],
    [
      { ...validData.location, latitude: 91 },
      /^data\.latitude must be a number of degrees between -90 and 90/,
    ],
    [{ ...validData.location, latitude: "52.5" }, /^data\.latitude must be a number of degrees/],
    [
      { ...validData.location, longitude: -180.5 },
      /^data\.longitude must be a number of degrees between -180 and 180/,
    ],
    [{ ...validData.location, longitude: null }, /^data\.longitude must be a number of degrees/],
    [{ ...validData.location, label: "" }, /^data\.label can't be empty/],
    [{ ...validData.location, label: long }, /^data\.label can have at most 200/],
    [{ type: "telegram" }, /^data\.username /],
    ...["", "@", "abc", "1abc", "du rov", "dürov", "durov/../x", "x".repeat(33), "t.me/+abcdef"].map(
      (username): [Record<string, unknown>, RegExp] => [
        { type: "telegram", username },
        /^data\.username must be a Telegram username/,
      ],
    ),
    [{ type: "servicepage" }, /^data\.pageId /],
    [{ type: "servicepage", pageId: "nonsense" }, /^data\.pageId must be the id of a page/],
    [validData.servicepage, /^data\.pageId isn't a page of this workspace\.$/],
  ];
  it.each(cases)("%j", async (data, error) => {
    await expectRefused(await post(data), error);
  });

  it.each([
    "nonsense",
    "030 901820",
    "4930901820",
    "+49",
    "+49 1",
    "+999 123456789",
    "+1 212 555 236",
    "+1 123 456 7890",
    "+49 30 90182012345678901234",
    "call me: +49 30 901820",
    "+49 30 901820 ext. 7",
    "+49 30 901820; +49 30 901821",
    "tel:+4930901820;phone-context=example.com",
    "+49 30 901820?body=x",
    "'; DROP TABLE qr_codes; --",
  ])("the phone %j", async (phone) => {
    for (const type of ["sms", "whatsapp"] as const) {
      await expectRefused(await post({ type, phone }), /^data\.phone must be a phone number/);
    }
  });

  it("data of another type than qrType is reported along with its other problems", async () => {
    for (const qrType of QrType.options) {
      for (const data of Object.values(validData).filter(({ type }) => type !== qrType)) {
        await expectRefused(
          await client.send("POST", "/qr", { qrType, data }),
          /data\.type must equal qrType/,
        );
      }
    }
    const bare = await client.send("POST", "/qr", { qrType: "url", data: { type: "vcard" } });
    await expectRefused(bare, /data\.firstName .*data\.type must equal qrType/);
  });
});

import fc from "fast-check";
import { parseVCards, type VCard4 } from "vcard4-ts";
import { beforeAll, expect, it } from "vitest";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { QrDataVcard } from "../../src/contract/resources/codes/qr-data.ts";
import { readVcard as readOwnVcard } from "../../src/lib/text/read-vcard.ts";
import { writeVcard } from "../../src/lib/text/vcard.ts";
import { line, stored, text } from "../support/hard-text.ts";
import { type Client, Service } from "../support/service.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

/** Parses a vCard with a library for version 4.0, which for these cards differs from 3.0 only in the version line. */
function readVcard(vcard: string): VCard4 {
  expect(vcard).not.toMatch(/[^\r]\n|\r[^\n]/);
  for (const folded of vcard.split("\r\n")) {
    expect(new TextEncoder().encode(folded).length).toBeLessThanOrEqual(75);
    expect(folded.isWellFormed()).toBe(true);
  }
  expect(vcard).toMatch(/^BEGIN:VCARD\r\nVERSION:3\.0\r\n/);
  const { vCards, nags } = parseVCards(vcard.replace("VERSION:3.0", "VERSION:4.0"));
  const [card, ...others] = vCards ?? [];
  if (card === undefined) throw new Error("no vCard");
  expect(others).toEqual([]);
  expect([...(nags ?? []), ...(card.nags ?? [])].filter(({ isError }) => isError)).toEqual([]);
  return card;
}

const values = (properties: readonly { value: unknown }[] | undefined) =>
  properties?.map(({ value }) => value);

const create = (data: QrDataVcard) => client.createQr({ qrType: "vcard", data });

it("a contact is a vCard whose every field a vCard library reads back unchanged", async () => {
  const qr = await create({
    type: "vcard",
    firstName: line,
    lastName: "Łovelace; Countess, of\\",
    organization: `${line}; Ltd`,
    title: `${line} ${"ä🍕".repeat(40)}`,
    phones: ["+49 30 901820", "+1 (212) 555-2368", "+1 212 555 0123 x99"],
    emails: ["ädä@example.com", "b+c@example.com"],
    urls: ["example.com/a;b,c?d=e&f", "https://bücher.example"],
    address: { street: "Straße 1; Hof", city: "Köln", postalCode: "50667", country: "Deutschland" },
    note: text,
  });
  const response = await service.scan(qr.hash);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/vcard; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe('inline; filename="contact.vcf"');
  expect(response.headers.get("cache-control")).toBe("no-store");
  const card = readVcard(await response.text());
  expect(card.N?.value).toMatchObject({ familyNames: ["Łovelace; Countess, of\\"], givenNames: [line] });
  expect(values(card.FN)).toEqual([`${line} Łovelace; Countess, of\\`]);
  expect(values(card.ORG)).toEqual([[`${line}; Ltd`]]);
  expect(values(card.TITLE)).toEqual([`${line} ${"ä🍕".repeat(40)}`]);
  expect(values(card.TEL)).toEqual(["+4930901820", "+12125552368", "+12125550123,99"]);
  expect(values(card.EMAIL)).toEqual(["ädä@example.com", "b+c@example.com"]);
  expect(values(card.URL)).toEqual(["https://example.com/a;b,c?d=e&f", "https://xn--bcher-kva.example/"]);
  expect(values(card.ADR)).toEqual([
    {
      postOfficeBox: [""],
      extendedAddress: [""],
      streetAddress: ["Straße 1; Hof"],
      locality: ["Köln"],
      region: [""],
      postalCode: ["50667"],
      countryName: ["Deutschland"],
    },
  ]);
  expect(values(card.NOTE)).toEqual([stored]);
});

it("a first name alone is a valid vCard, and the next scan gets a changed name", async () => {
  const qr = await create({ type: "vcard", firstName: "Ada" });
  expect(await (await service.scan(qr.hash)).text()).toBe(
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;Ada;;;\r\nFN:Ada\r\nEND:VCARD\r\n",
  );
  await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { data: { type: "vcard", firstName: "Grace" } });
  expect(values(readVcard(await (await service.scan(qr.hash)).text()).FN)).toEqual(["Grace"]);
});

it("a company is shown as one, and its card has no person's name", async () => {
  const { hash } = await create({ type: "vcard", organization: "Example; GmbH", phones: ["+49 30 901820"] });
  expect(await (await service.scan(hash)).text()).toBe(
    "BEGIN:VCARD\r\nVERSION:3.0\r\nN:;;;;\r\nFN:Example\\; GmbH\r\nORG:Example\\; GmbH\r\nX-ABShowAs:COMPANY\r\n" +
      "TEL;TYPE=VOICE:+4930901820\r\nEND:VCARD\r\n",
  );
});

const [berlin, german, american] = ["+4930901820", "+491701234567", "+12125550123"];

it.each<[label: string | null, phone: string, lines: string[]]>([
  [null, berlin, ["TEL;TYPE=VOICE:+4930901820"]],
  [null, german, ["TEL;TYPE=CELL:+491701234567"]],
  // A number of the United States doesn't tell whether it is mobile.
  [null, american, ["TEL;TYPE=VOICE:+12125550123"]],
  [null, "+447911123456;ext=7", ["TEL;TYPE=CELL:+447911123456\\,7"]],
  ["mobile", american, ["TEL;TYPE=CELL:+12125550123"]],
  ["Cell", american, ["TEL;TYPE=CELL:+12125550123"]],
  ["work", german, ["TEL;TYPE=WORK,VOICE:+491701234567"]],
  ["HOME", berlin, ["TEL;TYPE=HOME,VOICE:+4930901820"]],
  ["fax", berlin, ["TEL;TYPE=FAX:+4930901820"]],
  ["Hotline", german, ["item1.TEL;TYPE=CELL:+491701234567", "item1.X-ABLabel:Hotline"]],
  ["Desk: 2; B, C", berlin, ["item1.TEL;TYPE=VOICE:+4930901820", "item1.X-ABLabel:Desk: 2\\; B\\, C"]],
  ["__proto__", berlin, ["item1.TEL;TYPE=VOICE:+4930901820", "item1.X-ABLabel:__proto__"]],
])("a number labelled %s has the kind that phones know: %s", async (label, phone, lines) => {
  const { hash } = await create({ type: "vcard", firstName: "Ada", phones: [phone], phoneLabels: [label] });
  const vcard = await (await service.scan(hash)).text();
  readVcard(vcard);
  expect(vcard.split("\r\n").filter((each) => /TEL|ABLabel/.test(each))).toEqual(lines);
});

it("no text can add or change other fields of the vCard", () => {
  const anyText = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
  const specialText = fc.constantFrom(
    "\\",
    ";",
    ",",
    ":",
    '"',
    "\\n",
    "END:VCARD",
    "ä",
    "🍕",
    " ",
    "x".repeat(74),
  );
  const texts = fc.array(fc.oneof(anyText, specialText), { minLength: 1, maxLength: 12 });
  const oneLine = texts.map((parts) => `a${parts.join("").replace(/[\p{Cc}\u2028\u2029]/gu, "")}z`);
  const note = fc.array(oneLine, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(oneLine, oneLine, oneLine, note, (firstName, lastName, street, noteText) => {
      const phones = ["+4930901820"];
      const phoneLabels = [street];
      const vcard = writeVcard({
        firstName,
        lastName,
        phones,
        phoneLabels,
        address: { street },
        note: noteText,
      });
      const card = readVcard(vcard);
      expect(card.N?.value).toMatchObject({ familyNames: [lastName], givenNames: [firstName] });
      expect(values(card.FN)).toEqual([`${firstName} ${lastName}`]);
      expect(values(card.ADR)).toMatchObject([{ streetAddress: [street] }]);
      expect(values(card.NOTE)).toEqual([noteText]);
      expect(readOwnVcard(vcard)).toEqual({
        ...{
          name: `${firstName} ${lastName}`,
          organization: undefined,
          title: undefined,
          emails: [],
          urls: [],
        },
        ...{
          phones: [{ number: phones[0], type: "VOICE", label: street }],
          address: [street],
          note: noteText,
        },
      });
    }),
    { numRuns: 300 },
  );
});

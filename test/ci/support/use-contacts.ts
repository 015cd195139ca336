import { expect } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { anyQr, type Visitor } from "./use-service.ts";

/** Contacts that earlier versions can't make, but scan and edit: of a company, and with labels and an extension. */

const phones = ["+12125550123;ext=99", "+491701234567"];
const company = { type: "vcard", organization: "Harbour", phones, phoneLabels: ["Front desk", null] };
const person = { ...company, firstName: "Ada" };

const numbers = [
  "item1.TEL;TYPE=VOICE:+12125550123\\,99",
  "item1.X-ABLabel:Front desk",
  "TEL;TYPE=CELL:+491701234567",
];

/** The codes of a company and of a person. */
export type Contacts = readonly [company: Qr["id"], person: Qr["id"]];

const hashOf = async (visitor: Visitor, id: string) =>
  anyQr.pick({ hash: true }).parse(await visitor.expect(200, "GET", `/qr/${id}`)).hash;
const vcardOf = async (visitor: Visitor, id: string) => visitor.contact(await hashOf(visitor, id));

export async function makeContacts(visitor: Visitor): Promise<Contacts> {
  const make = async (data: object) => {
    const { id } = anyQr.parse(await visitor.expect(201, "POST", "/qr", { qrType: "vcard", data }));
    expect(await vcardOf(visitor, id)).toEqual(expect.arrayContaining(numbers));
    return id;
  };
  return [await make(company), await make(person)];
}

/** Scans the contacts, shows them, renames both, and replaces the person's. */
export async function editContacts(visitor: Visitor, contacts: Contacts): Promise<void> {
  for (const id of contacts) {
    expect(await vcardOf(visitor, id)).toContain("ORG:Harbour");
    expect(await visitor.expect(200, "GET", `/qr/${id}`)).toMatchObject({ data: { phones } });
    for (const path of [`/codes/${id}`, `/codes/${id}/edit`]) {
      expect([path, await visitor.open(`/dashboard${path}`)]).toEqual([path, 200]);
    }
    await visitor.expect(200, "PATCH", `/qr/${id}`, { name: "Renamed" });
    expect(await vcardOf(visitor, id)).toContain("ORG:Harbour");
  }
  const data = { type: "vcard", firstName: "Bea", phones: phones.slice(1) };
  await visitor.expect(200, "PATCH", `/qr/${contacts[1]}`, { data });
  expect(await vcardOf(visitor, contacts[1])).toContain("FN:Bea");
}

/** Checks that an earlier version has kept what it doesn't know, and that the person is what it was edited to. */
export async function expectContacts(visitor: Visitor, [kept, edited]: Contacts): Promise<void> {
  expect(await visitor.expect(200, "GET", `/qr/${kept}`)).toMatchObject({ name: "Renamed", data: company });
  await visitor.expect(200, "PATCH", `/qr/${kept}`, { name: "Renamed again" });
  expect(await vcardOf(visitor, kept)).toEqual(expect.arrayContaining(["FN:Harbour", ...numbers]));
  expect(await vcardOf(visitor, edited)).toContain("FN:Bea");
}

import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { languages, textsFor } from "../../src/ui/visitors/texts/catalogue.ts";
import { Shown } from "../support/hosted-pages.ts";
import { promptQueue } from "../support/scans/prompt-queue.ts";
import { type Client, phone, Service } from "../support/service.ts";

const service = new Service();
let client: Client;
let person: Qr;

const markup = `<b>"&'</b>`;

const create = (data: object) =>
  client.createQr({ qrType: "vcard", data: { type: "vcard", firstName: "Ada", ...data } });

beforeAll(async () => {
  client = await service.workspace();
  person = await create({
    lastName: "Lovelace",
    organization: "Analytical GmbH",
    title: "Head of engines",
    phones: [
      "+49 170 1234567",
      { number: "+49 30 901820", label: "work" },
      { number: "+1 212 555 0123 x99", label: "Desk, 2" },
    ],
    emails: ["ada+qr@example.com"],
    urls: ["example.com/ada?a=b&c"],
    address: {
      street: "Platz 1; Hof",
      city: "Berlin",
      region: "BE",
      postalCode: "10178",
      country: "Germany",
    },
    note: "One\nTwo",
  });
});

const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const open = (path: string, headers: Record<string, string> = {}, method = "GET", at = service) =>
  at.fetch(`/${path}`, { method, headers: { "user-agent": phone, accept: html, ...headers } });
const shown = async ({ hash }: Qr, headers?: Record<string, string>) => Shown.of(await open(hash, headers));

/** The list of a page: what each line says, and where it leads. */
const waysOf = (page: Shown) => page.all("li").map(({ text }) => text.trim());
const links = (page: Shown) => page.all("a").map(({ attributes }) => attributes.href);

describe("a scan of a contact", () => {
  it.each<[accept: string | undefined, isPage: boolean]>([
    [html, true],
    ["text/html", true],
    ["TEXT/HTML;charset=utf-8", true],
    ["image/avif, text/html ; q=0.1", true],
    ["text/html;q=0.0, */*", false],
    ["text/html; q=0", false],
    ["*/*", false],
    ["", false],
    ["application/json", false],
    ["text/vcard, text/html;q=0.5", false],
    ["text/x-vcard,text/html", false],
    [`${"a/b,".repeat(300)}text/html`, false],
  ])("gets a page if it accepts HTML, and the file otherwise: %s", async (accept, isPage) => {
    const response = await service.fetch(`/${person.hash}`, {
      headers: { "user-agent": phone, ...(accept !== undefined && { accept }) },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(`text/${isPage ? "html" : "vcard"}; charset=utf-8`);
  });

  it.each(["?vcf", "?vcf=", "?vcf=1", "?a=b&vcf", "?vcf&a"])("gets the file at %s", async (query) => {
    const response = await open(`${person.hash}${query}`);
    expect(response.headers.get("content-type")).toBe("text/vcard; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('inline; filename="contact.vcf"');
    expect(await response.text()).toMatch(/^BEGIN:VCARD\r\n/);
  });

  it.each(["?vcfs", "?a=vcf", "?xvcf", "?a=?vcf2", "?"])("gets the page at %s", async (query) => {
    expect((await open(`${person.hash}${query}`)).headers.get("content-type")).toMatch(/^text\/html/);
  });

  it("counts once: at the page, or as a program's file; never at the button's file or for HEAD", async () => {
    const { id, hash } = await create({});
    const edge = new Service({ scanQueue: promptQueue });
    const total = async () =>
      (await client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans`)).stats.total;
    await open(hash, {}, "HEAD", edge);
    await open(hash, {}, "GET", edge);
    await open(`${hash}?vcf`, {}, "GET", edge);
    expect(await total()).toBe(1);
    await open(hash, { accept: "*/*" }, "GET", edge);
    await open(`${hash}?vcf`, { accept: "*/*" }, "GET", edge);
    expect(await total()).toBe(2);
  });

  it("answers HEAD as GET, without a body", async () => {
    for (const path of [person.hash, `${person.hash}?vcf`]) {
      const [get, head] = [await open(path), await open(path, {}, "HEAD")];
      expect([head.status, [...head.headers], await head.text()]).toEqual([200, [...get.headers], ""]);
    }
  });

  it("gets neither page nor file while the code is paused or suspended", async () => {
    const { id, hash } = await create({});
    const statuses = () => Promise.all([hash, `${hash}?vcf`].map(async (path) => (await open(path)).status));
    await client.send("PATCH", `/qr/${id}`, { status: "paused" });
    expect(await statuses()).toEqual([404, 404]);
    await client.send("PATCH", `/qr/${id}`, { status: "active" });
    expect(await statuses()).toEqual([200, 200]);
    await service.operator.send("PUT", `/operator/qr/${id}/suspension`, { reason: "A test" });
    expect(await statuses()).toEqual([403, 403]);
  });
});

describe("the page of a contact", () => {
  it("has the name, what to tap, and a button that saves it", async () => {
    const page = await shown(person);
    expect(page.texts("title")).toEqual(["Ada Lovelace"]);
    expect(page.texts("h1")).toEqual(["Ada Lovelace"]);
    expect(page.texts("blockquote")).toEqual(["One\nTwo"]);
    expect(page.html).toContain("Head of engines · Analytical GmbH");
    expect(waysOf(page)).toEqual([
      "Mobile+49 1701234567",
      "Work+49 30901820",
      "Desk, 2+1 212 555 0123 ext. 99",
      "Emailada+qr@example.com",
      "Websiteexample.com/ada?a=b&c",
      "AddressPlatz 1; Hof\n10178 Berlin\nBE\nGermany",
    ]);
    expect(links(page)).toEqual([
      "?vcf",
      "tel:+491701234567",
      "tel:+4930901820",
      "tel:+12125550123,99",
      "mailto:ada%2Bqr@example.com",
      "https://example.com/ada?a=b&c",
      "https://maps.apple.com/?q=Platz%201%3B%20Hof%2C%2010178%20Berlin%2C%20BE%2C%20Germany",
      `/report?hash=${person.hash}`,
    ]);
    const android = await shown(person, { "user-agent": "Mozilla/5.0 (Linux; Android 15) Chrome/140.0" });
    expect(links(android)[6]).toMatch(/^https:\/\/www\.google\.com\/maps\/search\/\?api=1&query=Platz/);
  });

  it.each<[data: object, name: string, role: string | undefined]>([
    [{}, "Ada", undefined],
    [{ title: "Countess" }, "Ada", "Countess"],
    [{ organization: "Ltd" }, "Ada", "Ltd"],
    [{ firstName: undefined, organization: "Ltd" }, "Ltd", undefined],
    [{ firstName: undefined, organization: "Ltd", title: "Reception" }, "Ltd", "Reception"],
    [{ firstName: undefined, lastName: "L", organization: "Ltd" }, "L", "Ltd"],
    [{ firstName: markup, organization: `${markup}!`, title: markup }, markup, `${markup} · ${markup}!`],
  ])("names a person or a company: %j", async (data, name, role) => {
    const page = await shown(await create(data));
    expect([
      page.texts("h1"),
      page.all("p").find(({ attributes }) => attributes.class === "role")?.text,
    ]).toEqual([[name], role]);
    expect(page.all("ul")).toEqual([]);
  });

  it.each([
    ["+49 30 901820", "+49 30901820"],
    ["+1 212 555 0123", "+1 212 555 0123"],
    ["+7 495 123 45 67", "+7 4951234567"],
    ["+351 21 346 1234", "+351 213461234"],
    ["+44 20 7946 0958", "+44 2079460958"],
    ["+852 2123 4567", "+852 21234567"],
    ["+20 2 25780000", "+20 225780000"],
    ["+212 522 123456", "+212 522123456"],
    ["+86 10 6552 9988", "+86 1065529988"],
    ["+998 71 123 45 67", "+998 711234567"],
  ])("writes %s with its country code apart", async (number, text) => {
    const [line] = waysOf(await shown(await create({ phones: [number] })));
    expect(line).toBe(`Phone${text}`);
  });

  it.each(languages)("is in the scanner's language: %s", async (language) => {
    const { contact, reportCode } = textsFor(language).texts;
    const page = await shown(person, { "accept-language": language });
    const kinds = [contact.phones.mobile, contact.phones.work, "Desk, 2", contact.email, contact.website];
    expect(page.texts("bdi").filter((_, i) => i % 2 === 0)).toEqual([...kinds, contact.address]);
    expect(page.texts("a").filter((_, i, all) => i === 0 || i === all.length - 1)).toEqual([
      contact.save,
      reportCode,
    ]);
  });

  it("isn't cached or indexed, has no script, and a policy that allows nothing but its styles", async () => {
    const response = await open(person.hash);
    const text = await response.clone().text();
    // The e-mail address would be replaced by a script on its way.
    expect(response.headers.get("cache-control")).toBe("no-store, no-transform");
    expect((await open((await create({})).hash)).headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(text).toContain('<meta name="robots" content="noindex">');
    expect(text).not.toMatch(/<(script|img|link|iframe|form)\b|\son\w+=|\sstyle=/i);
    const styles = [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = ""]) => style);
    const hashes = await Promise.all(
      styles.map(async (style) => {
        const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
        return `'sha256-${new Uint8Array(digest).toBase64()}'`;
      }),
    );
    expect(hashes).toHaveLength(2);
    expect(response.headers.get("content-security-policy")).toBe(
      `default-src 'none'; style-src ${hashes.join(" ")}; img-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  it("shows a contact whose record an earlier release wrote", async () => {
    const { readVcard } = await import("../../src/lib/text/read-vcard.ts");
    const lines = [
      "BEGIN:VCARD",
      "VERSION:3.0",
      "N:L;Ada;;;",
      "FN:Ada L",
      "TEL:+4930901820\\,9",
      "END:VCARD",
      "",
    ];
    expect(readVcard(lines.join("\r\n"))).toMatchObject({
      name: "Ada L",
      phones: [{ number: "+4930901820,9", type: undefined, label: undefined }],
    });
  });
});

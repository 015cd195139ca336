import { beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { mainField } from "../../../src/dashboard/codes/form/fields.ts";
import { Browser } from "../../support/browser.ts";
import { codeEntries } from "../../support/code-entries.ts";
import { fieldsOf, pageAt } from "../../support/dashboard.ts";
import { origin, Service } from "../../support/service.ts";

const service = new Service();
let session: Awaited<ReturnType<typeof service.session>>;
let client: Awaited<ReturnType<typeof service.client>>;
let browser: Browser;

/** Hosted pages that codes can lead to. */
let pageIds: readonly [first: string, second: string];

beforeAll(async () => {
  session = await service.session();
  client = await service.client(session.workspaceId);
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const makePage = async (title: string) =>
    (await session.expect(201, Page, "POST", "/developer/pages", { title, blocks: [] })).id;
  pageIds = [await makePage("First"), await makePage("Second")];
});

const pathOf = (id: string) => `/dashboard/codes/${id}`;
const publish = (id: string, fields: Record<string, string>) =>
  browser.submit(`${pathOf(id)}/destination`, fields);
const stored = (id: string) => client.expect(200, Qr, "GET", `/qr/${id}`);

it("is changed on the code's page by its form alone, with what it was and an undo", async () => {
  const qr = await client.createQr({ name: "Menu", tags: ["summer"] });
  const view = `${pathOf(qr.id)}/history`;
  const shown = fieldsOf(await pageAt(browser, view));
  expect(shown).toMatchObject({ "data.url": "https://example.com/", back: view });
  const answer = await publish(qr.id, { ...shown, "data.url": "example.com/autumn" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, origin + view]);
  expect(await stored(qr.id)).toMatchObject({
    name: "Menu",
    tags: ["summer"],
    data: { url: "https://example.com/autumn" },
  });
  expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.com/autumn");
  const page = await pageAt(browser, view);
  expect(page).toContain("Every printed copy leads there now.");
  expect(page).toMatch(/Was <span class="address">example\.com<\/span> until/);
  const [, revert = ""] = /formaction="([^"]+)"/.exec(page) ?? [];
  await browser.submit(revert, { back: view });
  expect((await stored(qr.id)).data).toEqual(qr.data);
});

it("stays, with the entry and the reason, if it is no address", async () => {
  const qr = await client.createQr();
  const answer = await publish(qr.id, {
    ...fieldsOf(await pageAt(browser, pathOf(qr.id))),
    "data.url": "a b",
  });
  const page = await answer.text();
  expect(answer.status).toBe(400);
  expect(page).toContain('id="data.url-problem"');
  expect(fieldsOf(page)["data.url"]).toBe("a b");
  expect(await stored(qr.id)).toEqual(qr);
});

it("isn't replaced if someone else has changed it, until both were shown", async () => {
  const qr = await client.createQr();
  const opened = fieldsOf(await pageAt(browser, pathOf(qr.id)));
  await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, {
    data: { type: "url", url: "https://example.com/theirs" },
  });
  const answer = await publish(qr.id, { ...opened, "data.url": "https://example.com/mine" });
  const page = await answer.text();
  expect(answer.status).toBe(409);
  expect(page).toContain("Someone has changed this to https://example.com/theirs");
  const both = fieldsOf(page);
  expect(both["data.url"]).toBe("https://example.com/mine");
  expect((await stored(qr.id)).data).toMatchObject({ url: "https://example.com/theirs" });
  expect((await publish(qr.id, both)).status).toBe(303);
  expect((await stored(qr.id)).data).toMatchObject({ url: "https://example.com/mine" });
});

it("is published although something else of the code has changed", async () => {
  const qr = await client.createQr();
  const opened = fieldsOf(await pageAt(browser, pathOf(qr.id)));
  await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { name: "Renamed" });
  expect((await publish(qr.id, { ...opened, "data.url": "example.com/new" })).status).toBe(303);
  expect(await stored(qr.id)).toMatchObject({ name: "Renamed", data: { url: "https://example.com/new" } });
});

const others: Record<Exclude<QrType, "servicepage">, readonly [entered: string, data: object]> = {
  url: ["example.com/b", { url: "https://example.com/b" }],
  applink: ["example.com/b", { fallback: "https://example.com/b" }],
  vcard: [
    "Sales: +49 30 901820\r\n+49 30 901821",
    { phones: ["+4930901820", "+4930901821"], phoneLabels: ["Sales", null] },
  ],
  sms: ["+49 30 901820", { phone: "+4930901820" }],
  whatsapp: ["+49 30 901820", { phone: "+4930901820" }],
  email: ["ada@example.com", { to: "ada@example.com" }],
  location: ["https://maps.apple.com/?ll=48.2,16.4", { latitude: 48.2, longitude: 16.4 }],
  telegram: ["@ada_lovelace", { username: "ada_lovelace" }],
};

it.each(QrType.options)("of type %s has one field that is changed there; the others stay", async (type) => {
  const [first, second] = pageIds;
  const { data } = codeEntries(first)[type];
  const qr = await client.createQr({ qrType: type, data });
  const [entered, changed] = type === "servicepage" ? [second, { pageId: second }] : others[type];
  const shown = fieldsOf(await pageAt(browser, pathOf(qr.id)));
  const { name } = mainField(type);
  expect(Object.keys(shown)).toContain(name);
  expect((await publish(qr.id, { ...shown, [name]: entered })).status).toBe(303);
  expect((await stored(qr.id)).data).toEqual({ ...qr.data, ...changed });
});

it.each<[lines: string, data: object]>([
  ["+1 212 555 2368", { phones: ["+12125552368"] }],
  [
    "+12125552368\nwork: +4930901820",
    { phones: ["+12125552368", "+4930901820"], phoneLabels: [null, "work"] },
  ],
  ["Work : 0049 30 901820", { phones: ["+4930901820"], phoneLabels: ["Work"] }],
  ["Büro：+49 30 901820", { phones: ["+4930901820"], phoneLabels: ["Büro"] }],
  ["Desk: 2: +4930901820", { phones: ["+4930901820"], phoneLabels: ["Desk: 2"] }],
  ["tel:+4930901820", { phones: ["+4930901820"] }],
  ["TEL:+4930901820", { phones: ["+4930901820"] }],
  ["Work: tel:+4930901820", { phones: ["+4930901820"], phoneLabels: ["Work"] }],
  ["tel: +4930901820", { phones: ["+4930901820"], phoneLabels: ["tel"] }],
  ["Sales: +1 212 555 0123 ext. 99", { phones: ["+12125550123;ext=99"], phoneLabels: ["Sales"] }],
  [":+4930901820", { refused: true }],
  ["Work:", { refused: true }],
  ["+4930901820:", { refused: true }],
])("of a contact has each number with its label: %s", async (lines, expected) => {
  const phones = ["+4930901820", "+12125552368"];
  const data = { type: "vcard" as const, firstName: "Ada", phones, phoneLabels: ["work", "Hotline"] };
  const qr = await client.createQr({ qrType: "vcard", data });
  const shown = fieldsOf(await pageAt(browser, pathOf(qr.id)));
  expect(shown["data.phones"]).toBe("work: +4930901820\nHotline: +12125552368");
  const { status } = await publish(qr.id, { ...shown, "data.phones": lines });
  const isRefused = "refused" in expected;
  expect([status, (await stored(qr.id)).data]).toEqual(
    isRefused ? [400, qr.data] : [303, { type: "vcard", firstName: "Ada", ...expected }],
  );
});

it("of a place asks for a map link", async () => {
  const qr = await client.createQr({
    qrType: "location",
    data: { type: "location", latitude: 1, longitude: 2 },
  });
  const answer = await publish(qr.id, fieldsOf(await pageAt(browser, pathOf(qr.id))));
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining("Paste a link from a map."),
  ]);
});

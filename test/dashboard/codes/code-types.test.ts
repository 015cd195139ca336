import { beforeAll, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { dataFields } from "../../../src/dashboard/codes/form/data-fields.ts";
import { Browser } from "../../support/browser.ts";
import { codeEntries } from "../../support/code-entries.ts";
import { fieldsOf, pageAt } from "../../support/dashboard.ts";
import { rasterise, readWithZxing } from "../../support/images/decode.ts";
import { type Client, Service } from "../../support/service.ts";

const service = new Service();
let client: Client;
let browser: Browser;
let pageId: string;

beforeAll(async () => {
  const session = await service.session();
  client = await service.client(session.workspaceId);
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const page = { title: "Summer fair", blocks: [] };
  ({ id: pageId } = await session.expect(201, Page, "POST", "/developer/pages", page));
});

it.each(QrType.options)(
  "a code of type %s is made by its form alone, and its form shows what was entered",
  async (type) => {
    const { fields, data, scan } = codeEntries(pageId)[type];
    expect(Object.keys(fields)).toEqual(dataFields[type].map(({ name }) => name));

    const path = `/dashboard/codes/new?type=${type}`;
    const answer = await browser.submit(path, { ...fieldsOf(await pageAt(browser, path)), ...sent(fields) });
    expect(answer.status).toBe(303);
    const id = answer.headers.get("location")?.split("/").at(-1);
    const qr = await client.expect(200, Qr, "GET", `/qr/${id}`);
    expect(qr).toMatchObject({ qrType: type, data });

    const scanned = await service.scan(qr.hash);
    expect(scanned.status).toBe(scan.status);
    expect(scanned.headers.get("location") ?? (await scanned.text())).toContain(scan.shows);
    const image = new Uint8Array(await (await service.fetch(`/${qr.hash}.svg`)).arrayBuffer());
    expect(await readWithZxing(await rasterise("svg", image, 400))).toEqual([qr.scanUrl]);

    const edit = `/dashboard/codes/${id}/edit`;
    const shown = fieldsOf(await pageAt(browser, edit));
    expect(shown).toMatchObject(fields);
    // Saved as it is shown, it stays as it is.
    expect((await browser.submit(edit, sent(shown))).status).toBe(303);
    expect(await client.expect(200, Qr, "GET", `/qr/${id}`)).toEqual(qr);
  },
);

/** Fields as browsers send them: with the line breaks of the network. */
const sent = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text.replaceAll("\n", "\r\n")]));

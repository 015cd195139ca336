import { describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { QrData } from "../../src/contract/resources/codes/qr-data.ts";
import type { QrType } from "../../src/contract/resources/enums.ts";
import { Template } from "../../src/contract/resources/images/templates.ts";
import { fieldsOf, pageAt, signedIn } from "../support/dashboard.ts";
import { expectError } from "../support/endpoints.ts";
import { makePage, pageMaker } from "../support/hosted-pages.ts";
import { rasterise, readWithZxing } from "../support/images/decode.ts";
import { sample } from "../support/runner/runs.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { creatable, validData } from "../support/types.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
/** The operator's step when a plan ends, or isn't paid. */
const downgrade = ({ workspaceId }: Client) =>
  service.operator.send("PUT", `/operator/workspaces/${workspaceId}/plan`, { plan: "free" });

/** The answer that a phone gets where nothing of the code is remembered. */
async function answerTo(path: string) {
  const response = await new Service({ now: clock.now }).scan(path);
  return [response.status, response.headers.get("location"), await response.text()];
}

describe("a workspace that had everything, on the Free plan", () => {
  it("has the same answer to a scan of each type of code, of a chosen short name and of a design", async () => {
    const maker = await pageMaker(service);
    const { client, session } = maker;
    const page = await makePage(maker);
    const types: Partial<Record<QrType, QrData>> = {
      ...Object.fromEntries(creatable.map((type) => [type, validData[type]])),
      servicepage: { type: "servicepage", pageId: page.id },
    };
    const codes: Qr[] = [];
    for (const data of Object.values(types)) codes.push(await client.createQr({ qrType: data.type, data }));
    codes.push(await client.createQr({ hash: "summer-menu" }));
    const path = "/developer/templates";
    const { id: templateId } = await session.expect(201, Template, "POST", path, { name: "House style" });
    const colorConfig = { dotsColor: "#14532d", cornerColor: "#123456" };
    codes.push(await client.createQr({ templateId, colorConfig }));
    const answers = () => Promise.all(codes.map(({ hash }) => answerTo(hash)));
    const before = await answers();
    expect(before.map(([status]) => status)).toEqual(codes.map(() => expect.toBeOneOf([200, 302])));

    expect((await downgrade(client)).status).toBe(200);
    await expectError(await client.send("GET", "/qr"), 403, "forbidden");
    clock.advance(60_000);
    expect(await answers()).toEqual(before);
    // All images are drawn alike, of the code's address. The last one has a design.
    for (const { hash, scanUrl } of [...sample(codes.slice(0, -1), 5), ...codes.slice(-1)]) {
      const image = new Uint8Array(await (await service.fetch(`/${hash}.svg`)).arrayBuffer());
      expect(await readWithZxing(await rasterise("svg", image, 400))).toEqual([scanUrl]);
    }
  });

  it("can change, pause, resume, delete and restore the codes that it has, and creates none that Free lacks", async () => {
    const { browser, client } = await signedIn(service);
    const maker = { client, session: await service.sessionIn(client.workspaceId) };
    const page = await makePage(maker);
    const vcard = await client.createQr({ qrType: "vcard", data: validData.vcard });
    const link = await client.createQr({ hash: "lunch-menu" });
    expect((await downgrade(client)).status).toBe(200);
    const pathOf = ({ id }: Qr) => `/dashboard/codes/${id}`;
    /** Sends a form with other values, and lets a moment pass. */
    async function change(path: string, form: string, values: Record<string, string>) {
      const answer = await browser.submit(path, { ...fieldsOf(await pageAt(browser, form)), ...values });
      expect([path, answer.status]).toEqual([path, 303]);
      clock.advance(2000);
    }

    await change(`${pathOf(vcard)}/edit`, `${pathOf(vcard)}/edit`, { "data.firstName": "Grace" });
    expect((await answerTo(vcard.hash))[2]).toContain("Grace");
    await change(`${pathOf(link)}/destination`, pathOf(link), { "data.url": "https://example.com/dinner" });
    expect((await answerTo(link.hash))[1]).toBe("https://example.com/dinner");
    const ofPage = `/dashboard/pages/${page.id}/edit`;
    await change(ofPage, ofPage, { title: "Autumn fair" });
    expect((await answerTo(`pages/${page.id}`))[2]).toContain("Autumn fair");
    for (const [action, status] of [
      ["pause", 404],
      ["resume", 302],
      ["delete", 404],
      ["restore", 302],
    ] as const) {
      await browser.submit(`${pathOf(link)}/${action}`, {});
      clock.advance(2000);
      expect([action, (await answerTo(link.hash))[0]]).toEqual([action, status]);
    }

    const [another, chosen] = [
      { type: "vcard", "data.firstName": "Alan" },
      { type: "url", "data.url": "example.com", hash: "chosen-name" },
    ];
    for (const values of [another, chosen]) {
      expect((await browser.submit("/dashboard/codes/new", values)).status).toBe(402);
    }
  });
});

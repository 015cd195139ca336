import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { plans } from "../../../src/contract/plans.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import type { QrData } from "../../../src/contract/resources/codes/qr-data.ts";
import { QrType, qrTypeNames } from "../../../src/contract/resources/enums.ts";
import { createQr } from "../../../src/domain/codes/codes.ts";
import { serviceContext } from "../../../src/domain/context/context.ts";
import type { ServiceError } from "../../../src/domain/errors.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import { sample } from "../../support/runner/runs.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { creatable, expectRefused, validData } from "../../support/types.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const storedData = async (id: string) =>
  JSON.parse((await env.DB.prepare("SELECT data FROM qr_codes WHERE id = ?").bind(id).first("data")) ?? "");

describe("data that is stored", () => {
  it("is normalised: phones as E.164, addresses whole, line ends as line feeds, edges trimmed", async () => {
    const cases: [QrData, object][] = [
      [
        validData.applink,
        { ios: "https://a.example", android: "https://b.example", fallback: "https://c.example" },
      ],
      [
        { type: "sms", phone: " +1 (212) 555-2368 ", message: "a\r\nb\rc" },
        { phone: "+12125552368", message: "a\nb\nc" },
      ],
      [{ type: "sms", phone: "833 39" }, { phone: "83339" }],
      [{ type: "whatsapp", phone: "\u202a+52 1 55 1234 5678\u202c" }, { phone: "+525512345678" }],
      [
        { type: "vcard", firstName: "Ada", phones: ["+1 212-555-0123 x99", "0049 30 901820"] },
        { firstName: "Ada", phones: ["+12125550123;ext=99", "+4930901820"] },
      ],
      [
        { type: "vcard", firstName: " Ada ", phones: [], urls: ["example.com"] },
        { firstName: "Ada", phones: [], urls: ["https://example.com"] },
      ],
      [{ type: "telegram", username: "https://t.me/durov" }, { username: "durov" }],
      [{ type: "email", to: " ada@example.com " }, { to: "ada@example.com" }],
    ];
    for (const [data, stored] of cases) {
      const qr = await client.createQr({ qrType: data.type, data });
      expect(await storedData(qr.id)).toEqual({ type: data.type, ...stored });
    }
  });

  it("yields a small route record, however large its fields", async () => {
    const note = "ä".repeat(limits.data.text);
    const qr = await client.createQr({
      qrType: "vcard",
      data: { type: "vcard", firstName: "x".repeat(200), note, urls: [`example.com/${"y".repeat(1400)}`] },
    });
    expect((await env.ROUTES.get(qr.hash, "arrayBuffer"))?.byteLength).toBeLessThan(6 * 1024);
  });
});

describe("a change of data", () => {
  it.each(creatable)(
    "of %s raises one event that names it, and none when nothing changes",
    async (qrType) => {
      const qr = await client.createQr({ qrType, data: validData[qrType] });
      const patch = (data: unknown) => client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { data });
      const updates = () =>
        emittedEvents().filter(({ kind, data }) => kind === "qr.updated" && data.id === qr.id);
      await patch(validData[qrType]);
      expect(updates()).toEqual([]);
      const changed: Record<string, object> = {
        url: { url: "example.org" },
        applink: { android: undefined },
        vcard: { phones: ["+49 30 901821"] },
        sms: { message: "Ho" },
        whatsapp: { phone: "+49 30 901821" },
        email: { bcc: "b@example.com" },
        location: { latitude: -1 },
        telegram: { username: "telegram" },
      };
      await patch({ ...validData[qrType], ...changed[qrType] });
      expect(updates().map(({ data }) => data.changed)).toEqual([["data"]]);
    },
  );

  it.each(sample(creatable, 4))("of %s can't change the type", async (qrType) => {
    const qr = await client.createQr({ qrType, data: validData[qrType] });
    for (const data of Object.values(validData).filter(({ type }) => type !== qrType)) {
      const response = await client.send("PATCH", `/qr/${qr.id}`, { data });
      await expectRefused(response, new RegExp(`^data\\.type can't be changed. It is ${qrType}`));
    }
    expect((await storedData(qr.id)).type).toBe(qrType);
  });

  it("is validated like a new code's data", async () => {
    const qr = await client.createQr({ qrType: "sms", data: validData.sms });
    const patch = (data: unknown) => client.send("PATCH", `/qr/${qr.id}`, { data });
    await expectRefused(await patch({ type: "sms", phone: "nonsense" }), /^data\.phone /);
    await expectRefused(await patch({ type: "sms" }), /^data\.phone /);
  });
});

describe("who may create which type", () => {
  // Plans that lack a type have no secret keys either, so the test calls the domain function instead of the API.
  // Business has all types: the other tests are on it.
  it.each(["free", "starter", "pro"] as const)("depends on the plan: %s", async (plan) => {
    const { workspaceId } = await service.workspace(plan);
    const lacking: Record<typeof plan, readonly QrType[]> = {
      free: QrType.options.filter((type) => type !== "url"),
      starter: ["servicepage"],
      pro: [],
    };
    for (const qrType of QrType.options) {
      const creation = createQr(service.deps, serviceContext(workspaceId, plan), {
        qrType,
        data: validData[qrType],
      });
      const outcome = await creation.catch((error: ServiceError) => ({ ...error, message: error.message }));
      if (lacking[plan].includes(qrType)) {
        const message = `Your ${plans[plan].title} plan doesn't include ${qrTypeNames[qrType].inText} codes. Upgrade to create them.`;
        expect(outcome).toMatchObject({ code: "plan_limit", status: 402, message });
      } else if (qrType === "servicepage") {
        expect(outcome).toMatchObject({ code: "invalid_input", status: 400 });
      } else {
        expect(outcome).toMatchObject({ qrType });
      }
    }
  });

  it("is url for a publishable key on every plan", async () => {
    for (const plan of ["free", "business"] as const) {
      const { workspaceId } = await service.workspace(plan);
      const origin = "https://shop.example";
      const widget = await service.client(workspaceId, ["qr:write"], "publishable", [origin]);
      for (const qrType of QrType.options) {
        const response = await widget.send("POST", "/qr", { qrType, data: validData[qrType] }, { origin });
        expect([qrType, response.status]).toEqual([qrType, qrType === "url" ? 201 : 400]);
        if (qrType !== "url") {
          expect(await response.json()).toEqual({
            code: "invalid_input",
            error: expect.stringContaining("qrType must be url with a publishable key."),
          });
        }
      }
    }
  });
});

describe("a bulk job", () => {
  const harness = new BulkHarness();

  it("creates JSON items of every type, which a scan then finds", async () => {
    const own = await harness.service.workspace();
    const items = creatable.map((qrType) => ({ qrType, data: validData[qrType] }));
    const job = await harness.run(own, await harness.json(own, items));
    expect(job).toMatchObject({ successCount: creatable.length, failureCount: 0 });
    for (const [i, qrType] of creatable.entries()) {
      const response = await harness.service.scan(job.items[i]?.createdQrHash ?? "");
      const status = ["vcard", "sms", "email"].includes(qrType) ? 200 : 302;
      expect([qrType, response.status]).toEqual([qrType, status]);
    }
  });

  it("fails invalid items individually, naming the field", async () => {
    const own = await harness.service.workspace();
    const job = await harness.run(
      own,
      await harness.json(own, [
        item(1),
        { qrType: "sms", data: { type: "sms", phone: "nonsense" } },
        { qrType: "vcard", data: { ...validData.vcard, urls: ["nonsense"] } },
        { qrType: "servicepage", data: validData.servicepage },
        { qrType: "sms", data: validData.email },
      ]),
    );
    expect(job).toMatchObject({ successCount: 1, failureCount: 4 });
    const errors = job.items.map(({ error }) => error);
    expect(errors[1]).toMatch(/^data\.phone must be a phone number/);
    expect(errors[2]).toMatch(/^data\.urls\.0 /);
    expect(errors[3]).toMatch(/^data\.pageId isn't a page/);
    expect(errors[4]).toMatch(/^data\.type must equal qrType/);
  });

  it("accepts types other than url only as JSON", async () => {
    const own = await harness.service.workspace();
    const job = await harness.run(
      own,
      await harness.csv(own, "url,qrType\na.example,url\nb.example,vcard\nc.example,x\n"),
    );
    expect(job).toMatchObject({ successCount: 1, failureCount: 2 });
    for (const at of [1, 2]) expect(job.items[at]?.error).toMatch(/^line \d+: qrType must be url .* as JSON/);
  });
});

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { expectRefused } from "../../support/types.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const post = (data: object) =>
  client.send("POST", "/qr", { qrType: "vcard", data: { type: "vcard", ...data } });
const create = (data: object) =>
  client.expect(201, Qr, "POST", "/qr", { qrType: "vcard", data: { type: "vcard", ...data } });
const patch = ({ id }: Qr, data: object) =>
  client.expect(200, Qr, "PATCH", `/qr/${id}`, { data: { type: "vcard", ...data } });
const stored = async ({ id }: Qr): Promise<Record<string, unknown>> =>
  JSON.parse((await env.DB.prepare("SELECT data FROM qr_codes WHERE id = ?").bind(id).first("data")) ?? "");
const store = ({ id }: Qr, data: object) =>
  env.DB.prepare("UPDATE qr_codes SET data = ? WHERE id = ?").bind(JSON.stringify(data), id).run();

const [berlin, mobile, vanity] = ["+4930901820", "+491701234567", "+12125550123;ext=99"];

describe("a company", () => {
  it.each<[given: object, answered: object]>([
    [{ organization: "Example GmbH" }, { organization: "Example GmbH" }],
    [{ firstName: "", organization: "Example GmbH" }, { organization: "Example GmbH" }],
    [{ firstName: "  ", organization: " Example GmbH " }, { organization: "Example GmbH" }],
    [{ firstName: null, organization: "Example GmbH" }, { organization: "Example GmbH" }],
    [
      { lastName: "Lovelace", organization: "Ltd" },
      { lastName: "Lovelace", organization: "Ltd" },
    ],
    [
      { organization: "Ltd", title: "Reception", phones: [berlin] },
      { organization: "Ltd", title: "Reception", phones: [berlin] },
    ],
  ])("has no first name: %j", async (given, answered) => {
    const qr = await create(given);
    expect(qr.data).toEqual({ type: "vcard", ...answered });
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
    // Earlier releases expect one.
    expect(await stored(qr)).toEqual({ type: "vcard", firstName: "", ...answered });
    const [event] = emittedEvents().filter(({ data }) => data.id === qr.id);
    expect(event?.data.data).toEqual(qr.data);
  });

  it.each<[given: object, problem: RegExp]>([
    [{}, /^data\.firstName or organization is required\.$/],
    [{ lastName: "Lovelace" }, /^data\.firstName or organization is required\.$/],
    [{ organization: null }, /^data\.firstName or organization is required\.$/],
    [{ phones: [berlin], note: "A note" }, /^data\.firstName or organization is required\.$/],
    [{ firstName: "" }, /^data\.firstName can't be empty\.$/],
    [{ firstName: "", organization: "" }, /^data\.organization can't be empty/],
    [{ organization: "  " }, /^data\.organization can't be empty/],
    [{ organization: 5 }, /^data\.organization must be a string/],
    [{ organization: "a\nb" }, /^data\.organization can't contain line breaks/],
    [{ organization: "x".repeat(201) }, /^data\.organization can have at most 200 characters/],
  ])("or a person is required: %j", async (given, problem) => {
    await expectRefused(await post(given), problem);
  });

  it("may become a person's, and back, and each is shown by its name", async () => {
    const qr = await create({ organization: "Example GmbH" });
    expect((await patch(qr, { firstName: "Ada", organization: "Example GmbH" })).data).toHaveProperty(
      "firstName",
    );
    expect((await patch(qr, { organization: "Example GmbH" })).data).not.toHaveProperty("firstName");
    await expectRefused(
      await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "vcard" } }),
      /^data\.firstName or organization is required/,
    );
  });
});

describe("rows of a job", () => {
  const harness = new BulkHarness();

  it("may be companies, each row for itself", async () => {
    const member = await harness.service.workspace();
    const items = [
      { organization: "Example GmbH", phones: [{ number: berlin, label: "work" }] },
      { note: "Nobody" },
    ];
    const job = await harness.accepted(
      await harness.json(
        member,
        items.map((data) => ({ qrType: "vcard", data: { type: "vcard", ...data } })),
      ),
    );
    await harness.drain();
    const { items: results } = await harness.read(member, job.jobId);
    expect(results.map(({ error }) => error)).toEqual([null, "data.firstName or organization is required."]);
    const qr = await member.expect(200, Qr, "GET", `/qr/${results[0]?.createdQrId}`);
    expect(qr.data).toEqual({
      type: "vcard",
      organization: "Example GmbH",
      phones: [berlin],
      phoneLabels: ["work"],
    });
  });

  it("have their labels in the column of the data, as exported and as edited", async () => {
    const member = await harness.service.workspace();
    const data = {
      type: "vcard" as const,
      organization: "Example GmbH",
      phones: [berlin, mobile],
      phoneLabels: [null, "Hotline"],
    };
    const qr = await member.createQr({ qrType: "vcard", data });
    const exported = await (await member.send("GET", "/qr/export")).text();
    expect(exported).toContain(`"${JSON.stringify(data).replaceAll('"', '""')}"`);
    const update = async (csv: string) => {
      const job = await harness.accepted(
        await member.send("POST", "/qr/bulk-update/csv", csv, { "content-type": "text/csv" }),
      );
      await harness.drain();
      return (await harness.read(member, job.jobId)).items.map(({ error }) => error);
    };
    expect(await update(exported)).toEqual([null]);
    expect(await member.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
    const phones = [{ number: berlin, label: "Office" }];
    const edited = JSON.stringify({ type: "vcard", organization: "Example GmbH", phones });
    expect(await update(`id,data\n${qr.id},"${edited.replaceAll('"', '""')}"\n`)).toEqual([null]);
    expect((await member.expect(200, Qr, "GET", `/qr/${qr.id}`)).data).toEqual({
      ...{ type: "vcard", organization: "Example GmbH" },
      ...{ phones: [berlin], phoneLabels: ["Office"] },
    });
  });
});

describe("labels of numbers", () => {
  it.each<[given: object, answered: object]>([
    [{ phones: [berlin] }, { phones: [berlin] }],
    [
      { phones: [berlin, mobile], phoneLabels: ["work", null] },
      { phones: [berlin, mobile], phoneLabels: ["work", null] },
    ],
    [
      { phones: [berlin, mobile], phoneLabels: ["work"] },
      { phones: [berlin, mobile], phoneLabels: ["work", null] },
    ],
    [
      { phones: [berlin, { number: "+49 170 1234567", label: "Hotline" }] },
      { phones: [berlin, mobile], phoneLabels: [null, "Hotline"] },
    ],
    [
      { phones: [{ number: berlin, label: "a" }, { number: mobile }], phoneLabels: ["b", "c"] },
      { phones: [berlin, mobile], phoneLabels: ["a", "c"] },
    ],
    [{ phones: [{ number: berlin }, { number: mobile, label: null }] }, { phones: [berlin, mobile] }],
    [{ phones: [berlin], phoneLabels: [null] }, { phones: [berlin] }],
    [{ phones: [berlin], phoneLabels: [] }, { phones: [berlin] }],
    [{ phones: [], phoneLabels: [] }, { phones: [] }],
    [
      { phones: [{ number: "+1 212-555-0123 x99", label: " Desk: 2 " }] },
      { phones: [vanity], phoneLabels: ["Desk: 2"] },
    ],
    [
      { phones: [berlin, berlin], phoneLabels: ["work", "home"] },
      { phones: [berlin, berlin], phoneLabels: ["work", "home"] },
    ],
  ])("stand beside the numbers in the same order: %j", async (given, answered) => {
    const qr = await create({ firstName: "Ada", ...given });
    expect(qr.data).toEqual({ type: "vcard", firstName: "Ada", ...answered });
    // Sent back as it was answered, it changes nothing.
    expect((await patch(qr, qr.data)).updatedAt).toBe(qr.updatedAt);
  });

  it.each<[given: object, problem: RegExp]>([
    [{ phones: [berlin], phoneLabels: ["a", "b"] }, /^data\.phoneLabels can't have more entries than phones/],
    [{ phoneLabels: [null] }, /^data\.phoneLabels can't have more entries than phones/],
    [{ phones: [berlin], phoneLabels: "work" }, /^data\.phoneLabels must be an array/],
    [{ phones: [berlin], phoneLabels: [""] }, /^data\.phoneLabels\.0 can't be empty/],
    [{ phones: [berlin], phoneLabels: [5] }, /^data\.phoneLabels\.0 must be a string/],
    [{ phones: [berlin], phoneLabels: ["a\nb"] }, /^data\.phoneLabels\.0 can't contain line breaks/],
    [{ phones: [berlin], phoneLabels: ["x".repeat(201)] }, /^data\.phoneLabels\.0 can have at most 200/],
    [{ phones: [{ number: berlin, label: "" }] }, /^data\.phones\.0\.label can't be empty/],
    [
      { phones: [berlin, { number: "12", label: "work" }] },
      /^data\.phones\.1\.number must be a phone number/,
    ],
    [
      { phones: [{ label: "work" }] },
      /^data\.phones\.0 must be a phone number, or an object with number and label/,
    ],
    [{ phones: [{ number: 5 }] }, /^data\.phones\.0 must be a phone number, or an object/],
    [{ phones: [[berlin]] }, /^data\.phones\.0 must be a phone number, or an object/],
    [{ phones: [null] }, /^data\.phones\.0 must be a phone number, or an object/],
    [{ phones: [5] }, /^data\.phones\.0 must be a phone number, or an object/],
  ])("are refused by name: %j", async (given, problem) => {
    await expectRefused(await post({ firstName: "Ada", ...given }), problem);
  });

  it("don't stay when the numbers are replaced without them", async () => {
    const qr = await create({ firstName: "Ada", phones: [berlin, mobile], phoneLabels: ["work", "mobile"] });
    const changed = await patch(qr, { firstName: "Ada", phones: [mobile, berlin] });
    expect(changed.data).toEqual({ type: "vcard", firstName: "Ada", phones: [mobile, berlin] });
  });

  it("are a change of their own", async () => {
    const qr = await create({ firstName: "Ada", phones: [berlin] });
    await patch(qr, { firstName: "Ada", phones: [{ number: berlin, label: "work" }] });
    const updates = emittedEvents().filter(({ kind, data }) => kind === "qr.updated" && data.id === qr.id);
    expect(updates.map(({ data }) => [data.changed, data.data])).toEqual([
      [["data"], { type: "vcard", firstName: "Ada", phones: [berlin], phoneLabels: ["work"] }],
    ]);
  });

  it("and nothing else name a misspelled field that is ignored", async () => {
    const phones = [{ number: berlin, lable: "work" }];
    const response = await post({ firstName: "Ada", phones });
    expect(response.headers.get("x-ignored-fields")).toBe("data.phones[].lable");
  });
});

describe("a contact that an earlier release stored", () => {
  it("isn't changed by what it already says", async () => {
    const qr = await create({ firstName: "Ada", phones: [mobile] });
    expect(await stored(qr)).toEqual({
      type: "vcard",
      firstName: "Ada",
      phones: [mobile],
      mobilePhones: [mobile],
    });
    await store(qr, { type: "vcard", firstName: "Ada", phones: [mobile] });
    expect((await patch(qr, { firstName: "Ada", phones: [mobile] })).updatedAt).toBe(qr.updatedAt);
    expect((await patch(qr, { firstName: "Bea", phones: [mobile] })).data).toEqual({
      type: "vcard",
      firstName: "Bea",
      phones: [mobile],
    });
    expect(await stored(qr)).toHaveProperty("mobilePhones", [mobile]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { Qr, type QrCreateInput, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { Page } from "../../../src/contract/resources/pages.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { type Client, emittedEvents, type SessionClient } from "../../support/service.ts";
import { validData } from "../../support/types.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Client;
let session: SessionClient;
/** Valid input of each type, with a value in every field. */
let inputs: Record<string, QrCreateInput>;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
  const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "A page" });
  const template = await session.expect(201, Template, "POST", "/developer/templates", {
    name: "House style",
    colorConfig: { cornerColor: "navy" },
  });
  inputs = Object.fromEntries(
    QrType.options.map((qrType) => [
      qrType,
      {
        name: `A ${qrType}`,
        qrType,
        data: qrType === "servicepage" ? { type: qrType, pageId: page.id } : validData[qrType],
        shape: "circle" as const,
        colorConfig: { dotsColor: "#123456", glow: { radius: [1, null] } },
        templateId: template.id,
        advanced: { print: { dpi: 300.5, 'key.with "quotes"': "\u0000" }, big: 12345678901234567000 },
      },
    ]),
  );
});

const inputOf = (qrType: QrType): QrCreateInput => {
  const input = inputs[qrType];
  if (input === undefined) throw new Error(`no input of type ${qrType}`);
  return input;
};

/** The fields of the design in an answer, besides `data`. */
const design = (input: QrCreateInput) => ({
  shape: input.shape,
  colorConfig: { cornerColor: "navy", ...input.colorConfig },
  templateId: input.templateId,
  advanced: input.advanced,
});

/** Expects another code with the same content. */
function expectCopy(copy: Qr, read: Qr): void {
  const { id, hash, scanUrl, createdAt, updatedAt } = copy;
  expect([hash, id]).not.toEqual([read.hash, read.id]);
  expect(scanUrl.endsWith(`/${hash}`)).toBe(true);
  expect(copy).toEqual({ ...read, id, hash, scanUrl, createdAt, updatedAt });
}

const eventsOf = (id: string) => emittedEvents().filter(({ data }) => data.id === id);

describe.each(QrType.options)("a code of type %s", (qrType) => {
  let created: Qr;
  beforeAll(async () => {
    created = await client.expect(201, Qr.strict(), "POST", "/qr", inputOf(qrType));
  });

  it("is answered with its data and design, and so is its event", async () => {
    expect(created).toMatchObject(design(inputOf(qrType)));
    expect(created.data.type).toBe(qrType);
    expect(await client.expect(200, Qr.strict(), "GET", `/qr/${created.id}`)).toEqual(created);
    const { items } = await client.expect(200, QrList, "GET", `/qr?qrType=${qrType}&limit=1`);
    expect(items).toEqual([created]);
    expect(eventsOf(created.id).map(({ data }) => data)).toEqual([created]);
  });

  it("can be sent back as it was read, which changes nothing and sends no event", async () => {
    // A template that is sent alone is applied again: its colors replace those of the code.
    const { templateId: _, ...alone } = created;
    // Types differ in their data alone.
    const fields = qrType === "url" ? alone : { qrType, data: created.data };
    for (const [field, value] of Object.entries(fields)) {
      const answer = await client.expect(200, Qr, "PATCH", `/qr/${created.id}`, { [field]: value });
      expect([field, answer]).toEqual([field, created]);
    }
    expect(await client.expect(200, Qr, "PATCH", `/qr/${created.id}`, created)).toEqual(created);
    expect(eventsOf(created.id)).toHaveLength(1);
  });

  it("makes a copy when it is posted as it was read, also with only what it must have", async () => {
    const least = await client.expect(201, Qr, "POST", "/qr", { qrType, data: inputOf(qrType).data });
    for (const read of [created, least]) {
      expectCopy(await client.expect(201, Qr.strict(), "POST", "/qr", read), read);
    }
  });
});

it("a code is answered alike by its change and its restoration, and so are their events", async () => {
  const created = await client.expect(201, Qr.strict(), "POST", "/qr", inputOf("applink"));
  const renamed = await client.expect(200, Qr.strict(), "PATCH", `/qr/${created.id}`, { name: "New" });
  expect(renamed).toEqual({ ...created, name: "New", updatedAt: renamed.updatedAt });
  await client.send("DELETE", `/qr/${created.id}`);
  const restored = await client.expect(200, Qr.strict(), "POST", `/qr/${created.id}/restore`);
  expect(restored).toEqual({ ...renamed, updatedAt: restored.updatedAt });
  const [first, second, third, fourth] = eventsOf(created.id).map(({ data }) => data);
  expect(first).toEqual(created);
  expect(second).toEqual({ ...renamed, changed: ["name"] });
  expect(third).toEqual({ ...renamed, updatedAt: third?.updatedAt });
  expect(fourth).toEqual({ ...restored, changed: ["deleted"] });
});

it("a copy can have a chosen short name", async () => {
  const chosen = { ...(await client.createQr()), hash: "copied-code" };
  expect(await client.expect(201, Qr, "POST", "/qr", chosen)).toMatchObject({ hash: "copied-code" });
});

it("codes of every type are copied by a bulk job as they were read, also in their events", async () => {
  const { items } = await client.expect(200, QrList, "GET", "/qr?limit=100");
  const ofTypes = QrType.options.flatMap((type) => items.find(({ qrType }) => qrType === type) ?? []);
  expect(ofTypes).toHaveLength(QrType.options.length);
  const job = await harness.run(client, await harness.json(client, ofTypes));
  await client.send("PATCH", `/qr/${job.items[0]?.createdQrId}`, { name: "Forwards the events" });
  for (const [i, read] of ofTypes.entries()) {
    const id = job.items[i]?.createdQrId ?? "";
    const [created] = eventsOf(id);
    expect(created?.kind).toBe("qr.created");
    const copy = Qr.strict().parse(created?.data);
    // Designs of a bulk job are measured later.
    expectCopy(copy, { ...read, readability: copy.readability });
    if (i > 0) expect(await client.expect(200, Qr, "GET", `/qr/${id}`)).toEqual(copy);
  }
});

describe("a code without a design", () => {
  it("is answered with nulls, which can be sent back", async () => {
    const qr = await client.createQr({ colorConfig: {}, advanced: { nothing: null } });
    const none = { shape: null, colorConfig: null, templateId: null, advanced: null };
    expect(qr).toMatchObject(none);
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
    expect(await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, qr)).toEqual(qr);
    expect(await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, none)).toEqual(qr);
    expect(eventsOf(qr.id)).toHaveLength(1);
  });
});

describe("a template that is gone", () => {
  it("can be sent back with the code that it was applied to", async () => {
    const { id } = await session.expect(201, Template, "POST", "/developer/templates", {
      name: "Gone",
      shape: "circle",
    });
    const qr = await client.createQr({ templateId: id });
    await session.send("DELETE", `/developer/templates/${id}`);
    expect(await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, qr)).toEqual(qr);
    const removed = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: null });
    expect(removed).toMatchObject({ templateId: null, shape: "circle" });
  });
});

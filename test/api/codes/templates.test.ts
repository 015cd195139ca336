import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Deleted, Qr } from "../../../src/contract/resources/codes/qr.ts";
import { Template, TemplateList } from "../../../src/contract/resources/images/templates.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import { type Client, emittedEvents, type SessionClient } from "../../support/service.ts";

const harness = new BulkHarness();
let session: SessionClient;
let client: Client;
const path = "/developer/templates";
const house = {
  name: "House style",
  colorConfig: { dotsColor: "navy", backgroundColor: "white" },
  shape: "circle",
};

beforeAll(async () => {
  session = await harness.service.session();
  client = await harness.service.client(session.workspaceId);
});

const make = (input: object = house) => session.expect(201, Template.strict(), "POST", path, input);

/** A code's stored design, which answers do not include. */
async function lookOf(id: string | null | undefined) {
  const row = await env.DB.prepare("SELECT template_id, color_config, shape FROM qr_codes WHERE id = ?")
    .bind(id ?? "")
    .first<{ template_id: string; color_config: string; shape: string }>();
  return {
    templateId: row?.template_id,
    colorConfig: JSON.parse(row?.color_config ?? "null"),
    shape: row?.shape,
  };
}

describe("a template", () => {
  it("is created, listed, changed and deleted", async () => {
    const template = await make();
    expect(template).toMatchObject(house);
    expect(await session.expect(200, Template, "GET", `${path}/${template.id}`)).toEqual(template);
    const { templates } = await session.expect(200, TemplateList, "GET", path);
    expect(templates).toContainEqual(template);
    const change = { name: "New", colorConfig: null };
    const changed = await session.expect(200, Template, "PATCH", `${path}/${template.id}`, change);
    expect(changed).toEqual({ ...template, ...change });
    expect(await session.expect(200, Template, "PATCH", `${path}/${template.id}`, {})).toEqual(changed);
    await session.expect(200, Deleted, "DELETE", `${path}/${template.id}`);
    expect((await session.send("GET", `${path}/${template.id}`)).status).toBe(404);
  });

  it.each([
    ["POST", path, { ...house, colorConfig: { dotsColor: "url(x)" } }, "dotsColor"],
    ["POST", path, { ...house, colorConfig: { dotsColor: "yellow" } }, "dotsColor"],
    ["POST", path, { ...house, shape: "star" }, "shape"],
    ["POST", path, { shape: "circle" }, "name"],
  ])("is refused: %s %s %j", async (method, at, body, field) => {
    const response = await session.send(method, at, body);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: expect.stringContaining(field) },
    ]);
    const { id } = await make();
    if (field !== "name") expect((await session.send("PATCH", `${path}/${id}`, body)).status).toBe(400);
  });

  it("is refused on the Free plan", async () => {
    const free = await harness.service.session("free");
    const refused = await free.send("POST", path, house);
    expect([refused.status, await refused.json()]).toEqual([
      402,
      { code: "plan_limit", error: "Your Free plan doesn't include design templates. Upgrade to use them." },
    ]);
  });
});

describe("applied to a code", () => {
  it("supplies the values the request lacks, which stay when the template is deleted", async () => {
    const { id } = await make();
    const qr = await client.createQr({ templateId: id, colorConfig: { dotsColor: "black" } });
    await session.expect(200, Deleted, "DELETE", `${path}/${id}`);
    expect(await lookOf(qr.id)).toEqual({
      templateId: id,
      colorConfig: { dotsColor: "black", backgroundColor: "white" },
      shape: "circle",
    });
  });

  it("replaces the previous design when a code is changed", async () => {
    const { id } = await make();
    const qr = await client.createQr({ colorConfig: { dotsColor: "black", frame: 1 }, shape: "square" });
    await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { templateId: id });
    expect(await lookOf(qr.id)).toEqual({ templateId: id, colorConfig: house.colorConfig, shape: "circle" });
    const updates = emittedEvents().find(({ kind, data }) => kind === "qr.updated" && data.id === qr.id);
    expect(updates?.data.changed).toEqual(expect.arrayContaining(["templateId", "colorConfig", "shape"]));
  });

  it("must be scannable together with the request's own colours", async () => {
    const { id } = await make({ name: "Grey", colorConfig: { backgroundColor: "#aaa" } });
    const input = { templateId: id, colorConfig: { dotsColor: "#666" } };
    const qr = await client.createQr({ colorConfig: { dotsColor: "#666" } });
    for (const response of [
      await client.send("POST", "/qr", { ...item(1), ...input }),
      await client.send("PATCH", `/qr/${qr.id}`, input),
    ]) {
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: expect.stringMatching(/^colorConfig\.\w+ .*contrast/) },
      ]);
    }
    const job = await harness.run(client, await harness.json(client, [{ ...item(1), ...input }]));
    expect(job.items[0]?.error).toContain("contrast");
  });

  it("works in bulk, row by row", async () => {
    const { id } = await make();
    const theirs = await (await harness.service.session()).expect(201, Template, "POST", path, house);
    const rows = [{ ...item(1), templateId: id }, { ...item(2), templateId: theirs.id }, item(3)];
    const job = await harness.run(client, await harness.json(client, rows));
    expect(job.items.map(({ error }) => error)).toEqual([
      null,
      "templateId isn't a template of this workspace.",
      null,
    ]);
    expect(await lookOf(job.items[0]?.createdQrId)).toMatchObject({ templateId: id, shape: "circle" });
  });

  it.each(["an unknown id", "an id of another workspace"])("%s is refused with 400", async (whose) => {
    const other = await harness.service.session();
    const templateId =
      whose === "an unknown id"
        ? crypto.randomUUID()
        : (await other.expect(201, Template, "POST", path, house)).id;
    const qr = await client.createQr();
    for (const response of [
      await client.send("POST", "/qr", { ...item(1), templateId }),
      await client.send("PATCH", `/qr/${qr.id}`, { templateId }),
    ]) {
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: "templateId isn't a template of this workspace." },
      ]);
    }
  });
});

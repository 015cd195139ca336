import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { QrType } from "../../../src/contract/resources/enums.ts";
import { CreatedWebhook, Webhook } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import { sample } from "../../support/runner/runs.ts";
import { type Client, emittedEvents, type SessionClient } from "../../support/service.ts";
import { creatable, expectRefused, validData } from "../../support/types.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
});

describe("the status of a new code", () => {
  it("is the given one, which scans follow at every edge", async () => {
    const paused = await client.createQr({ status: "paused" });
    expect(paused.status).toBe("paused");
    expect(await client.expect(200, Qr, "GET", `/qr/${paused.id}`)).toEqual(paused);
    expect(await service.deps.routeCache.get(paused.hash, "json")).toMatchObject({ status: "paused" });
    expect((await service.scan(paused.hash)).status).toBe(404);
    const otherEdge = harness.isolate();
    expect((await otherEdge.scan(paused.hash)).status).toBe(404);
    await client.expect(200, Qr, "PATCH", `/qr/${paused.id}`, { status: "active" });
    expect((await service.scan(paused.hash)).status).toBe(302);
    const active = await client.createQr({ status: "active" });
    expect((await service.scan(active.hash)).status).toBe(302);
    expect((await client.createQr()).status).toBe("active");
  });

  it("can be given in bulk, as a field or a column", async () => {
    const rows = [{ ...item(1), status: "paused" }, { ...item(2), status: "active" }, item(3)];
    const json = await harness.run(client, await harness.json(client, rows));
    const sheet = await harness.run(
      client,
      await harness.csv(
        client,
        "url,Status\na.example,paused\nb.example,active\nc.example,\nd.example,off\n",
      ),
    );
    for (const job of [json, sheet]) {
      const codes = await Promise.all(
        job.items.slice(0, 3).map(({ createdQrId }) => client.expect(200, Qr, "GET", `/qr/${createdQrId}`)),
      );
      expect(codes.map(({ status }) => status)).toEqual(["paused", "active", "active"]);
      const answers = await Promise.all(codes.map(({ hash }) => service.scan(hash)));
      expect(answers.map(({ status }) => status)).toEqual([404, 302, 302]);
      const [paused] = codes;
      expect(await service.deps.routeCache.get(paused?.hash ?? "", "json")).toMatchObject({
        status: "paused",
      });
      await client.send("PATCH", `/qr/${paused?.id}`, { name: "Forwards the events" });
      const [event] = emittedEvents().filter(({ data }) => data.id === paused?.id);
      expect(event).toMatchObject({ kind: "qr.created", data: { status: "paused" } });
    }
    expect(sheet.items[3]?.error).toBe("line 5: status must be active or paused.");
  });
});

describe("the type of a code", () => {
  it.each(sample(creatable, 4, 1))("%s can't be changed, with data or without", async (qrType) => {
    const qr = await client.createQr({ qrType, data: validData[qrType] });
    const problem = new RegExp(`^qrType can't be changed. It is ${qrType}\\.$`);
    for (const other of QrType.options.filter((each) => each !== qrType)) {
      for (const body of [{ qrType: other }, { qrType: other, data: validData[other], name: "x" }]) {
        await expectRefused(await client.send("PATCH", `/qr/${qr.id}`, body), problem);
      }
    }
    await expectRefused(
      await client.send("PATCH", `/qr/${qr.id}`, { qrType: "poster" }),
      /^qrType must be url, /,
    );
    expect(await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { qrType })).toEqual(qr);
  });
});

describe("the scope of a webhook", () => {
  it("can't be changed, but sent back", async () => {
    const { id: scopeQrId } = await client.createQr();
    const make = async (scope: object) => {
      const input = { url: "https://example.com/hook", events: ["qr.scanned"], ...scope };
      const { secret: _, ...webhook } = await session.expect(
        201,
        CreatedWebhook,
        "POST",
        "/developer/webhooks",
        input,
      );
      return webhook;
    };
    const [whole, scoped] = [await make({}), await make({ scopeQrId })];
    const path = (webhook: Webhook) => `/developer/webhooks/${webhook.id}`;
    for (const webhook of [whole, scoped]) {
      expect(await session.expect(200, Webhook, "PATCH", path(webhook), webhook)).toEqual(webhook);
    }
    for (const field of ["scopeQrId", "scopePageId"]) {
      const problem = new RegExp(`^${field} can't be changed. Create another webhook instead.$`);
      const body = { [field]: crypto.randomUUID(), events: ["qr.created"] };
      await expectRefused(await session.send("PATCH", path(whole), body), problem);
    }
    await expectRefused(await session.send("PATCH", path(scoped), { scopeQrId: null }), /^scopeQrId can't/);
    expect(await session.expect(200, Webhook, "GET", path(scoped))).toEqual(scoped);
    const missing = await session.send("PATCH", `/developer/webhooks/${crypto.randomUUID()}`, { scopeQrId });
    expect(missing.status).toBe(404);
  });
});

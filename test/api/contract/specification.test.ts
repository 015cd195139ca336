import { beforeAll, describe, expect, it } from "vitest";
import { ErrorCode } from "../../../src/contract/errors.ts";
import { limits } from "../../../src/contract/limits.ts";
import { plans } from "../../../src/contract/plans.ts";
import { BulkItem, BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import * as enums from "../../../src/contract/resources/enums.ts";
import { ScanEvent, ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { webhookRules } from "../../../src/protocol/webhook-rules.ts";
import { BulkHarness } from "../../support/bulk.ts";
import { table } from "../../support/endpoints.ts";
import { FakeClock, Service } from "../../support/service.ts";
import { specification as specified } from "../../support/specification.ts";
import { WebhookHarness } from "../../support/webhooks.ts";

const harness = new BulkHarness();
const { service } = harness;
let client: Awaited<ReturnType<Service["workspace"]>>;

beforeAll(async () => {
  client = await service.workspace();
});

describe("the specification's literals:", () => {
  it("enumerations", () => {
    const own = { ...enums, ErrorCode };
    for (const [name, values] of Object.entries(specified.enums)) {
      expect([name, own[name as keyof typeof specified.enums].options]).toEqual([name, values]);
    }
  });

  it("endpoints and their statuses", async () => {
    const own = Object.fromEntries(table.map(({ method, path, status }) => [`${method} ${path}`, status]));
    expect(own).toMatchObject(specified.endpoints);
    expect(table.map(({ path }) => path)).toContain(specified.replayPath);
    expect((await service.fetch(`${specified.basePath}/qr`)).status).toBe(specified.statuses.unauthorized);
    expect(client.key.startsWith(specified.secretKeyPrefix)).toBe(true);
  });

  it("fields of resources", () => {
    const own = { Qr, QrList, ScanEvent, ScanListResponse, BulkJob, BulkItem, Folder };
    for (const [name, fields] of Object.entries(specified.fields)) {
      expect(Object.keys(own[name as keyof typeof own].shape)).toEqual(expect.arrayContaining([...fields]));
    }
  });

  it("limits", () => {
    const { qrList, scanList, bulk, name } = limits;
    expect({ qrList, scanList, bulkItems: bulk.rows, name }).toEqual(specified.limits);
    const { requestsPerMinute, bulkRows } = specified.rateLimit;
    for (const plan of ["starter", "pro", "business"] as const) {
      expect(plans[plan]).toMatchObject({
        requestsPerMinute: requestsPerMinute[plan],
        bulkRows: bulkRows[plan],
      });
    }
    const { timeout, batch, attemptOffsets } = webhookRules;
    const { timeoutSeconds, batchSeconds, retries } = specified.delivery;
    expect([timeout, batch.window]).toEqual([timeoutSeconds * 1000, batchSeconds * 1000]);
    expect(attemptOffsets).toEqual([0, ...retries.map((seconds) => seconds * 1000)]);
  });

  it("errors: each status with its code, and the text of a 429", async () => {
    const still = new Service({ now: new FakeClock().now });
    const starter = await still.workspace("pro", null);
    const free = await still.session("free");
    const limited = await still.workspace("pro", 1);
    const reader = await still.client(starter.workspaceId, ["scans:read"]);
    await limited.send("GET", "/qr");
    const answers = {
      unauthorized: await service.fetch(`${specified.basePath}/qr`),
      plan_limit: await free.send("POST", "/developer/templates", { name: "A", shape: "circle" }),
      forbidden: await reader.send("GET", "/qr"),
      not_found: await client.send("GET", `/qr/${crypto.randomUUID()}`),
      rate_limited: await limited.send("GET", "/qr"),
    };
    const { body, headers, status } = specified.rateLimit;
    expect([answers.rate_limited.status, await answers.rate_limited.clone().json()]).toEqual([status, body]);
    for (const header of headers) {
      for (const answer of [answers.rate_limited, answers.not_found])
        expect(answer.headers.has(header)).toBe(true);
    }
    for (const code of ["unauthorized", "plan_limit", "forbidden", "not_found"] as const) {
      const answer = answers[code];
      const error = await answer.json<{ error: string; code: string }>();
      expect([answer.status, error]).toEqual([specified.statuses[code], { error: expect.any(String), code }]);
    }
  });

  it("bodies, content types and header rows", async () => {
    const { id } = await client.createQr();
    const removed = await client.send("DELETE", `/qr/${id}`);
    expect([removed.status, await removed.json()]).toEqual([200, specified.deleted]);
    for (const [format, type] of Object.entries(specified.exportTypes)) {
      const answer = await client.send("GET", `/scans/export?format=${format}`);
      await answer.text();
      expect(answer.headers.get("content-type")?.split(";")[0]).toBe(type);
    }
    const { jobId } = await harness.accepted(await harness.csv(client, "name,url\nA,example.com\n"));
    const results = await client.send("GET", `/qr/bulk/${jobId}/download`);
    expect(results.headers.get("content-type")?.split(";")[0]).toBe(specified.bulkDownload.type);
    expect(results.headers.get("content-disposition")).toContain("attachment");
    expect((await results.text()).split("\r\n")[0]).toBe(specified.bulkDownload.header);
  });

  it("deliveries of webhooks", async () => {
    const webhooks = await new WebhookHarness().createWorkspace();
    await webhooks.createWebhook();
    await webhooks.emitAndDeliver();
    const [post] = webhooks.received;
    if (post === undefined) throw new Error("nothing was received");
    const { headers, contentType, signature, body } = specified.delivery;
    const [event, delivery, signed] = headers.map((name) => post.headers.get(name));
    const sent = JSON.parse(post.body) as Record<string, unknown>;
    expect(Object.keys(sent)).toEqual([...body]);
    expect([event, delivery]).toEqual([sent.event, sent.deliveryId]);
    expect(signed).toMatch(signature);
    expect(post.headers.get("content-type")).toBe(contentType);
  });
});

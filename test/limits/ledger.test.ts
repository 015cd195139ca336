import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { type Submission, SubmissionList } from "../../src/contract/resources/pages.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { formToken, makePage, type PageMaker, pageMaker } from "../support/hosted-pages.ts";
import { platform } from "../support/limits/platform.ts";
import { runs } from "../support/runner/runs.ts";
import { Service } from "../support/service.ts";
import { WebhookHarness } from "../support/webhooks.ts";

/** A form whose answers take as many bytes as a request can carry. */
const fields = Array.from({ length: limits.page.fields }, (_, i) => ({
  type: "text",
  name: `f${i}`,
  label: "?",
  multiline: true,
}));
/** Each character takes one byte in the request and two in JSON. */
const answers = Object.fromEntries(fields.map(({ name }) => [name, '"'.repeat(limits.submission.text)]));

/** A page with `count` submissions of the greatest size, the first of them by its form. */
async function pageOfSubmissions(service: Service, maker: PageMaker, count: number) {
  const page = await makePage(maker, { form: { fields } });
  const body = Object.entries(answers).map(([name, value]) => `${name}=${value}`);
  body.push(`_form=${await formToken(service, page)}`);
  const response = await service.fetch(`/pages/${page.id}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: body.join("&"),
  });
  expect(response.status).toBe(303);
  const ledger = service.deps.ledger(maker.client.workspaceId);
  const now = service.deps.now();
  for (let i = 1; i < count; i += 1) {
    const id = newId(now + i);
    const submission = { id, pageId: page.id, fingerprint: `${i}`, sender: `${i}`, fields: answers };
    await ledger.submit(submission, now);
  }
  return page;
}

describe("submissions of the greatest size", () => {
  const count = runs(12, 210);

  it("are listed and exported in full", async () => {
    const service = new Service();
    const maker = await pageMaker(service);
    const page = await pageOfSubmissions(service, maker, count);
    const path = `/developer/pages/${page.id}/submissions`;

    const listed: Submission[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? "" : `&cursor=${cursor}`;
      const list = await maker.session.expect(200, SubmissionList, "GET", `${path}?limit=200${query}`);
      listed.push(...list.items);
      cursor = list.nextCursor;
    } while (cursor !== null);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(count);
    expect(listed.every(({ fields: own }) => own.f0 === answers.f0)).toBe(true);

    for (const format of ["csv", "ndjson"]) {
      const exported = await maker.session.send("GET", `${path}/export?format=${format}`);
      expect((await exported.text()).match(/submittedAt|T\d\d:\d\d:/g)?.length).toBeGreaterThanOrEqual(count);
    }
  });
});

describe("deliveries of the greatest size", () => {
  it("are listed and sent", async () => {
    const harness = await new WebhookHarness().createWorkspace();
    const webhook = await harness.createWebhook({ events: ["qr.created"] });
    const name = "x".repeat(webhookRules.batch.maxBytes - 1000);
    // Their bodies would be too many bytes for one result of SQL.
    const count = Math.ceil(platform.resultSet / webhookRules.batch.maxBytes) + 1;
    for (let i = 0; i < count; i += 1) {
      const at = harness.clock.now();
      const id = newId(at);
      await harness.ledger.receive(
        { events: [{ id, kind: "qr.created", at, data: { id, name } as never }] },
        at,
      );
    }
    harness.queued.push({ workspaceId: harness.client.workspaceId, webhookId: webhook.id });
    await harness.runQueue();
    expect(harness.received).toHaveLength(count);
    expect(await harness.deliveries(webhook.id, "succeeded")).toHaveLength(count);
  });
});

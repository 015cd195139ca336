import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { type Page, SubmissionList } from "../../src/contract/resources/pages.ts";
import {
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
} from "../../src/contract/resources/webhooks/webhooks.ts";
import { updateWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { expectError } from "../support/endpoints.ts";
import { fillIn, makePage, type PageMaker } from "../support/hosted-pages.ts";
import { answers, hangs, type Receiver, WebhookHarness } from "../support/webhooks.ts";

const minutes = 60_000;
const secret = "ada-who-asked-to-be-forgotten@example.com";
const other = "grace@example.com";
const form = { form: { fields: [{ type: "email", name: "email", label: "Email", required: true }] } };

let harness: WebhookHarness;
let maker: PageMaker;
let page: Page;

beforeEach(async () => {
  harness = await new WebhookHarness({
    submissionLimit: { limit: async () => ({ success: true }) },
  }).createWorkspace();
  maker = { client: harness.client, session: await harness.service.sessionIn(harness.client.workspaceId) };
  page = await makePage(maker, form);
});

/** A session that has not expired, however far the clock has moved. */
const signIn = () => harness.service.sessionIn(harness.client.workspaceId);

/** Submits the page's form, later than what was submitted before. */
async function submit(email: string): Promise<void> {
  harness.clock.advance(1);
  await fillIn(harness.service, page, { email });
}

/** A receiver whose answer repeats what it got. */
const echoes =
  (status: number): Receiver =>
  ({ body }) =>
    new Response(body, { status });

const register = (mode: "realtime" | "batched_5m" = "realtime") =>
  harness.createWebhook({ events: ["page.submitted", "qr.created"], mode });

/** Erases the submission with the secret through the API. */
async function erase(): Promise<void> {
  const path = `/developer/pages/${page.id}/submissions`;
  const { items } = await maker.session.expect(200, SubmissionList, "GET", path);
  const submission = items.find(({ fields }) => fields.email === secret);
  expect((await maker.session.send("DELETE", `${path}/${submission?.id}`)).status).toBe(200);
}

/** Everything in the ledger's tables and its key-value storage, as text. */
const stored = () =>
  runInDurableObject(harness.ledger, (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .toArray()
      .filter(({ name }) => !/^(_cf|sqlite)_/.test(name));
    const rows = tables.map(({ name }) => storage.sql.exec(`SELECT * FROM ${name}`).toArray());
    return JSON.stringify([rows, [...storage.kv.list()]]);
  });

const deliveriesOf = async (webhookId: string) => {
  const path = `/developer/webhooks/${webhookId}/deliveries`;
  const session = await signIn();
  const { items } = await session.expect(200, DeliveryList, "GET", path);
  return Promise.all(
    items.map(({ id }) => session.expect(200, DeliveryWithAttempts, "GET", `${path}/${id}`)),
  );
};

/** Expects that the secret is nowhere in the ledger, and that no attempt from now on sends it. */
async function expectForgotten(): Promise<void> {
  expect(await stored()).not.toContain(secret);
  const before = harness.received.length;
  await harness.advance(48 * 60 * minutes);
  expect(harness.received.slice(before).filter(({ body }) => body.includes(secret))).toEqual([]);
  expect(await stored()).not.toContain(secret);
}

describe("erasing a submission", () => {
  it("ends a pending delivery of it, which keeps its record and can't be replayed", async () => {
    harness.receiver = echoes(500);
    const { id } = await register();
    await submit(secret);
    await harness.runQueue();
    expect(await stored()).toContain(secret);
    await erase();
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({
      status: "skipped",
      erased: true,
      attempts: 1,
      nextAttemptAt: null,
      payload: null,
      attemptLog: [{ status: 500, responseBody: null }],
    });
    const replay = `/developer/webhooks/${id}/deliveries/${delivery?.id}/replay`;
    const message = await expectError(await maker.session.send("POST", replay), 400, "invalid_input");
    expect(message).toContain("was erased");
    await expectForgotten();
    expect(harness.received).toHaveLength(1);
  });

  it("empties deliveries that have ended, in every state", async () => {
    harness.receiver = echoes(200);
    const [succeeded, skipped] = [await register(), await register()];
    await updateWebhook(harness.service.deps, harness.owner, skipped.id, { status: "paused" });
    await submit(secret);
    await submit(other);
    await harness.runQueue();
    await erase();
    const [kept, erased] = await deliveriesOf(succeeded.id);
    expect(erased).toMatchObject({ status: "succeeded", erased: true, payload: null });
    expect(kept).toMatchObject({ status: "succeeded", erased: false });
    expect(JSON.stringify(kept)).toContain(other);
    expect(kept?.attemptLog[0]?.responseBody).toContain(other);
    expect((await deliveriesOf(skipped.id)).map(({ status, payload }) => [status, payload === null])).toEqual(
      [
        ["skipped", false],
        ["skipped", true],
      ],
    );
    await expectForgotten();
  });

  it("takes it out of an open batch, whose other events are sent", async () => {
    await register("batched_5m");
    await submit(secret);
    await submit(other);
    await erase();
    await expectForgotten();
    expect(harness.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { events: [{ event: "page.submitted", data: { fields: { email: other } } }] },
    ]);
  });

  it("sends no batch if it was the only event of the open one", async () => {
    const { id } = await register("batched_5m");
    await submit(secret);
    await erase();
    await expectForgotten();
    expect(await deliveriesOf(id)).toEqual([]);
  });

  it("takes it out of a closed batch, whose other events are still sent and replayed", async () => {
    harness.receiver = echoes(500);
    const { id } = await register("batched_5m");
    await submit(secret);
    await submit(other);
    harness.clock.advance(1);
    await harness.client.createQr({ name: "Third" });
    await harness.advance(5 * minutes);
    expect(harness.received).toHaveLength(1);
    await erase();
    const [closed] = await deliveriesOf(id);
    expect(closed).toMatchObject({ status: "pending", erased: true });
    await expectForgotten();
    const [failed] = await deliveriesOf(id);
    expect(failed).toMatchObject({ status: "failed", attempts: 8 });
    harness.receiver = answers(200);
    const replay = `/developer/webhooks/${id}/deliveries/${failed?.id}/replay`;
    await (await signIn()).expect(202, Delivery, "POST", replay);
    await harness.runQueue();
    const bodies = new Set(harness.received.slice(1).map(({ body }) => body));
    expect([...bodies].map((body) => JSON.parse(body))).toMatchObject([
      {
        deliveryId: failed?.id,
        events: [{ data: { fields: { email: other } } }, { data: { name: "Third" } }],
      },
    ]);
  });

  it("ends a closed batch that held nothing else", async () => {
    harness.receiver = echoes(500);
    const { id } = await register("batched_5m");
    await submit(secret);
    await harness.advance(5 * minutes);
    await erase();
    expect(await deliveriesOf(id)).toMatchObject([{ status: "skipped", erased: true, payload: null }]);
    await expectForgotten();
    expect(harness.received).toHaveLength(1);
  });

  it.each(["realtime", "batched_5m"] as const)(
    "during an attempt (%s): its answer is recorded without the body",
    async (mode) => {
      const { id } = await register(mode);
      await submit(secret);
      if (mode === "batched_5m") await submit(other);
      harness.receiver = async (received, signal) => {
        await erase();
        harness.receiver = answers(204);
        return echoes(500)(received, signal);
      };
      await harness.advance(5 * minutes);
      const [delivery] = await deliveriesOf(id);
      expect(delivery?.attemptLog[0]).toMatchObject({ status: 500, responseBody: null });
      await expectForgotten();
    },
  );

  it("leaves the receivers that hang with nothing to wait for", async () => {
    harness.receiver = hangs;
    const { id } = await register();
    await submit(secret);
    await harness.runQueue();
    await erase();
    await expectForgotten();
    expect(await deliveriesOf(id)).toMatchObject([{ status: "skipped", attempts: 1 }]);
  });
});

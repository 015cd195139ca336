import { beforeAll, expect, it } from "vitest";
import { countRows } from "../support/catalogue/sql-rows.ts";
import { WebhookHarness } from "../support/webhooks.ts";

/** The statements that the ledger runs. */
interface Cost {
  /** Of six deliveries. */
  readonly claim: number;
  readonly settlement: number;
}

const costs = new Map<number, Cost>();
beforeAll(async () => {
  for (const webhooks of [1, 10, 50]) costs.set(webhooks, await costBeside(webhooks));
});

it.each([10, 50])("%d webhooks of a host make a delivery cost what it costs with one", (webhooks) => {
  expect(costs.get(webhooks)).toEqual(costs.get(1));
});

it("a claim and a settlement run no statement that they could do without", () => {
  // A claim: the webhook, its host's webhooks and what is in flight to it, the deliveries due first and again, their lease.
  // A settlement: the webhook, the delivery, its attempt and its state. Both: when webhooks have to be enqueued.
  expect(costs.get(1)).toEqual({ claim: 7, settlement: 5 });
});

/** Delivers events to webhooks of one host, one of which is observed. */
async function costBeside(webhooks: number): Promise<Cost> {
  const harness = await new WebhookHarness().createWorkspace();
  const { id } = await harness.createWebhook();
  for (let i = 1; i < webhooks; i += 1) await harness.createWebhook();
  await harness.emitEvents(20);
  const now = harness.clock.now();
  const ids: string[] = [];
  const claim = await countRows(harness.ledger, async (ledger) => {
    const claimed = await ledger.claim(id, now);
    ids.push(...(claimed?.deliveries ?? []).map((delivery) => delivery.id));
  });
  const outcome = { at: now, status: 200, durationMs: 1, error: null, responseBody: null };
  const settlement = await countRows(harness.ledger, (ledger) =>
    ledger.settle(id, ids[0] ?? "", 1, outcome, now),
  );
  return { claim: claim.statements, settlement: settlement.statements };
}

import { expect, it } from "vitest";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import configuration from "../../wrangler.toml?raw";
import { platform } from "../support/limits/platform.ts";

it("a batch of deliveries makes no more attempts at once than an invocation has connections", () => {
  const [, batchSize] = /queue = "deliveries"\n(?:#.*\n)*max_batch_size = (\d+)/.exec(configuration) ?? [];
  expect(Number(batchSize) * webhookRules.claimSize).toBeLessThanOrEqual(platform.connections);
});

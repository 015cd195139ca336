import { expect, it } from "vitest";
import { Gate } from "../../src/images/gate.ts";

it("a call whose caller has ended, and which never ends, counts for a minute", async () => {
  let now = 0;
  const gate = new Gate(2, () => now);
  const never = () => new Promise<never>(() => {});
  void gate.pass(never);
  void gate.pass(never);
  now = 60_000;
  await expect(gate.pass(async () => 1)).rejects.toThrow("2 calls are under way");
  now = 60_001;
  expect(await gate.pass(async () => 1)).toBe(1);
});

import { expect, it } from "vitest";
import { Gate } from "../../src/images/gate.ts";

it("a call whose caller has ended, and which never ends, counts for a minute", async () => {
  let now = 0;
  const gate = new Gate(2, 0, () => now);
  const never = () => new Promise<never>(() => {});
  void gate.pass(never);
  void gate.pass(never);
  now = 60_000;
  await expect(gate.pass(async () => 1)).rejects.toThrow("2 calls are under way");
  now = 60_001;
  expect(await gate.pass(async () => 1)).toBe(1);
});

it("some calls wait for others to end; more of them are refused", async () => {
  const gate = new Gate(1, 1);
  const first = Promise.withResolvers<number>();
  const begun = gate.pass(() => first.promise);
  const waiting = gate.pass(async () => 2);
  await expect(gate.pass(async () => 3)).rejects.toThrow("1 calls are under way");
  first.resolve(1);
  expect(await Promise.all([begun, waiting])).toEqual([1, 2]);
  expect(await gate.pass(async () => 4)).toBe(4);
});

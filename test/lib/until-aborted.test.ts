import { expect, it } from "vitest";
import { untilAborted } from "../../src/lib/until-aborted.ts";

it("passes on the result and the failure of the work", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(signal, Promise.resolve(7))).toBe(7);
  await expect(untilAborted(signal, Promise.reject(new Error("failed")))).rejects.toThrow("failed");
});

it("rejects once the signal aborts, or at once if it has", async () => {
  const controller = new AbortController();
  const result = untilAborted(controller.signal, new Promise(() => {}));
  controller.abort(new Error("expired"));
  await expect(result).rejects.toThrow("expired");
  // The work's own failure must not be left unhandled.
  const late = untilAborted(controller.signal, Promise.reject(new Error("failed")));
  await expect(late).rejects.toThrow();
});

import { expect, it, vi } from "vitest";
import { moduleRunner } from "./support/runner/imports.ts";

// Requests that share what such an import waits for can go on in each other's context, and then never end.
it("an import of a loaded module waits for nothing outside its request", async () => {
  const ask = vi.spyOn(moduleRunner.transport, "invoke");
  const [first, second] = await Promise.all([
    import("../src/queues/consume.ts"),
    import("../src/queues/consume.ts"),
  ]);
  expect(first).toBe(second);
  expect(ask).not.toHaveBeenCalled();
  await import("../src/lib/text/csv.ts?unloaded" as string);
  expect(ask).toHaveBeenCalled();
});

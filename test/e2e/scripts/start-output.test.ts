import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { lackingDatabase, lostResponse, StartOutput, steps } from "../../../scripts/lib/start-output.ts";

/** An output, the lines it printed, and a way to let wrangler print. */
function output() {
  const printed: string[] = [];
  const started = new StartOutput((line) => printed.push(line));
  const wranglerPrints = (...lines: string[]) =>
    started.read(Readable.from(lines.map((line) => `${line}\n`)));
  return { started, printed, wranglerPrints };
}

it("prints nothing of a start that succeeds, and then all but the requests of npm run dev", async () => {
  const { started, printed, wranglerPrints } = output();
  await wranglerPrints("Your Worker has access to the following bindings:", "WARNING: something");
  expect(printed).toEqual([]);
  started.ready();
  const request = "[wrangler:info] GET /01234567 302 Found (3ms)";
  await wranglerPrints("[wrangler:info] GET /dashboard/sweep 200 OK (3ms)", request);
  expect(printed).toEqual([request]);
});

it("says when the bundled Workers start", async () => {
  const { printed, wranglerPrints } = output();
  await wranglerPrints("⎔ Starting local server...");
  expect(printed).toEqual([steps.workers]);
});

it("explains a response that wrangler's proxy has lost", async () => {
  const { started, printed, wranglerPrints } = output();
  started.ready();
  const error = "✘ [ERROR] Error inside ProxyWorker: POST /api/v1/qr/bulk: Network connection lost.";
  await wranglerPrints(error);
  expect(printed).toEqual([error, lostResponse]);
});

it("says what a database that the code is ahead of needs", async () => {
  const { started, printed, wranglerPrints } = output();
  started.ready();
  const error = '{"level":"error","error":"D1_ERROR: no such column: note at offset 9: SQLITE_ERROR"}';
  await wranglerPrints(error);
  expect(printed).toEqual([error, lackingDatabase]);
});

it("prints all of a start that fails", async () => {
  const { started, printed, wranglerPrints } = output();
  await wranglerPrints("one", "two");
  started.failed();
  expect(printed).toEqual(["one", "two"]);
});

it.each([
  '✘ [ERROR] Could not resolve "./nowhere.ts"',
  '\u001b[31m✘ \u001b[41;31m[\u001b[41;97mERROR\u001b[41;31m]\u001b[0m Could not resolve "./nowhere.ts"',
])("prints at once that the code does not build: %j", async (error) => {
  const { started, printed, wranglerPrints } = output();
  await wranglerPrints("one", error, "two");
  expect(printed).toEqual(["one", error, "two"]);
  started.ready();
  await wranglerPrints("three");
  expect(printed.at(-1)).toBe("three");
});

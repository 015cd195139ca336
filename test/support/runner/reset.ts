import { env } from "cloudflare:workers";
import { afterAll, afterEach, expect } from "vitest";
import { emptyStorage } from "./catalogue.ts";
import { collectConsole, print } from "./console-lines.ts";
import "./imports.ts";
import { enforceBindingLimits } from "../limits/bindings.ts";
import { takeViolations } from "../limits/platform.ts";
import { forgetFeeds } from "../world/late-feeds.ts";
import { findLeaks, forgetWatched, watched } from "./log-watch.ts";

await enforceBindingLimits();

// Test files share a runtime. Each one begins with empty storage, as if it had its own.
await emptyStorage(env.DB, env.MIGRATIONS);
forgetFeeds();

// Everything that a file's tests write to the console is the service's log, which is searched for secrets afterwards.
// Only the output of failed tests is printed.
forgetWatched();
for (const [name, value] of Object.entries(env)) {
  if (name.endsWith("_SECRET") && typeof value === "string") watched(value, name);
}
const lines: string[] = [];
let printedLines = 0;
collectConsole(lines);
afterAll(() => {
  collectConsole(undefined);
  expect(findLeaks(lines)).toEqual([]);
});

afterEach(({ task }) => {
  const own = lines.slice(printedLines);
  printedLines = lines.length;
  if (task.result?.state === "fail" && own.length > 0) print(`${task.name}:\n${own.join("\n")}`);
  expect(takeViolations(), "limits of the platform that the test exceeded").toEqual([]);
});

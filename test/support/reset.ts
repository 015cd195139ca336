import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect } from "vitest";
import { enforceBindingLimits } from "./limits/bindings.ts";
import { takeViolations } from "./limits/platform.ts";

await enforceBindingLimits();

// Test files share a runtime: each begins with empty storage, as if it had one to itself.
await reset();
await applyD1Migrations(env.DB, env.MIGRATIONS);

afterEach(() => {
  expect(takeViolations(), "limits of the platform that the test exceeded").toEqual([]);
});

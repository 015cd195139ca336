import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { mergePatch } from "../../../src/lib/text/json.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";

/** A JSON object with few names, so that two of them often share some. */
function randomObject(random: SeededRandom, depth: number): Record<string, unknown> {
  const names = ["a", "b", "", "a.b", '"', "\\", "ü🍕", "\u0001"];
  const entries = Array.from({ length: random.below(5) }, () => [
    random.pick(names),
    randomValue(random, depth),
  ]);
  return Object.fromEntries(entries);
}

function randomValue(random: SeededRandom, depth: number): unknown {
  if (depth > 0 && random.below(2) === 0) return randomObject(random, depth - 1);
  return random.pick([null, true, "x", "", 0.1 + 0.2, 1e21, -0, [], [null, { a: null }], {}]);
}

it("merging in code equals merging in SQL, which stores the result", async () => {
  const random = new SeededRandom(1);
  const cases = Array.from(
    { length: 500 },
    () => [randomObject(random, 3), randomObject(random, 3)] as const,
  );
  const { results } = await env.DB.prepare(
    "SELECT json_patch(value->'$[0]', value->'$[1]') AS merged FROM json_each(?) ORDER BY key",
  )
    .bind(JSON.stringify(cases))
    .all<{ merged: string }>();
  for (const [i, [target, patch]] of cases.entries()) {
    const merged = mergePatch(target, patch);
    expect(JSON.parse(results[i]?.merged ?? "")).toEqual(JSON.parse(JSON.stringify(merged)));
    expect(results[i]?.merged).toHaveLength(JSON.stringify(merged).length);
  }
});

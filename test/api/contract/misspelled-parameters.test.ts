import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { expectError, method, somePath, TestCallers, table } from "../../support/endpoints.ts";
import { Service } from "../../support/service.ts";

let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(new Service());
});

const namesOf = (query: z.ZodType | undefined) =>
  Object.keys((query as z.ZodObject | undefined)?.shape ?? {});
const withQuery = table.filter(({ query }) => query !== undefined);
const allNames = new Set(withQuery.flatMap(({ query }) => namesOf(query)));

/** Names one edit away from a name, or the same in another manner of writing. */
const slipsOf = (name: string) =>
  name.length > 2
    ? [
        `${name}s`,
        name.slice(0, -1),
        `${name[0]}x${name.slice(2)}`,
        `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`,
      ]
    : [name.toUpperCase()];

describe.each(withQuery)("a parameter that $name does not have", (endpoint) => {
  const names = namesOf(endpoint.query);
  const send = (given: string, value = "x") => {
    const path = somePath(endpoint, callers.foreignId(endpoint));
    const query = `${path.includes("?") ? "&" : "?"}${given}=${value}`;
    return callers.clientOf(endpoint).send(method(endpoint), path + query);
  };

  it.each(names)("is refused and named with the right one if it is a slip: %s", async (name) => {
    for (const slip of slipsOf(name)) {
      if (names.includes(slip)) continue;
      const error = await expectError(await send(slip), 400, "invalid_input");
      const [, meant = ""] = /^Unknown parameter `[^`]+`\. Did you mean `([^`]+)`\?$/.exec(error) ?? [];
      expect(error).toContain(`Unknown parameter \`${slip}\``);
      expect(names).toContain(meant);
    }
  });

  it("is refused if another endpoint has it, and the error lists those there are", async () => {
    for (const name of allNames) {
      if (names.includes(name)) continue;
      const error = await expectError(await send(name), 400, "invalid_input");
      expect(error).toContain(`Unknown parameter \`${name}\`. `);
    }
  });

  it("is ignored if it is nothing like one", async () => {
    for (const name of [
      "v",
      "_",
      "utm_source",
      "somethingElse",
      "__proto__",
      "constructor",
      "x".repeat(2000),
    ]) {
      const { status, body } = await send(name);
      // An export that is not read to its end keeps its place.
      await body?.cancel();
      expect([name.slice(0, 20), status === endpoint.status || status === 404 || status === 503]).toEqual([
        name.slice(0, 20),
        true,
      ]);
    }
  });
});

it.each([
  ["/qr?tags=a", "Unknown parameter `tags`. Did you mean `tag`?"],
  ["/qr?limt=5", "Unknown parameter `limt`. Did you mean `limit`?"],
  [
    "/qr?browser=Safari",
    "Unknown parameter `browser`. This endpoint takes `folderId`, `tag`, `qrType`, `status`, `q`, `cursor`, `limit`.",
  ],
  ["/scans/export?form=2026-01-01", "Unknown parameter `form`. Did you mean `from`?"],
  [
    "/qr?limt=5&limit=0",
    "Unknown parameter `limt`. Did you mean `limit`? limit must be a whole number of at least 1.",
  ],
])("GET %s is refused: %s", async (path, message) => {
  expect(await expectError(await callers.keyClient.send("GET", path), 400, "invalid_input")).toBe(message);
});

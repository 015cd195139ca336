import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { misspelledParameters } from "../../../src/contract/misspelled-fields.ts";
import { expectError, method, somePath, TestCallers, table } from "../../support/endpoints.ts";
import { Service } from "../../support/service.ts";

let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(new Service());
});

const withQuery = table.flatMap(({ query, ...endpoint }) =>
  query === undefined ? [] : [{ ...endpoint, query }],
);
const namesOf = (query: z.ZodType) => Object.keys((query as z.ZodObject).shape);
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

  it.each(names)("is named with the right one if it is a slip: %s", (name) => {
    for (const slip of slipsOf(name)) {
      if (names.includes(slip)) continue;
      const [problem = ""] = misspelledParameters(endpoint.query, [slip]);
      const [, meant = ""] = /^Unknown parameter `[^`]+`\. Did you mean `([^`]+)`\?$/.exec(problem) ?? [];
      expect(problem).toContain(`Unknown parameter \`${slip}\``);
      expect(names).toContain(meant);
    }
  });

  it("is a problem if another endpoint has it, and none if it is nothing like one", () => {
    const others = [...allNames].filter((name) => !names.includes(name));
    expect(misspelledParameters(endpoint.query, others)).toEqual(
      others.map((name) => expect.stringContaining(`Unknown parameter \`${name}\`. `)),
    );
    const ignored = ["v", "_", "utm_source", "somethingElse", "__proto__", "constructor", "x".repeat(2000)];
    expect(misspelledParameters(endpoint.query, ignored)).toEqual([]);
  });

  it("is refused or ignored accordingly", async () => {
    const send = (given: string) => {
      const path = somePath(endpoint, callers.foreignId(endpoint));
      return callers
        .clientOf(endpoint)
        .send(method(endpoint), `${path}${path.includes("?") ? "&" : "?"}${given}=x`);
    };
    const [slip = ""] = slipsOf(names[0] ?? "");
    const refused = await send(slip);
    // A live stream would have no end.
    expect(refused.status).toBe(400);
    const error = await expectError(refused, 400, "invalid_input");
    expect([error]).toEqual(misspelledParameters(endpoint.query, [slip]));
    const { status, body } = await send("__proto__");
    // An export that is not read to its end keeps its place.
    await body?.cancel();
    expect([endpoint.status, 404, 503]).toContain(status);
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

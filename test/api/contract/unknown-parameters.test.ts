import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { limits } from "../../../src/contract/limits.ts";
import { unknownParameters } from "../../../src/contract/misspelled-fields.ts";
import { classes, expectError, method, somePath, TestCallers, table } from "../../support/endpoints.ts";
import { Service } from "../../support/service.ts";

let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(new Service());
});

const namesOf = (query: z.ZodType | undefined) =>
  query === undefined ? [] : Object.keys((query as z.ZodObject).shape);

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

describe.each(table)("a parameter that $name does not have", (endpoint) => {
  const names = namesOf(endpoint.query);

  it("is named with the right one if it is a slip", () => {
    for (const name of names)
      for (const slip of slipsOf(name)) {
        if (names.includes(slip)) continue;
        const [problem = ""] = unknownParameters(endpoint.query, [slip]);
        const [, meant = ""] = /^Unknown parameter `[^`]+`\. Did you mean `([^`]+)`\?$/.exec(problem) ?? [];
        expect(problem).toContain(`Unknown parameter \`${slip}\``);
        expect(names).toContain(meant);
      }
  });

  const takes = names.length === 0 ? "none" : names.map((name) => `\`${name}\``).join(", ");
  const problem = `Unknown parameter \`__proto__\`. This endpoint takes ${takes}.`;

  it("is named with those that it has", () => {
    expect(unknownParameters(endpoint.query, ["__proto__"])).toEqual([problem]);
  });

  // Queries are checked before the endpoint's own code has them.
  if (!classes.includes(endpoint)) return;

  it("is refused", async () => {
    const path = somePath(endpoint, callers.foreignId(endpoint));
    const refused = await callers
      .clientOf(endpoint)
      .send(method(endpoint), `${path}${path.includes("?") ? "&" : "?"}__proto__=x`);
    expect(await expectError(refused, 400, "invalid_input")).toBe(problem);
  });
});

it("a long one is cut, and of many the first are listed", async () => {
  const names = Array.from({ length: 9 }, (_, i) => `${"x".repeat(60)}${i}`);
  const answer = await callers.keyClient.send("GET", `/me?${names.join("&")}`);
  const problem = `Unknown parameter \`${"x".repeat(40)}…\`. This endpoint takes none. `;
  expect(await expectError(answer, 400, "invalid_input")).toBe(`${problem.repeat(3)}6 more problems.`);
});

it("more than a request can have are refused before they are read", async () => {
  const query = Array(limits.parameters + 1)
    .fill("limit=1")
    .join("&");
  const refused = await callers.keyClient.send("GET", `/qr?${query}`);
  expect(await expectError(refused, 400, "invalid_input")).toBe(
    `query can have at most ${limits.parameters} parameters.`,
  );
});

it.each([
  ["/qr?tags=a", "Unknown parameter `tags`. Did you mean `tag`?"],
  ["/qr?limt=5", "Unknown parameter `limt`. Did you mean `limit`?"],
  [
    "/qr?browser=Safari",
    "Unknown parameter `browser`. This endpoint takes `folderId`, `tag`, `qrType`, `status`, `q`, `externalId`, `hash`, `scanUrl`, `destination`, `destinationHost`, `scanned`, `scannedBefore`, `scannedAfter`, `sort`, `order`, `include`, `cursor`, `limit`.",
  ],
  [
    "/qr?sortBy=updatedAt",
    "Unknown parameter `sortBy`. This endpoint takes `folderId`, `tag`, `qrType`, `status`, `q`, `externalId`, `hash`, `scanUrl`, `destination`, `destinationHost`, `scanned`, `scannedBefore`, `scannedAfter`, `sort`, `order`, `include`, `cursor`, `limit`.",
  ],
  ["/me?page=2", "Unknown parameter `page`. This endpoint takes none."],
  ["/folders?page=2", "Unknown parameter `page`. This endpoint takes `cursor`, `limit`."],
  ["/scans/export?form=2026-01-01", "Unknown parameter `form`. Did you mean `from`?"],
  [
    "/qr?limt=5&limit=0",
    "Unknown parameter `limt`. Did you mean `limit`? limit must be a whole number of at least 1.",
  ],
])("GET %s is refused: %s", async (path, message) => {
  expect(await expectError(await callers.keyClient.send("GET", path), 400, "invalid_input")).toBe(message);
});

import { expect, it } from "vitest";
import * as z from "zod";
import { describeIssues } from "../../src/contract/issues.ts";
import { zodWords } from "../support/full-bodies.ts";

it("an error of any kind of schema has words of our own", () => {
  const schemas: [z.ZodType, unknown][] = [
    [z.string(), 7],
    [z.string().max(2), "xxx"],
    [z.string().min(2), "x"],
    [z.string().regex(/a/), "b"],
    [z.string().startsWith("a"), "b"],
    [z.number(), "7"],
    [z.number(), Number.NaN],
    [z.number().max(1), 2],
    [z.number().gt(1), 1],
    [z.number().multipleOf(2), 3],
    [z.int(), 1.5],
    [z.boolean(), "true"],
    [z.array(z.string()).max(1), ["a", "b"]],
    [z.array(z.string()).min(1), []],
    [z.strictObject({}), { a: 1 }],
    [z.record(z.string().max(1), z.string()), { ab: "c" }],
    [z.enum(["a", "b", "c"]), "d"],
    [z.literal("a"), "b"],
    [z.union([z.string(), z.number()]), true],
    [z.discriminatedUnion("type", [z.object({ type: z.literal("a") })]), { type: "b" }],
    [z.uuid(), "x"],
    [z.email(), "x"],
    [z.url(), "x"],
    [z.iso.date(), "x"],
    [z.iso.datetime(), "x"],
    [z.iso.time(), "x"],
    [z.tuple([z.string()]), []],
    [z.date(), "x"],
    [z.map(z.string(), z.string()), {}],
    [z.custom(() => false), 1],
    [z.never(), 1],
  ];
  for (const [schema, value] of schemas) {
    const issues = schema.safeParse(value).error?.issues ?? [];
    expect(issues).not.toEqual([]);
    expect(describeIssues(issues)).not.toMatch(zodWords);
  }
});

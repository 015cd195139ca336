import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { nullsAbsent } from "../../../src/contract/absent-fields.ts";
import { method, somePath, TestCallers, table, validBody } from "../../support/endpoints.ts";
import { fullBodies, pathsIn, withValue } from "../../support/full-bodies.ts";
import { sample } from "../../support/runner/runs.ts";
import { Service } from "../../support/service.ts";

let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(new Service());
});

const creations = table.filter(({ body, status }) => body !== undefined && status === 201);

describe.each(creations)("null in a body of $name", (endpoint) => {
  const fields = (fullBodies[endpoint.name] ?? [validBody[endpoint.name] ?? {}]).flatMap((body) =>
    pathsIn(body)
      // An entry of an array is no field.
      .filter((path) => typeof path.at(-1) !== "number")
      .map((path) => ({ body, path })),
  );

  it("is read as no field, wherever a field may be left out, nested ones included", () => {
    const schema = nullsAbsent(endpoint.body as z.ZodType);
    const isAccepted = (body: object) => schema.safeParse(JSON.parse(JSON.stringify(body))).success;
    for (const { body, path } of fields) {
      const absent = isAccepted(withValue(body, path, undefined));
      expect([path, isAccepted(withValue(body, path, null))]).toEqual([path, absent]);
    }
  });

  it("is answered like no field", async () => {
    const send = async (body: unknown) =>
      (await callers.clientOf(endpoint).send(method(endpoint), somePath(endpoint), body)).status;
    for (const { body, path } of sample(fields, 12)) {
      const absent = await send(withValue(body, path, undefined));
      expect([path, await send(withValue(body, path, null))]).toEqual([path, absent]);
    }
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { method, somePath, TestCallers, table, validBody } from "../../support/endpoints.ts";
import { fullBodies, pathsIn, withValue } from "../../support/full-bodies.ts";
import { Service } from "../../support/service.ts";

let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(new Service());
});

const creations = table.filter(({ body, status }) => body !== undefined && status === 201);

describe.each(creations)("null in a body of $name", (endpoint) => {
  it("is as good as no field, wherever a field may be left out, nested ones included", async () => {
    const send = async (body: unknown) =>
      (await callers.clientOf(endpoint).send(method(endpoint), somePath(endpoint), body)).status;
    for (const body of fullBodies[endpoint.name] ?? [validBody[endpoint.name] ?? {}]) {
      for (const path of pathsIn(body)) {
        // An entry of an array is no field.
        if (typeof path.at(-1) === "number") continue;
        const absent = await send(withValue(body, path, undefined));
        expect([path, await send(withValue(body, path, null))]).toEqual([path, absent]);
      }
    }
  });
});

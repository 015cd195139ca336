import { beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { misspelledFields } from "../../../src/contract/misspelled-fields.ts";
import { Qr, QrUpdateInput } from "../../../src/contract/resources/codes/qr.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import {
  expectError,
  method,
  namesSomethingElse,
  somePath,
  TestCallers,
  table,
  validBody,
} from "../../support/endpoints.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { expectRefused, validData } from "../../support/types.ts";

const harness = new BulkHarness();
let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(harness.service);
});

const withBody = table.flatMap(({ body, ...endpoint }) =>
  body === undefined ? [] : [{ ...endpoint, body }],
);
const ofEachAuth = oneOfEach(withBody, ({ auth }) => auth);
/** The names of all fields of all bodies, and of their nested objects that ignore other fields. */
const allNames = new Set<string>();
const collect = (schema: unknown): void => {
  if (typeof schema !== "object" || schema === null) return;
  if ("additionalProperties" in schema && schema.additionalProperties === false) return;
  for (const [name, each] of Object.entries(schema)) {
    if (name === "properties") for (const field of Object.keys(each as object)) allNames.add(field);
    collect(each);
  }
};
for (const { body } of withBody) collect(z.toJSONSchema(body, { io: "input" }));

/** Names one edit away from a name, or the same in another manner of writing. */
function slipsOf(name: string): string[] {
  const at = Math.floor(name.length / 2);
  const [before, after] = [name.slice(0, at), name.slice(at)];
  const swapped = before.slice(0, -1) + after.slice(0, 1) + before.slice(-1) + after.slice(1);
  const slips = [
    `${before}x${after}`,
    before + after.slice(1),
    `${before}x${after.slice(1)}`,
    swapped,
    name.toUpperCase(),
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    `${name}s`,
  ];
  return [...new Set(slips)].filter((slip) => slip !== "" && !allNames.has(slip));
}

describe.each(withBody)("a misspelled field of $name", (endpoint) => {
  const fields = Object.keys((endpoint.body as z.ZodObject).shape);

  const known = Object.keys(endpoint.response instanceof z.ZodObject ? endpoint.response.shape : {});
  const unknownSlipsOf = (field: string) => slipsOf(field).filter((slip) => !known.includes(slip));

  it.each(fields)("is named with the right one: %s", (field) => {
    for (const slip of unknownSlipsOf(field)) {
      const body = { ...validBody[endpoint.name], [slip]: "x" };
      const [error = ""] = misspelledFields(endpoint.body, body, endpoint.response);
      const [, meant = ""] = /^Unknown field `[^`]+`\. Did you mean `([^`]+)`\?$/.exec(error) ?? [];
      expect(error).toContain(`Unknown field \`${slip}\``);
      // A short name can be one edit away from several.
      expect(fields).toContain(meant);
      if (slip.length > 6) expect(meant).toBe(field);
    }
  });

  const others = [...allNames].filter((name) => !fields.includes(name));
  const ignored = Object.fromEntries(
    [...others, "somethingElse", "x".repeat(5000)].map((name) => [name, {}]),
  );
  const withIgnored = { ...ignored, ...validBody[endpoint.name] };

  it("is ignored if it is a field of another endpoint, or nothing like a field", () => {
    expect(misspelledFields(endpoint.body, withIgnored, endpoint.response)).toEqual([]);
  });

  // Bodies are checked before the endpoint's own code has them.
  if (!ofEachAuth.includes(endpoint)) return;

  it("is refused", async () => {
    const [slip = ""] = fields.flatMap(unknownSlipsOf);
    const body = { ...validBody[endpoint.name], [slip]: "x" };
    const response = await callers
      .clientOf(endpoint)
      .send(method(endpoint), somePath(endpoint, callers.foreignId(endpoint)), body);
    const error = await expectError(response, 400, "invalid_input");
    expect([error]).toEqual(misspelledFields(endpoint.body, body, endpoint.response));
  });

  it("is accepted if it is ignored", async () => {
    const path = somePath(endpoint, callers.foreignId(endpoint));
    const response = await callers.clientOf(endpoint).send(method(endpoint), path, withIgnored);
    if (namesSomethingElse.includes(endpoint.name)) {
      expect(await expectError(response, 400, "invalid_input")).not.toContain("Unknown field");
    } else expect([endpoint.status, endpoint.creates ? 201 : 404, 404, 503]).toContain(response.status);
  });
});

describe("a misspelled field", () => {
  const create = (body: object) =>
    callers.keyClient.send("POST", "/qr", { qrType: "url", data: validData.url, ...body });

  it("is looked for at the top level alone", async () => {
    const data = { ...validData.vcard, first_name: "A" };
    expect((await create({ qrType: "vcard", data })).status).toBe(201);
    await expectRefused(
      await create({ data: { type: "url", ulr: "example.com" } }),
      /^data\.url is required/,
    );
  });

  it("comes before the other problems of the body", async () => {
    const response = await callers.keyClient.send("POST", "/qr", { qr_type: "url", data: validData.url });
    await expectRefused(response, /^Unknown field `qr_type`\. Did you mean `qrType`\? qrType is required/);
  });

  it("in colorConfig or advanced is a property like any other", async () => {
    const free = { dotColor: "red", backgroundcolor: "x", dotsColor: "black" };
    const response = await create({ colorConfig: free, advanced: { nmae: 1 } });
    expect([response.status, await response.json()]).toMatchObject([
      201,
      { colorConfig: free, advanced: { nmae: 1 } },
    ]);
  });

  it("fails its row of a bulk job, and in its body the job", async () => {
    const client = callers.keyClient;
    const rows = [
      { ...item(1), nmae: "x" },
      { ...item(2), id: "y", scanUrl: "z" },
      { ...item(3), tag: [] },
    ];
    const job = await harness.run(client, await harness.json(client, rows));
    expect(job.items.map(({ error }) => error)).toEqual([
      "Unknown field `nmae`. Did you mean `name`?",
      null,
      "Unknown field `tag`. Did you mean `tags`?",
    ]);
    const refused = await client.send("POST", "/qr/bulk", { itmes: [] });
    await expectRefused(refused, /^Unknown field `itmes`. Did you mean `items`\?$/);
  });

  it("of a publishable key's request is refused like every field that it can't set", async () => {
    const origin = "https://shop.example";
    const own = await callers.service.client(callers.keyClient.workspaceId, ["qr:write"], "publishable", [
      origin,
    ]);
    const body = { qrType: "url", data: validData.url };
    const response = await own.send("POST", "/qr", { ...body, nmae: "x" }, { origin });
    await expectRefused(response, /^nmae can't be set with a publishable key/);
    const data = { ...body.data, ulr: "x" };
    const nested = await own.send("POST", "/qr", { ...body, data }, { origin });
    await expectRefused(nested, /data\.ulr can't be set with a publishable key/);
  });

  it("is looked for with work in proportion to the number of unknown fields", () => {
    const unknown = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`k${i}`, 0]));
    const find = () => misspelledFields(QrUpdateInput, unknown, Qr);
    find();
    const lowerCase = vi.spyOn(String.prototype, "toLowerCase");
    try {
      expect(find()).toEqual([]);
      expect(lowerCase).toHaveBeenCalledTimes(400);
    } finally {
      lowerCase.mockRestore();
    }
  });

  it("is not seen in a resource that is sent back", () => {
    const sample = (schema: z.ZodObject) =>
      Object.fromEntries(Object.keys(schema.shape).map((name) => [name, "x"]));
    expect(misspelledFields(QrUpdateInput, sample(Qr), Qr)).toEqual([]);
    for (const { body, response } of withBody) {
      if (!(response instanceof z.ZodObject)) continue;
      expect(misspelledFields(body, sample(response), response)).toEqual([]);
    }
  });
});

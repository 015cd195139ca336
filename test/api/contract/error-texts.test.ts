import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { nullsAbsent } from "../../../src/contract/absent-fields.ts";
import { ErrorBody } from "../../../src/contract/errors.ts";
import { describeIssues } from "../../../src/contract/issues.ts";
import { misspelledFields } from "../../../src/contract/misspelled-fields.ts";
import { bulkColumns } from "../../../src/contract/resources/codes/qr-fields.ts";
import { BulkHarness } from "../../support/bulk.ts";
import {
  classes,
  expectError,
  method,
  somePath,
  TestCallers,
  table,
  validBody,
} from "../../support/endpoints.ts";
import { fullBodies, type Path, pathsIn, withValue, zodWords } from "../../support/full-bodies.ts";
import { sample } from "../../support/runner/runs.ts";
import { validData } from "../../support/types.ts";

const harness = new BulkHarness();
const { service } = harness;
let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(service);
});

const long = "x".repeat(10_000);
/** Values of every kind, most of which any field refuses. */
const values: unknown[] = [null, -1.5, true, "", "nonsense", "\ud83c", long, [null], { x: 1 }];

/** Fields that decide whether another one is valid: the error names that one. */
const deciding: Record<string, string> = {
  ...{ ids: "filter", dryRun: "filter", hash: "qrType" },
  ...{ filter: "ids", jobId: "ids", sheet: "format" },
};

/** Expects our own words, and the field at the path, an object that holds it, or the one it decides on. */
function expectOwnWords(error: string, path: Path, input: unknown): void {
  const context = `${JSON.stringify(input)?.slice(0, 300)}\n${error}`;
  expect(error, context).not.toMatch(zodWords);
  const decided = deciding[path.join(".")] ?? [];
  const names = path.map((_, i) => path.slice(0, i + 1).join(".")).concat(decided);
  expect(
    names.some((name) => error.includes(`${name} `) || error.includes(`${name}.`)),
    context,
  ).toBe(true);
}

const withBody = table.filter(({ body }) => body !== undefined);

describe.each(withBody)("an error of $name", (endpoint) => {
  const send = (body: unknown) =>
    callers.clientOf(endpoint).send(method(endpoint), somePath(endpoint, callers.foreignId(endpoint)), body);

  const cases = (fullBodies[endpoint.name] ?? [validBody[endpoint.name] ?? {}]).flatMap((body) =>
    pathsIn(body).flatMap((path) => [undefined, ...values].map((value) => ({ body, path, value }))),
  );

  it("names the field in words of our own, whatever its value", () => {
    const { body: schema, response, status } = endpoint;
    if (schema === undefined) throw new Error("no body");
    const accepted = status === 201 ? nullsAbsent(schema) : schema;
    let refused = 0;
    for (const { body, path, value } of cases) {
      const sent = withValue(body, path, value);
      const { error } = accepted.safeParse(sent);
      if (error === undefined) continue;
      refused += 1;
      const misspelled = misspelledFields(schema, sent, response);
      expectOwnWords(describeIssues(error.issues, misspelled), path, value);
    }
    expect(refused).toBeGreaterThan(0);
  });

  it("is answered in these words", async () => {
    for (const { body, path, value } of sample(cases, 97)) {
      const answer = await send(withValue(body, path, value));
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 400) continue;
      expectOwnWords(await expectError(answer, 400, "invalid_input"), path, value);
    }
  });

  it("covers every field", () => {
    const fields = Object.keys((endpoint.body as z.ZodObject).shape).filter((name) => name !== "templateId");
    const covered = (fullBodies[endpoint.name] ?? [validBody[endpoint.name] ?? {}]).flatMap(Object.keys);
    expect(covered).toEqual(expect.arrayContaining(fields));
  });
});

describe.each(classes.filter(({ body }) => body !== undefined))("an error of $name", (endpoint) => {
  it("names the body if that is not an object", async () => {
    const path = somePath(endpoint, callers.foreignId(endpoint));
    for (const body of ["null", "[]"]) {
      const answer = await callers.clientOf(endpoint).send(method(endpoint), path, body);
      expect(await expectError(answer, 400, "invalid_input")).toBe("body must be an object.");
    }
  });
});

describe.each(table.filter(({ query }) => query !== undefined))("a query of $name", (endpoint) => {
  it("is refused in words of our own, which name the parameter", async () => {
    for (const name of Object.keys((endpoint.query as z.ZodObject).shape)) {
      for (const value of sample(
        ["", "0", "-1", "NaN", "1.5", "nonsense", long, "a&NAME=b"],
        8,
        name.length,
      )) {
        const query = `${name}=${value.replace("NAME", name)}`;
        const path = somePath(endpoint, callers.foreignId(endpoint));
        const response = await callers.clientOf(endpoint).send(method(endpoint), `${path}?${query}`);
        expect(response.status).toBeLessThan(500);
        if (response.status !== 400) continue;
        expectOwnWords(await expectError(response, 400, "invalid_input"), [name], query.slice(0, 100));
      }
    }
  });
});

describe("an error", () => {
  it("of a parameter that is given twice says so", async () => {
    const { hash } = await callers.keyClient.createQr();
    const repeated = await callers.keyClient.send("GET", "/qr?limit=1&limit=2");
    expect(await expectError(repeated, 400, "invalid_input")).toBe("limit can be given only once.");
    const image = await service.fetch(`/${hash}.svg?size=100&size=200`);
    expect(ErrorBody.parse(await image.json()).error).toBe("size can be given only once.");
  });

  it("of a row of a bulk job names its field or column", async () => {
    const [body] = fullBodies.createQr ?? [];
    const paths = pathsIn(body);
    const all = paths.flatMap((path) => values.map((value) => ({ path, value })));
    const cases = sample(all, 7);
    const items = cases.map(({ path, value }) => withValue(body, path, value));
    const job = await harness.run(
      callers.keyClient,
      await harness.json(callers.keyClient, [...items, 7, null]),
    );
    for (const [i, { path, value }] of cases.entries()) {
      const error = job.items[i]?.error;
      if (error) expectOwnWords(error, path, value);
    }
    expect(job.items.slice(-2).map(({ error }) => error)).toEqual([
      "The row must be an object.",
      "The row must be an object.",
    ]);
    const columns = bulkColumns.filter((column) => column !== "url");
    const texts = ["nonsense", "7", long];
    const rows = columns.flatMap((column) =>
      texts.map((text) => ["example.com", ...columns.map((each) => (each === column ? text : ""))].join(",")),
    );
    const sheet = await harness.run(
      callers.keyClient,
      await harness.csv(callers.keyClient, `url,${columns.join(",")}\n${rows.join("\n")}\n`),
    );
    for (const [i, { error }] of sheet.items.entries()) {
      expect(error ?? columns[Math.floor(i / texts.length)]).toContain(columns[Math.floor(i / texts.length)]);
      expect(error ?? "").not.toMatch(zodWords);
    }
  });

  it("of a publishable key's request has words of our own", async () => {
    const origin = "https://shop.example";
    const { workspaceId } = callers.keyClient;
    const client = await service.client(workspaceId, ["qr:write"], "publishable", [origin]);
    const body = { name: "A name", qrType: "url", data: validData.url };
    for (const [i, path] of pathsIn(body).entries()) {
      for (const value of sample([undefined, ...values], 7, i)) {
        const response = await client.send("POST", "/qr", withValue(body, path, value), { origin });
        if (response.status !== 400) continue;
        expectOwnWords(await expectError(response, 400, "invalid_input"), path, value);
      }
    }
  });

  it("of a public image's options has words of our own", async () => {
    const { hash } = await callers.keyClient.createQr();
    for (const name of ["size", "margin", "ecc", "download"]) {
      for (const value of ["", "NaN", "-1", "x", long, `1&${name}=2`]) {
        const response = await service.fetch(`/${hash}.svg?${name}=${value}`);
        if (response.status === 200) continue;
        expectOwnWords(ErrorBody.parse(await response.json()).error, [name], value);
      }
    }
  });

  it("of the form for reports has words of our own", async () => {
    for (const fields of [
      { page: " " },
      { page: "x", reason: "nonsense", email: "x", details: long },
      { code: "", reason: "" },
      { code: long, details: "\u0000" },
    ]) {
      const response = await service.fetch("/report", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(fields).toString(),
      });
      const text = (await response.text()).replace(/<[^>]*>/g, "\n");
      expect(text).not.toMatch(/invalid input|invalid option|expected|too (big|small)/i);
    }
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { item } from "../../support/bulk.ts";
import { classes, expectError, method, somePath, TestCallers, validBody } from "../../support/endpoints.ts";
import { longestParsed } from "../../support/longest-parsed.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { Service } from "../../support/service.ts";

const service = new Service();
let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(service);
});

const { fields, entries } = limits.bodyValues;

const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]));

const withBody = classes.filter(({ body }) => body !== undefined);

describe.each(oneOfEach(withBody, ({ auth }) => auth))("the body of $name", (endpoint) => {
  it(`can have ${fields} fields in all, which are counted before it is parsed`, async () => {
    const valid = validBody[endpoint.name] ?? {};
    const send = (body: object) =>
      callers
        .clientOf(endpoint)
        .send(method(endpoint), somePath(endpoint, callers.foreignId(endpoint)), body);
    const longest = await longestParsed(async () => {
      for (const body of [
        { ...valid, ...unknown(fields) },
        { ...valid, other: [unknown(fields)] },
      ]) {
        expect(await expectError(await send(body), 413, "invalid_input")).toBe(
          `The body can have at most ${fields} fields.`,
        );
      }
    });
    expect(longest).toBeLessThan(1000);
  });
});

describe("a body", () => {
  const send = (body: unknown) => callers.keyClient.send("POST", "/qr", body);

  it("of 60,000 unknown fields is read, and nothing more", async () => {
    const longest = await longestParsed(async () => {
      expect((await send({ ...validBody.createQr, ...unknown(60_000) })).status).toBe(413);
    });
    expect(longest).toBeLessThan(1000);
  });

  it("can have as many entries in lists as a bulk update has ids", async () => {
    const list = (count: number) => Array.from({ length: count }, () => 0);
    expect(await expectError(await send({ tags: list(entries + fields + 2) }), 413, "invalid_input")).toBe(
      `The body can have at most ${entries} entries of lists.`,
    );
    const ids = Array.from({ length: limits.bulkUpdate.ids }, () => crypto.randomUUID());
    const dryRun = { ids, change: { status: "paused" }, dryRun: true };
    expect((await callers.keyClient.send("POST", "/qr/bulk-update", dryRun)).status).not.toBe(413);
  });

  it("has as many entries in lists that are nested, and in those of a free-form object", async () => {
    const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;
    const valid = validBody.createQr;
    const tooDeep = { ...valid, other: nested(entries + fields + 1) };
    const tooDeepInside = { ...valid, advanced: { other: nested(limits.freeForm.bytes + 1) } };
    const longest = await longestParsed(async () => {
      expect(await expectError(await send(tooDeep), 413, "invalid_input")).toBe(
        `The body can have at most ${entries} entries of lists.`,
      );
      expect((await send(tooDeepInside)).status).toBe(413);
    });
    expect(longest).toBeLessThan(1000);
  });

  it("can have free-form objects as large as they may be, whatever their number of fields", async () => {
    const names = Array.from({ length: 1000 }, (_, i) => [i.toString(36), 0]);
    const body = {
      ...validBody.createQr,
      advanced: Object.fromEntries(names),
      colorConfig: { deep: unknown(600) },
    };
    const created = await callers.keyClient.expect(201, Qr, "POST", "/qr", body);
    expect(Object.keys(created.advanced ?? {})).toHaveLength(1000);
    const tooMany = { ...body, advanced: unknown(limits.freeForm.bytes + 1) };
    expect(await expectError(await send(tooMany), 413, "invalid_input")).toBe(
      "The body can have at most 8192 values in advanced and colorConfig.",
    );
    // Fields after a free-form object count again, and so do those of another object.
    for (const more of [unknown(fields), { other: unknown(fields) }]) {
      expect((await send({ advanced: { x: 1 }, colorConfig: null, ...more })).status).toBe(413);
    }
  });

  it("of a bulk job is bounded in all items together", async () => {
    const { fields: inAll } = limits.bulkValues;
    const others = JSON.stringify(unknown(fields - 20)).slice(1, -1);
    const one = `{"qrType":"url","data":{"type":"url","url":"example.com"},${others}}`;
    const body = `{"items":[${Array.from({ length: Math.ceil(inAll / (fields - 20)) }, () => one).join()}]}`;
    const response = await callers.keyClient.send("POST", "/qr/bulk", body);
    expect(await expectError(response, 413, "invalid_input")).toBe(
      `The body can have at most ${inAll} fields.`,
    );
  });

  it("with many unknown fields of long names has a short error", async () => {
    const long = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${i}${"x".repeat(2000)}`, 1]));
    const widget = await service.client(callers.keyClient.workspaceId, ["qr:write"], "publishable", [
      "https://shop.example",
    ]);
    for (const response of [
      await callers.keyClient.send("POST", "/qr/bulk-update", { filter: {}, change: long }),
      await widget.send(
        "POST",
        "/qr",
        { ...validBody.createQr, ...long },
        { origin: "https://shop.example" },
      ),
    ]) {
      expect((await expectError(response, 400, "invalid_input")).length).toBeLessThan(500);
    }
  });

  it("of a bulk job is bounded in each item, and in its own fields", async () => {
    const post = (body: object) => callers.keyClient.send("POST", "/qr/bulk", body);
    const longest = await longestParsed(async () => {
      for (const body of [
        { items: [item(1), { ...item(2), ...unknown(60_000) }] },
        { ...unknown(60_000), items: [item(1)] },
        { other: unknown(60_000), items: [item(1)] },
      ]) {
        expect((await post(body)).status).toBe(413);
      }
    });
    expect(longest).toBeLessThan(1000);
    const items = Array.from({ length: 600 }, (_, i) => ({ ...item(i), advanced: { own: i } }));
    expect((await post({ items })).status).toBe(202);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { expectRefused } from "../../support/types.ts";

const service = new Service();
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const patch = (id: string, body: object) => client.expect(200, Qr, "PATCH", `/qr/${id}`, body);
const read = (id: string) => client.expect(200, Qr, "GET", `/qr/${id}`);
const changesOf = (id: string) =>
  emittedEvents().flatMap(({ kind, data }) => (kind === "qr.updated" && data.id === id ? [data] : []));

describe.each(["colorConfig", "advanced"] as const)("a PATCH of %s", (field) => {
  it("sets the given properties, removes those that are null, and keeps the others", async () => {
    const { id } = await client.createQr({ [field]: { a: 1, b: "two", c: [3, null], d: { e: 4, f: 5 } } });
    const steps: [change: object | null, result: object | null][] = [
      [{ b: "deux" }, { a: 1, b: "deux", c: [3, null], d: { e: 4, f: 5 } }],
      [
        { a: null, missing: null },
        { b: "deux", c: [3, null], d: { e: 4, f: 5 } },
      ],
      [{ d: { e: null, g: { h: null, i: 6 } } }, { b: "deux", c: [3, null], d: { f: 5, g: { i: 6 } } }],
      [{ c: { now: "an object" } }, { b: "deux", c: { now: "an object" }, d: { f: 5, g: { i: 6 } } }],
      [{ b: null, c: null, d: null }, null],
      [
        { "a.b": 1, 'quoted "key"': 2, "": 3, "\u0001": 4 },
        { "a.b": 1, 'quoted "key"': 2, "": 3, "\u0001": 4 },
      ],
      [
        { 'quoted "key"': null, "a.b": null, "\u0001": 5 },
        { "": 3, "\u0001": 5 },
      ],
      [null, null],
    ];
    for (const [i, [change, result]] of steps.entries()) {
      const answer = await patch(id, { [field]: change });
      expect(answer[field]).toEqual(result);
      expect(await read(id)).toEqual(answer);
      const changes = changesOf(id);
      expect(changes).toHaveLength(i + 1);
      expect(changes.at(-1)).toMatchObject({ changed: [field], [field]: result });
    }
  });

  it("can't name a property with a NUL character, which would end its name", async () => {
    const { id } = await client.createQr({ [field]: { a: 1 } });
    for (const value of [{ "\0": 2 }, { "a\0": 2 }, { b: [{ "c\0": 2 }] }]) {
      const response = await client.send("PATCH", `/qr/${id}`, { [field]: value });
      await expectRefused(response, new RegExp(`^${field} can't have a property with a NUL character`));
    }
  });

  it("that changes no property is no change", async () => {
    const value = { a: { b: [1, { c: null }] }, d: "x" };
    const { id } = await client.createQr({ [field]: value });
    for (const change of [
      {},
      { d: "x" },
      { a: {} },
      { a: { b: [1, { c: null }] } },
      { missing: null },
      value,
    ]) {
      await patch(id, { [field]: change });
    }
    expect(changesOf(id)).toEqual([]);
  });

  it("keeps what changes at the same time have set", async () => {
    const { id } = await client.createQr({ [field]: { kept: true } });
    const names = Array.from({ length: 10 }, (_, i) => `property ${i}`);
    await Promise.all(names.map((name) => patch(id, { [field]: { [name]: name } })));
    expect((await read(id))[field]).toEqual({
      kept: true,
      ...Object.fromEntries(names.map((name) => [name, name])),
    });
    expect(changesOf(id)).toHaveLength(names.length);
  });

  it("can't make the whole larger than its limit, nor can changes at the same time", async () => {
    const half = "x".repeat(limits.freeForm.bytes / 2);
    const { id } = await client.createQr({ [field]: { first: half } });
    const tooLarge = new RegExp(`^${field} can have at most 8192 bytes of JSON`);
    await expectRefused(await client.send("PATCH", `/qr/${id}`, { [field]: { second: half } }), tooLarge);
    await patch(id, { [field]: { first: null } });
    const sent = await Promise.all(
      ["a", "b", "c"].map((name) => client.send("PATCH", `/qr/${id}`, { [field]: { [name]: half } })),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
    for (const response of sent) if (response.status === 400) await expectRefused(response, tooLarge);
  });
});

describe("colors that are changed", () => {
  const colors = { dotsColor: "#000000", backgroundColor: "#ffffff", cornerColor: "#222222" };

  it("one by one at the same time are all kept", async () => {
    const { id } = await client.createQr({ colorConfig: colors });
    const others = { dotsColor: "#111111", backgroundColor: "#eeeeee", cornerColor: "#333333" };
    await Promise.all(
      Object.entries(others).map(([name, color]) => patch(id, { colorConfig: { [name]: color } })),
    );
    expect((await read(id)).colorConfig).toEqual(others);
    expect(changesOf(id)).toHaveLength(3);
  });

  it("are judged together with those that stay", async () => {
    const { id } = await client.createQr({ colorConfig: { dotsColor: "#777777" } });
    const change = { colorConfig: { backgroundColor: "#bbbbbb" } };
    await expectRefused(await client.send("PATCH", `/qr/${id}`, change), /^colorConfig\.\w+ .*contrast/);
    await client.createQr({ colorConfig: change.colorConfig });
    const dark = await client.createQr({ colorConfig: { dotsColor: "#333333", backgroundColor: "#9f9f9f" } });
    await patch(dark.id, { colorConfig: { dotsColor: null } });
    expect((await read(dark.id)).colorConfig).toEqual({ backgroundColor: "#9f9f9f" });
  });

  it("at the same time are judged together, so that no code becomes unreadable", async () => {
    const { id } = await client.createQr({
      colorConfig: { dotsColor: "#000000", backgroundColor: "#ffffff" },
    });
    const sent = await Promise.all(
      [{ dotsColor: "#777777" }, { backgroundColor: "#bbbbbb" }].map((colorConfig) =>
        client.send("PATCH", `/qr/${id}`, { colorConfig }),
      ),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(changesOf(id)).toHaveLength(1);
  });

  it("count as absent on create", async () => {
    const created = await client.expect(201, Qr, "POST", "/qr", {
      qrType: "url",
      data: { type: "url", url: "example.com" },
      colorConfig: { dotsColor: null },
    });
    expect(created.colorConfig).toBeNull();
  });
});

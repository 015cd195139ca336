import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { limits } from "../../src/contract/limits.ts";
import { longestParsed } from "../support/longest-parsed.ts";
import { type Client, Service } from "../support/service.ts";

/** Agents' messages are read as the API reads its bodies. */

let client: Client;

beforeAll(async () => {
  client = await new Service().workspace();
  // Loads what agents need.
  await send(call("workspace", {}));
});

const { body, bodyValues, proposals } = limits;

const Answer = z.object({
  error: z.object({ message: z.string() }).optional(),
  result: z
    .object({ isError: z.boolean().optional(), content: z.array(z.object({ text: z.string() })) })
    .optional(),
});

/** Sends a message. @returns its status, and the text of its error or of its tool's error */
async function send(
  message: string | Uint8Array,
): Promise<readonly [status: number, error: string | undefined]> {
  const { service, key } = client;
  const response = await service.fetch("/mcp", {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: message,
  });
  const text = await response.text();
  const { error, result } = Answer.parse(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text));
  return [response.status, error?.message ?? (result?.isError ? result.content[0]?.text : undefined)];
}

const call = (name: string, input: unknown, others: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: input, ...others },
  });

const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 0]));
const many = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

describe("a message", () => {
  it("has few values, which are counted before it is parsed", async () => {
    const fields = `The body can have at most ${bodyValues.fields} fields.`;
    const values = `The body can have at most ${proposals.values} values in codes and items.`;
    const longest = await longestParsed(async () => {
      for (const [message, problem] of [
        [call("workspace", unknown(60_000)), fields],
        [call("workspace", {}, { _meta: unknown(60_000) }), fields],
        [call("find_codes", { q: [unknown(600)] }), fields],
        [call("change_codes", { ids: many(20_000, 0) }), "The body can have at most 10000 entries of lists."],
        [call("create_codes", { codes: [unknown(60_000)] }), values],
        [call("create_codes", { codes: many(300_000, 1) }), values],
        [call("change_codes", { items: many(20_000, { id: "a", name: "b" }) }), values],
      ] as const) {
        expect(await send(message)).toEqual([413, problem]);
      }
    });
    expect(longest).toBeLessThan(1000);
  });

  it("can have as many codes as a change has", async () => {
    const items = many(proposals.changes, { id: "01900000-0000-7000-8000-000000000001", tags: ["a"] });
    // Refused for what it says, not for its size.
    expect(await send(call("change_codes", { items, change: { status: "paused" } }))).toEqual([
      200,
      "change can't be combined with items. (invalid_input)",
    ]);
  });

  it("of invalid codes has a short error", async () => {
    const wrong = { qrType: "x", data: 1, tags: 2, name: 3 };
    for (const [name, input] of [
      ["create_codes", { codes: many(proposals.creations, wrong) }],
      ["create_codes", { codes: many(proposals.creations, { ...unknown(100), qrType: "x" }) }],
      ["change_codes", { items: many(proposals.changes, 1) }],
      ["change_codes", { items: many(proposals.changes, { tags: 1, name: 2 }) }],
    ] as const) {
      const [status, error = ""] = await send(call(name, input));
      expect(status).toBe(200);
      expect(error).toMatch(/^(codes|items)\.0.* \d+ more problems\. \(invalid_input\)$/);
      expect(error.length).toBeLessThan(500);
    }
  });

  it("has short names, which its answer repeats", async () => {
    const long = "x".repeat(10_000);
    const problem = "id, method and name can have at most 200 characters.";
    expect(await send(call(long, {}))).toEqual([400, problem]);
    expect(await send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: long }))).toEqual([400, problem]);
    expect(await send(JSON.stringify({ jsonrpc: "2.0", id: long, method: "tools/list" }))).toEqual([
      400,
      problem,
    ]);
  });

  it("is valid UTF-8 and JSON of at most 1 MB, without dangerous names", async () => {
    expect(await send("{")).toEqual([400, "The body isn't valid JSON."]);
    expect(await send(new Uint8Array([0x22, 0xff, 0x22]))).toEqual([400, "The body isn't valid UTF-8."]);
    expect(await send('{"params": {"__proto__": {"name": "workspace"}}}')).toEqual([
      400,
      "__proto__ isn't allowed as a field name.",
    ]);
    expect(await send(" ".repeat(body + 1))).toEqual([413, `The body can have at most ${body} bytes.`]);
  });
});

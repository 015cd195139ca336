import { beforeAll, describe, expect, it } from "vitest";
import {
  classes,
  expectError,
  method,
  rowCounts,
  somePath,
  TestCallers,
  table,
  validBody,
} from "../../support/endpoints.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { Service } from "../../support/service.ts";

/**
 * Bodies that every endpoint with a JSON body refuses, tried on one of each class: the body is read before anything else
 * of the endpoint.
 */
const withBody = oneOfEach(
  classes.filter((endpoint) => endpoint.body !== undefined),
  ({ auth, name }) => `${auth} ${"name" in (validBody[name] ?? {})}`,
);

let callers: TestCallers;

beforeAll(async () => {
  callers = await TestCallers.of(new Service());
});

describe.each(withBody)("$name with a bad body", (endpoint) => {
  const utf8 = new TextEncoder();
  const mergePatch = { "content-type": "application/merge-patch+json" };
  const cases: [string, string | Uint8Array | undefined, number, Record<string, string>?][] = [
    ["nothing", undefined, 415],
    ["an empty body", "", 400],
    ["malformed JSON", '{"name": ', 400],
    ["two values", "{}{}", 400],
    ["a number", "7", 400],
    ["null", "null", 400],
    ["an array", "[]", 400],
    ["a string", '"name"', 400],
    ["invalid UTF-8", new Uint8Array([...utf8.encode('{"name":"'), 0xff, 0xfe, ...utf8.encode('"}')]), 400],
    ["UTF-16", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 400],
    ["a __proto__ key", '{"__proto__": {"admin": true}, "name": "x"}', 400],
    ["a nested, escaped __proto__ key", '{"name": "x", "data": {"\\u005f_proto__": 1}}', 400],
    ["a name that is a number", '{"name": 7}', 400],
    ["a name of 201 characters", JSON.stringify({ name: "x".repeat(201) }), 400],
    ["5 MB", JSON.stringify({ name: "x".repeat(5 * 1024 * 1024) }), 413],
    ["a form", "name=x", 415, { "content-type": "application/x-www-form-urlencoded" }],
    ["no content type", "{}", 415, { "content-type": "" }],
    ["text", '{"name":"x"}', 415, { "content-type": "text/plain" }],
  ];
  if (endpoint.method !== "patch") cases.push(["a merge patch", '{"name":"x"}', 415, mergePatch]);

  const named = validBody[endpoint.name] !== undefined && "name" in (validBody[endpoint.name] ?? {});
  const own = cases.filter(([title]) => named || !title.startsWith("a name"));
  it.each(own)("refuses %s and writes nothing", async (_, body, status, headers) => {
    const before = await rowCounts();
    const path = somePath(endpoint, callers.foreignId(endpoint));
    const response = await callers.clientOf(endpoint).send(method(endpoint), path, body, headers);
    await expectError(response, status, "invalid_input");
    expect(await rowCounts()).toEqual(before);
  });
});

it.each(table.filter((endpoint) => endpoint.method === "patch"))(
  "$name takes a JSON merge patch",
  async (endpoint) => {
    const client = callers.clientOf(endpoint);
    const send = async (type: string) => {
      const answer = await client.send("PATCH", somePath(endpoint), "{}", { "content-type": type });
      return answer.status;
    };
    const status = await send("Application/Merge-Patch+JSON; charset=utf-8");
    expect(status).not.toBe(415);
    expect(status).toBe(await send("application/json"));
  },
);

it("5 MB sent without a content-length are refused", async () => {
  const chunk = new TextEncoder().encode("x".repeat(64 * 1024));
  let sent = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent >= 5 * 1024 * 1024) controller.close();
      else controller.enqueue(chunk);
      sent += chunk.length;
    },
  });
  await expectError(await callers.keyClient.send("POST", "/qr", stream), 413, "invalid_input");
});

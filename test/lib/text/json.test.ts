import fc from "fast-check";
import { expect, it } from "vitest";
import { JsonError, readJson } from "../../../src/lib/text/json.ts";

const utf8 = new TextEncoder();
const read = (text: string) => readJson(new Uint8Array(utf8.encode(text)));

/** A key with each character either plain or escaped, in upper or lower case. */
const spelled = (key: string) =>
  fc
    .tuple(
      ...[...key].map((char) => {
        const digits = char.charCodeAt(0).toString(16).padStart(4, "0");
        return fc.constantFrom(char, `\\u${digits}`, `\\u${digits.toUpperCase()}`);
      }),
    )
    .map((chars) => chars.join(""));

it("a __proto__ key is refused however it is spelled and wherever it is", () => {
  const places = fc.constantFrom(
    (key: string) => `{"${key}":1}`,
    (key: string) => `{"a":"\\\\","${key}" \t\r\n: {}}`,
    (key: string) => `[[{"a":{"b":[0,{"c":null,"${key}":{"x":1}}]}}]]`,
  );
  fc.assert(
    fc.property(spelled("__proto__"), places, (key, place) => {
      expect(() => read(place(key))).toThrow(JsonError);
      expect(() => read(place(key))).toThrow("__proto__ isn't allowed as a field name.");
    }),
    // One escape among plain characters, which random spellings rarely have.
    { examples: [[String.raw`__\u0070roto__`, (key) => `{"${key}":1}`]] },
  );
});

it.each([
  `{"a":"__proto__"}`,
  String.raw`{"a":"\u005f_proto__"}`,
  `["__proto__",{"__proto":1,"_proto__":2,"__PROTO__":3}]`,
  String.raw`{"x\"__proto__":1}`,
  String.raw`{"a":"{\"__proto__\": 1}"}`,
  String.raw`{"\\u005f_proto__":1}`,
])("%s, which has no such key, is read", (text) => {
  expect(read(text)).toEqual(JSON.parse(text));
});

it("valid JSON of many levels is read, with escapes too", () => {
  for (const levels of [5000, 200_000]) {
    const deep = `["\\u005f",${"[".repeat(levels)}${"]".repeat(levels)}]`;
    expect(read(deep)).toMatchObject(["_", expect.any(Array)]);
  }
});

it.each(["", "{", "{}{}", "[1,]", "'a'", '{"__proto__":1'])("%j is not JSON", (text) => {
  expect(() => read(text)).toThrow(new JsonError("The body isn't valid JSON."));
});

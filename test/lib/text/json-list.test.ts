import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonError, readJson } from "../../../src/lib/text/json.ts";
import { JsonListReader } from "../../../src/lib/text/json-list.ts";
import { runs } from "../../support/runner/runs.ts";

const utf8 = new TextEncoder();

/** The body as the incremental reader sees it, in pieces of these sizes (repeated), or the word refused. */
function readInPieces(bytes: Uint8Array, sizes: readonly number[], maxLength = 100_000): unknown {
  let elements: unknown[] = [];
  const reader = new JsonListReader("items", maxLength, {
    begin: () => {
      elements = [];
    },
    element: (value) => elements.push(value),
  });
  try {
    let at = 0;
    for (let i = 0; at < bytes.length; i += 1) {
      const end = at + (sizes[i % sizes.length] ?? 1);
      reader.write(bytes.subarray(at, end));
      at = end;
    }
    const value = reader.end();
    return value === undefined ? "none" : Array.isArray(value) ? elements : value;
  } catch (error) {
    if (error instanceof JsonError) return "refused";
    throw error;
  }
}

/** The same by the reader of whole bodies. */
function readWhole(bytes: Uint8Array): unknown {
  try {
    const body = readJson(new Uint8Array(bytes));
    if (typeof body !== "object" || body === null || Array.isArray(body)) return "refused";
    const { items } = body as { items?: unknown };
    return items === undefined ? "none" : items;
  } catch (error) {
    if (error instanceof JsonError) return "refused";
    throw error;
  }
}

const text = fc.string({
  unit: fc.constantFrom(
    "a",
    "ü",
    "€",
    "🍕",
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "\u0000",
    "\ud83c",
  ),
  maxLength: 6,
});
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("1", "-0.5e+3", "true", "false", "null", "[]", "{}", '"\\u005f"', '"\\ud83c"'),
    text.map((string) => JSON.stringify(string)),
    fc.array(tie("any"), { maxLength: 3 }).map((list) => `[${list.join(" , ")}]`),
    fc
      .array(fc.tuple(text, tie("any")), { maxLength: 3 })
      .map((fields) => `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${field}`).join(",")}}`),
  ),
})).any as fc.Arbitrary<string>;

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\r", "\n"), maxLength: 2 });
const spaced = (token: fc.Arbitrary<string>) => fc.tuple(space, token, space).map((parts) => parts.join(""));
const key = fc.oneof(
  fc.constantFrom('"items"', '"\\u0069tems"', '"item"', '"Items"', '"__proto__"', '"\\u005f_proto__"'),
  text.map((string) => JSON.stringify(string)),
);
const list = fc.array(spaced(value), { maxLength: 5 }).map((values) => `[${values.join(",")}]`);
const member = fc
  .tuple(spaced(key), spaced(fc.oneof(list, value)))
  .map(([name, field]) => `${name}:${field}`);
const itemsMember = spaced(list).map((values) => `"items":${values}`);
const body = fc
  .array(fc.oneof(member, itemsMember), { maxLength: 4 })
  .chain((members) => spaced(fc.constant(`{${members.join(",")}}`)));

/** Bytes of a valid body, or of one that was damaged: a piece cut out, doubled, replaced or inserted. */
const bytes = fc
  .tuple(
    fc.constantFrom("", "", "", "\ufeff"),
    fc.oneof(body, spaced(value)),
    fc.option(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        cut: fc.nat(2),
        insert: fc.oneof(
          fc
            .constantFrom(",", ":", "{", "}", "[", "]", '"', "\\", " ", "0", "x", "\u00a0", "\ufeff")
            .map((char) => [...utf8.encode(char)]),
          fc.constantFrom([0xff], [0xc3], [0x80], [0xf0, 0x9f], []),
        ),
      }),
      { freq: 2 },
    ),
  )
  .map(([mark, json, damage]) => {
    const whole = [...utf8.encode(mark + json)];
    if (damage !== null) whole.splice(Math.floor(damage.at * whole.length), damage.cut, ...damage.insert);
    return Uint8Array.from(whole);
  });

const sizes = fc.oneof(
  fc.constant([1]),
  fc.constant([100_000]),
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
);

const example = (json: string): [Uint8Array<ArrayBuffer>, number[]] => [
  Uint8Array.from(utf8.encode(json)),
  [1],
];

describe("a body with a list, read in pieces,", () => {
  it("is the same as read whole: accepted alike, with the same elements", () => {
    fc.assert(
      fc.property(bytes, sizes, (input, pieces) => {
        expect(readInPieces(input, pieces)).toEqual(readWhole(input));
      }),
      {
        numRuns: runs(2000, 200_000),
        examples: [
          example('{"items":[1,2],"items":[3]}'),
          example('{"items":[1],"items":7}'),
          example('{"items":7,"other":[{"items":[1]}],"items":[]}'),
          example('{"items":[1,]}'),
          example('{"items":[,1]}'),
          example('{"items":[1]]}'),
          example('{"items":[[1}]}'),
          example('{"items":[1}'),
          example('{"items":[1] 2}'),
          example('{"items":1[2]}'),
          example('{"items":[1]}}'),
          example('{"items":[1]} x'),
          example('{"items":[1],}'),
          example('{,"items":[1]}'),
          example('{"items" "x":[1]}'),
          example('{"items":[1]:2}'),
          example("{items:[1]}"),
          example("{[]:[1]}"),
          example('{"items":["\\"]"]}'),
          example('{"items":["\\\\"]}'),
          example('{"items":["\n"]}'),
          example('\ufeff\ufeff{"items":[1]}'),
          example('{"__proto__":[1],"items":[1]}'),
          example('{"items":[{"a":{"\\u005f_proto__":1}}]}'),
          example("{}"),
          example("{ "),
          example(""),
          example(" "),
          [Uint8Array.of(0x7b, 0x7d, 0xe2, 0x82), [2]],
        ],
      },
    );
  });

  it.each([
    ['{"items":[1,"xxxxxxxxxxxx"]}', "items.1 can have at most 10 characters of JSON."],
    ['{"items":[1,           2]}', "items.1 can have at most 10 characters of JSON."],
    ['{"other":"xxxxxxxxxxxx"}', "other can have at most 10 characters of JSON."],
    ['{"xxxxxxxxxxxx":1}', "body can have at most 10 characters of JSON."],
  ])("%s has a part that is too long", (json, problem) => {
    const reader = new JsonListReader("items", 10, { begin() {}, element() {} });
    expect(() => reader.write(utf8.encode(json))).toThrow(new JsonError(problem));
  });
});

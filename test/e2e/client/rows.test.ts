import { expect, it } from "vitest";
import { changesIn, codesIn, jsonRows } from "../../../clients/typescript/src/cli/rows.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it.each<[name: string, text: string, rows: object[] | undefined]>([
  ["lines", '{"id":"1"}\n{"id":"2"}\n', [{ id: "1" }, { id: "2" }]],
  ["lines of Windows, some empty", '{"id":"1"}\r\n\r\n{"id":"2"}', [{ id: "1" }, { id: "2" }]],
  ["a line", '{"id":"1"}', [{ id: "1" }]],
  ["a list", '[{"id":"1"},{"id":"2"}]', [{ id: "1" }, { id: "2" }]],
  ["a list on several lines", '[\n  {\n    "id": "1"\n  }\n]\n', [{ id: "1" }]],
  ["an object on several lines", '{\n  "id": "1"\n}\n', [{ id: "1" }]],
  ["an empty list", "[]", []],
  ["with a byte order mark", '\ufeff{"id":"1"}', [{ id: "1" }]],
  ["a text with the end of a line", '{"name":"a\\nb"}', [{ name: "a\nb" }]],
  ["CSV", "name,url\n{a},b\n", undefined],
  ["nothing", "", undefined],
  ["ids", "1\n2\n", undefined],
])("JSON is read from %s", (_, text, rows) => {
  expect(jsonRows(bytes(text))).toEqual(rows);
});

it.each([
  ['{"id":"1"}\n{"id":', "Line 2"],
  ['{"id":"1"}\n1', "Line 2"],
  ['{"id":"1"}\n\n["2"]', "Line 3"],
  ['[{"id":"1"},2]', "Entry 2"],
  ["[1]", "Entry 1"],
  ["{nonsense", "Line 1"],
])("JSON that can't be read is refused by its line: %s", (text, where) => {
  expect(() => jsonRows(bytes(text))).toThrow(`${where} isn't a JSON object.`);
});

const change = (kind: string) => `{"id":"e1","jobId":null,"object":{"kind":"${kind}","id":"c1"}}`;

it.each<[name: string, text: string, codes: string[]]>([
  ["codes", '{"id":"1","hash":"h","scanUrl":"http://q/h"}', ["1"]],
  ["scans", '{"id":"s1","qrId":"1"}\n{"id":"s2","qrId":"1"}\n{"id":"s3","qrId":"2"}', ["1", "2"]],
  ["changes", change("code"), ["c1"]],
  ["items of jobs", '{"rowIndex":0,"qrId":"1"}', ["1"]],
  ["short links", '{"scanUrl":"http://q/h"}', ["http://q/h"]],
  ["short names", '{"hash":"h"}', ["h"]],
  ["own ids", '{"externalId":"A 1"}', ["ext:A 1"]],
  ["lines", " 1 \r\nh\n\next:A 1\n1\n", ["1", "h", "ext:A 1"]],
  ["an empty list", "[]", []],
  ["nothing", "\n", []],
])("codes are named by %s", (_, text, codes) => {
  expect(codesIn(bytes(text))).toEqual(codes);
});

it.each([
  ['{"name":"A"}', "Row 1 names no code."],
  [`${change("code")}\n${change("folder")}`, "Row 2 names no code."],
  ['{"id":null}', "Row 1 names no code."],
])("a row that names no code is refused: %s", (text, message) => {
  expect(() => codesIn(bytes(text))).toThrow(message);
});

it("changes are named by their own ids, and jobs by theirs", () => {
  expect(changesIn(bytes(`${change("folder")}\n{"jobId":"j1"}`))).toEqual(["e1", "j1"]);
  expect(changesIn(bytes("e1\nj1\n"))).toEqual(["e1", "j1"]);
  expect(() => changesIn(bytes('{"name":"A"}'))).toThrow("Row 1 names no change or job.");
});

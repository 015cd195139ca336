import { expect, it } from "vitest";
import { readDecimal } from "../../../src/lib/text/digits.ts";

it.each([
  ["48,2082", 48.2082],
  ["48.2082", 48.2082],
  [" 16,3738 ", 16.3738],
  ["-9,1455", -9.1455],
  ["\u22129,1455", -9.1455],
  ["\u20139,1455", -9.1455],
  ["+9,1455", 9.1455],
  [",5", 0.5],
  ["48,", 48],
  ["48", 48],
  ["\uff14\uff18\uff0c\uff12", 48.2],
  ["\u0664\u0668\u066b\u0662", 48.2],
  ["\u202a48,2082\u202c", 48.2082],
])("%j is %d", (text, number) => {
  expect(readDecimal(text)).toBe(number);
});

it.each([
  "",
  ",",
  "-",
  "4.820,82",
  "4,820.82",
  "48,2,1",
  "48,2082 16,3738",
  "1e3",
  "0x10",
  "48 2082",
  "--1",
  "NaN",
])("%j is no number", (text) => {
  expect(readDecimal(text)).toBeNaN();
});

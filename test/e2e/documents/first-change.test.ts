import { expect, it } from "vitest";
import { argumentsOf, madeFirstChange } from "../support/documents/first-change.ts";

it("the first change fits the files it names", () => {
  using copy = madeFirstChange();
  expect(copy.changed.length).toBeGreaterThan(3);
  expect(argumentsOf("test").length).toBeGreaterThan(3);
});

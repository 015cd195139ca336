import { expect, it } from "vitest";
import { regionNear } from "../../../src/edge/routing/request-context.ts";

it.each([
  ["NA", "-122.4", "wnam"],
  ["NA", "-74.0", "enam"],
  ["EU", "6.9", "weur"],
  ["EU", "30.5", "eeur"],
  ["AS", "46.7", "me"],
  ["AS", "139.7", "apac"],
  ["SA", "-58.4", "sam"],
  ["OC", "151.2", "oc"],
  ["AF", "18.4", "afr"],
  ["AN", "0", "oc"],
  [undefined, undefined, "weur"],
] as const)("%s at %s asks the feed of %s", (continent, longitude, region) => {
  expect(regionNear({ continent, longitude } as IncomingRequestCfProperties)).toBe(region);
});

it("does without knowing where", () => {
  expect(regionNear(undefined)).toBe("weur");
});

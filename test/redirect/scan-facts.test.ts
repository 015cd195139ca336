import { expect, it } from "vitest";
import { readScan } from "../../src/edge/scans/scan.ts";
import type { Route } from "../../src/protocol/routes.ts";

const route = { workspaceId: "w", qrId: "q" } as Route;

/** A scan's facts, as its request states them. */
const factsOf = (headers: Record<string, string>, cf: object = {}) =>
  readScan(
    new Request<unknown, IncomingRequestCfProperties>("https://qr.example/abc", {
      headers,
      cf: cf as IncomingRequestCfProperties,
    }),
    route,
    "abc",
    Date.UTC(2026, 0, 1),
  );

it.each([
  ["https://news.example:8443/a?b=c", "news.example"],
  ["http://münchen.example/", "xn--mnchen-3ya.example"],
  [`https://${"a.".repeat(125)}aa/`, `${"a.".repeat(125)}aa`],
  [`https://${"a.".repeat(126)}aa/`, null],
  ["android-app://com.example", null],
  ["https://", null],
  ["/menu", null],
])("the referrer %s is recorded as %s", (referer, host) => {
  expect(factsOf({ referer: encodeURI(referer) }).referrer).toBe(host);
});

it.each([
  [{ "sec-purpose": "prefetch" }, true],
  [{ "sec-purpose": "prefetch;prerender" }, true],
  [{ purpose: "prerender" }, true],
  [{ purpose: "Preview" }, true],
  [{ "x-moz": "prefetch" }, true],
  [{ purpose: "navigate" }, false],
  [{}, false],
])("a request with %j is a prefetch: %s", (headers, isPrefetch) => {
  expect(factsOf(headers).prefetch).toBe(isPrefetch);
});

it("long values are cut, and empty ones are unknown", () => {
  const long = factsOf({ "user-agent": "u".repeat(500) }, { city: "c".repeat(200), country: "DE" });
  expect([long.userAgent?.length, long.city?.length, long.country]).toEqual([400, 100, "DE"]);
  const empty = factsOf({}, { city: "", country: 7 });
  expect([empty.userAgent, empty.city, empty.country, empty.referrer]).toEqual([null, null, null, null]);
});

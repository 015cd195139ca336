import fc from "fast-check";
import { expect, it } from "vitest";
import { isOwnHost, readDestination } from "../../src/lib/web/destination.ts";
import { runs } from "../support/runner/runs.ts";

it("a destination is always a clean http(s) URL of bounded length", () => {
  const schemes = fc.constantFrom(
    "",
    "http://",
    "https://",
    "javascript:",
    "data:",
    "//",
    "\\\\",
    "https:/",
    "HTTPS:",
  );
  const parts = fc.tuple(
    schemes,
    fc.oneof(fc.webUrl(), fc.domain(), fc.string({ unit: "binary" })),
    fc.string(),
  );
  fc.assert(
    fc.property(parts, ([scheme, middle, end]) => {
      const result = readDestination(scheme + middle + end, 200);
      if (!result.ok) return;
      expect(result.url).toMatch(/^https?:\/\/[\x21-\x7e]+$/i);
      expect(result.url.length).toBeLessThanOrEqual(200);
      const parsed = new URL(result.url);
      expect(["http:", "https:"]).toContain(parsed.protocol);
      expect(parsed.username + parsed.password).toBe("");
      expect(parsed.host).toBe(result.host);
    }),
    { numRuns: runs(500, 200_000) },
  );
});

it("a plain URL is kept unchanged", () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
      const result = readDestination(url, 5000);
      if (!/["<>`{}|^\\]/.test(url)) expect(result).toMatchObject({ ok: true, url });
    }),
  );
});

it.each([
  ["Q.EXAMPLE.", "q.example", true],
  ["q.example:8443", "q.example", true],
  ["q.example.:8443", "q.example:443", true],
  ["q.example.org", "q.example", false],
  ["a.q.example", "q.example", false],
  ["localhost:8788", "localhost:8787", true],
  ["127.0.0.1:8787", "localhost:8787", true],
  ["[::1]:8787", "127.0.0.1:8787", true],
  ["127.0.0.1:8788", "localhost:8787", false],
  ["127.0.0.1", "q.example", false],
])("%s is a host of the service at %s: %s", (host, own, expected) => {
  expect(isOwnHost(host, own)).toBe(expected);
});

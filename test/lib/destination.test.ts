import fc from "fast-check";
import { expect, it } from "vitest";
import { isOwnHost, readDestination } from "../../src/lib/web/destination.ts";
import { readHostName } from "../../src/lib/web/host-name.ts";
import { readPublicUrl } from "../../src/lib/web/public-url.ts";
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

const problemOf = (text: string): string => {
  const read = readDestination(text, 2048);
  return read.ok ? "none" : read.problem;
};

/** Hosts that can't exist, after `https://`. */
const impossible = [
  ...[
    "example.com)",
    "(example.com)",
    "example..com",
    ".example.com",
    "12.50",
    "01.12.2026",
    "example.com;a",
    ".",
  ],
  ...[
    "-example.com",
    "example-.com",
    "a.-b.com",
    `${"a".repeat(64)}.com`,
    `${"abc.".repeat(64)}com`,
    "0x7f.1",
    "1.2.3",
  ],
  ...[
    "192.168.010.001",
    "example.com..",
    "exa!mple.com",
    "example.com'",
    "*.example.com",
    "ex$ample.com",
    "９.９.９.９",
  ],
];

it.each(impossible)("nothing has the host %s", (host) => {
  expect([problemOf(`https://${host}`), problemOf(host)]).toEqual([
    expect.stringContaining("isn't a web address"),
    expect.stringContaining("isn't a web address"),
  ]);
  expect(readHostName(host)).toBe(null);
  const receiver = readPublicUrl(`https://${host}/x`, { maxLength: 500, ownHosts: [], loopback: false });
  expect(receiver.ok).toBe(false);
});

it.each([
  ...[
    "menu.pdf",
    "n.a",
    "n.a.",
    "v1.2b",
    "Tisch.Nummer",
    "z.B",
    "report.docx",
    "photo.jpeg",
    "2.Stock",
    "foo.bar.baz123",
  ],
])("%s is an address only with https:// before it", (text) => {
  expect(problemOf(text)).toMatch(/isn't a top-level domain\. Write https:\/\/ before it/);
  expect(problemOf(`https://${text}`)).toBe("none");
});

it.each([
  ...[
    "example.com",
    "EXAMPLE.COM/Menu",
    "straße.de",
    "пример.рф",
    "例え.みんな",
    "xn--mnchen-3ya.example",
    "a_b.example.org",
  ],
  ...[
    "menu.test",
    "printer.local",
    "wiki.internal",
    "box.lan",
    "box.home.arpa",
    "localhost:8787",
    "192.168.0.7/a",
    "10.0.0.1",
  ],
])("%s is an address without a scheme", (text) => {
  expect(problemOf(text)).toBe("none");
});

it.each([
  "https://https://example.com",
  "http://https://a.b",
  "https://http//a.b",
  "HTTPS://https:/a.b",
  "https:https://a.b",
])("%s has its scheme twice", (text) => {
  expect(problemOf(text)).toBe("has its https:// twice");
});

it.each([
  ["https://old.example./d?a=b.", "https://old.example/d?a=b."],
  ["old.example.:8443", "https://old.example:8443"],
  ["http://Old.Example.", "http://Old.Example"],
  ["https://1.2.3.4./", "https://1.2.3.4/"],
])("the dot at the end of the host in %s is dropped", (text, url) => {
  expect(readDestination(text, 2048)).toMatchObject({ ok: true, url });
});

it("an address has no port 0", () => {
  expect(problemOf("https://example.com:0/")).toBe("can't have the port 0");
});

it("an address that is too long only once it is encoded says so", () => {
  const typed = `https://example.com/${"ü".repeat(1000)}`;
  expect(problemOf(typed)).toBe(
    "has 6020 characters with letters such as ü encoded, and can have at most 2048",
  );
  expect(problemOf(`https://example.com/${"a".repeat(2048)}`)).toBe("can have at most 2048 characters");
});

it.each([
  "\u200b",
  "\u200e",
  "\u200f",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u00a0",
  "\u034f",
  "\u2064",
  "\u{e0001}",
])("%j around an address is dropped, and named inside it", (character) => {
  const around = `${character} https://example.com/menu${character}${character} `;
  expect(readDestination(around, 2048)).toMatchObject({ ok: true, url: "https://example.com/menu" });
  const inside = readDestination(`https://example.com/me${character}nu`, 2048);
  if (character === "\u00a0") expect(inside).toMatchObject({ url: "https://example.com/me%20nu" });
  else
    expect(inside).toMatchObject({
      problem: expect.stringMatching(
        /^has an invisible character \(.*U\+[0-9A-F]{4,5}\) after “tps:\/\/example.com\/me”$/,
      ),
    });
});

it.each(["❤️", "👨‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "👍🏽‍a".slice(0, 4), "می‌خواهم", "क्‍ष", "葛󠄀"])(
  "%s stays in an address",
  (text) => {
    const read = readDestination(`https://example.com/${text}`, 2048);
    expect(read).toMatchObject({ ok: true, url: `https://example.com/${encodeURIComponent(text)}` });
  },
);

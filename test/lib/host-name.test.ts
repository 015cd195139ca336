import { expect, it } from "vitest";
import { domainsOf, readHostName } from "../../src/lib/web/host-name.ts";

it.each([
  ["Evil.Example", "evil.example"],
  [" evil.example. ", "evil.example"],
  ["münchen.example", "xn--mnchen-3ya.example"],
  ["XN--MNCHEN-3YA.example", "xn--mnchen-3ya.example"],
  ["ｅｖｉｌ。example", "evil.example"],
  ["a_b.evil.example", "a_b.evil.example"],
  ["192.0.2.7", "192.0.2.7"],
  ["[2001:DB8:0:0::1]", "[2001:db8::1]"],
])("reads %j as %s", (text, name) => {
  expect(readHostName(text)).toBe(name);
});

it.each([
  "",
  " ",
  "example",
  "localhost",
  "https://evil.example",
  "evil.example/path",
  "evil.example:8080",
  "evil.example:",
  "evil.example:80",
  "[::1]:80",
  "*.evil.example",
  "user@evil.example",
  "evil .example",
  "evil.example?q",
  "evil.example#f",
  "..",
  "evil..example",
  "0x7f.1",
  "12.50",
  "-evil.example",
  ".evil.example",
  "2001:db8::1",
])("refuses %j", (text) => {
  expect(readHostName(text)).toBeNull();
});

it("a host is in each of its parent domains, but not in the top-level one", () => {
  expect(domainsOf("a.b.example")).toEqual(["a.b.example", "b.example"]);
  expect(domainsOf("example")).toEqual(["example"]);
});

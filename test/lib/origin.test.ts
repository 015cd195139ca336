import { expect, it } from "vitest";
import { hostPattern } from "../../src/lib/web/origin.ts";

it.each<[origin: string, own: string[], others: string[]]>([
  [
    "https://app.example",
    [
      "https://app.example",
      "https://app.example/",
      "http://app.example/a",
      "https://app.example:8443/",
      "https://APP.Example/",
      "https://app.example./",
      "https://app.example.:8443/",
      "https://app.example?a",
    ],
    [
      "https://qr.example/",
      "https://appxexample/",
      "https://app.example.org/",
      "https://app.example-2.org/",
      "https://app.exampleorg/",
      "https://my.app.example/",
      "https://qr.example/?https://app.example/",
      "https://qr.example/https://app.example/",
      "https://app.example@qr.example/",
    ],
  ],
  [
    "http://[::1]:8787",
    ["http://[::1]:8787/", "http://[::1]/"],
    ["http://[::12]/", "http://1/", "http://:/"],
  ],
  ["http://127.0.0.1:8787", ["http://127.0.0.1:1/"], ["http://127.0.0.10:8787/", "http://127x0.0.1/"]],
])("recognises the URLs of the host of %s", (origin, own, others) => {
  const pattern = hostPattern(origin);
  expect(own.filter((url) => !pattern.test(url))).toEqual([]);
  expect(others.filter((url) => pattern.test(url))).toEqual([]);
});

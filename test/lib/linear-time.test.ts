import { expect, it } from "vitest";
import { email, manyLines, oneLine } from "../../src/contract/text.ts";
import { readSvgLogo } from "../../src/domain/templates/svg-logo.ts";
import { readColor } from "../../src/lib/image/color.ts";
import { csvCell } from "../../src/lib/text/csv.ts";
import { withoutSecrets } from "../../src/lib/text/redact.ts";
import { bearerOf } from "../../src/lib/web/bearer.ts";
import { readDestination } from "../../src/lib/web/destination.ts";
import { isCurrent } from "../../src/lib/web/file-response.ts";
import { networkOf } from "../../src/lib/web/network.ts";
import { readOrigin } from "../../src/lib/web/origin.ts";
import { onlySegment } from "../../src/redirect/paths.ts";
import { platformOf } from "../../src/redirect/platform.ts";
import { elapsed } from "../support/runner/elapsed.ts";

const svg = (attribute: string) =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attribute}/>`);

/** The SVG is refused in the end, but must be read quickly. */
function tryLogo(attribute: string) {
  try {
    readSvgLogo(svg(attribute));
  } catch {}
}

/** Parses a destination. */
const toDestination = (text: string) => readDestination(text, 2048);

/** Functions that read text from outside with regular expressions, and text that makes careless expressions backtrack. */
const readers: [name: string, read: (text: string) => unknown, repeated: string][] = [
  ["platformOf", platformOf, "Macintosh"],
  ["platformOf, Android", platformOf, "Macintosh Chrome/ AppleWebKi"],
  ["onlySegment", (text) => onlySegment(`https://a/${text}/`), "a"],
  ["readColor, digits", (text) => readColor(`hsl(${text}`), "1"],
  ["readColor, spaces", (text) => readColor(`rgb(1${text}x`), " "],
  ["readDestination, a scheme", toDestination, "a+"],
  ["readDestination, slashes", (text) => toDestination(`https:${text}`), "/"],
  ["readDestination, ports", toDestination, "a:1"],
  ["readOrigin", (text) => readOrigin(`https://${text} `), "a/"],
  ["networkOf", (text) => networkOf(`::ffff:${text}`), "1."],
  ["bearerOf, spaces", (text) => bearerOf(`Bearer x${text}y`), " "],
  ["bearerOf, a token", (text) => bearerOf(`Bearer ${text} y z`), "x"],
  ["isCurrent", (text) => isCurrent(text, "x"), 'W/"a", '],
  ["csvCell", csvCell, ";\t=1"],
  ["csvCell, a number", csvCell, "1"],
  ["an email address", (text) => email.safeParse(`a@${text}`), "a-."],
  ["a line", (text) => oneLine().safeParse(text), " a"],
  ["a text", (text) => manyLines().safeParse(text), "\r\n\t"],
  ["withoutSecrets, web addresses", withoutSecrets, "https://a@"],
  ["withoutSecrets, tokens", withoutSecrets, "eyJa-"],
  ["withoutSecrets, names of addresses", withoutSecrets, "a.b"],
  ["withoutSecrets, hosts of addresses", withoutSecrets, "a@b.1."],
  ["withoutSecrets, a host", (text) => withoutSecrets(`a@${text}1`), "a.1"],
  ["a logo's size", (text) => tryLogo(`viewBox="${text}x"`), "1 "],
  ["a logo's CSS", (text) => tryLogo(`style="${text}"`), "url( "],
];

const length = 128 * 1024;
const parts = 128;

it.each(readers)("%s takes as long for one text of 128 KiB as for 128 of 1 KiB", (_, read, repeated) => {
  const long = repeated.repeat(length / repeated.length);
  const short = repeated.repeat(length / parts / repeated.length);
  const manyShort = elapsed(() => {
    for (let i = 0; i < parts; i += 1) read(short);
  });
  // Reading in quadratic time would take 128 times as long.
  expect(elapsed(() => read(long))).toBeLessThan(25 * Math.max(manyShort, 1));
});

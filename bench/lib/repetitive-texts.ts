import { email, manyLines, oneLine } from "../../src/contract/text.ts";
import { readSvgLogo } from "../../src/domain/templates/svg-logo.ts";
import { readColor } from "../../src/lib/image/color.ts";
import { csvCell } from "../../src/lib/text/csv.ts";
import { readJson } from "../../src/lib/text/json.ts";
import { withoutSecrets } from "../../src/lib/text/redact.ts";
import { bearerOf } from "../../src/lib/web/bearer.ts";
import { readDestination } from "../../src/lib/web/destination.ts";
import { isCurrent } from "../../src/lib/web/file-response.ts";
import { networksOf } from "../../src/lib/web/network.ts";
import { readOrigin } from "../../src/lib/web/origin.ts";
import { onlySegment } from "../../src/redirect/paths.ts";
import { platformOf } from "../../src/redirect/platform.ts";

const utf8 = new TextEncoder();

/** The SVG is rejected in the end, but must be read quickly. */
function tryLogo(attribute: string): void {
  try {
    readSvgLogo(utf8.encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attribute}/>`));
  } catch {}
}

const toDestination = (text: string) => readDestination(text, 2048);
const toJson = (text: string) => readJson(new Uint8Array(utf8.encode(text)).buffer);

interface Reader {
  readonly name: string;
  /** Reads external text, mostly with regular expressions. */
  readonly read: (text: string) => unknown;
  /** Text that, if repeated, makes a careless expression start over again and again. */
  readonly repeated: string;
}

const reader = (name: string, read: Reader["read"], repeated: string): Reader => ({ name, read, repeated });

export const readers: readonly Reader[] = [
  reader("platformOf", platformOf, "Macintosh"),
  reader("platformOf, Android", platformOf, "Macintosh Chrome/ AppleWebKi"),
  reader("onlySegment", (text) => onlySegment(`https://a/${text}/`), "a"),
  reader("readColor, digits", (text) => readColor(`hsl(${text}`), "1"),
  reader("readColor, spaces", (text) => readColor(`rgb(1${text}x`), " "),
  reader("readDestination, a scheme", toDestination, "a+"),
  reader("readDestination, slashes", (text) => toDestination(`https:${text}`), "/"),
  reader("readDestination, ports", toDestination, "a:1"),
  reader("readOrigin", (text) => readOrigin(`https://${text} `), "a/"),
  reader("networksOf", (text) => networksOf(`::ffff:${text}`), "1."),
  reader("bearerOf, spaces", (text) => bearerOf(`Bearer x${text}y`), " "),
  reader("bearerOf, a token", (text) => bearerOf(`Bearer ${text} y z`), "x"),
  reader("isCurrent", (text) => isCurrent(text, "x"), 'W/"a", '),
  reader("csvCell", csvCell, ";\t=1"),
  reader("csvCell, a number", csvCell, "1"),
  reader("an email address", (text) => email.safeParse(`a@${text}`), "a-."),
  reader("a line", (text) => oneLine().safeParse(text), " a"),
  reader("a text", (text) => manyLines().safeParse(text), "\r\n\t"),
  reader("withoutSecrets, web addresses", withoutSecrets, "https://a@"),
  reader("withoutSecrets, tokens", withoutSecrets, "eyJa-"),
  reader("withoutSecrets, names of addresses", withoutSecrets, "a.b"),
  reader("withoutSecrets, hosts of addresses", withoutSecrets, "a@b.1."),
  reader("withoutSecrets, a host", (text) => withoutSecrets(`a@${text}1`), "a.1"),
  reader("a logo's size", (text) => tryLogo(`viewBox="${text}x"`), "1 "),
  reader("a logo's CSS", (text) => tryLogo(`style="${text}"`), "url( "),
  reader("readJson, what resembles a key", (text) => toJson(JSON.stringify(text)), '"__proto__" '),
  reader("readJson, an escaped underscore", (text) => toJson(`["\\u005f",${text}[]]`), "[],"),
];

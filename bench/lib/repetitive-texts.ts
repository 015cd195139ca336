import { email, manyLines, oneLine } from "../../src/contract/text.ts";
import { platformOf } from "../../src/edge/redirect/platform.ts";
import { onlySegment } from "../../src/edge/routing/paths.ts";
import { convertSvg } from "../../src/images/svg/convert-svg.ts";
import { readColor } from "../../src/lib/image/color.ts";
import { csvCell } from "../../src/lib/text/csv.ts";
import { readJson } from "../../src/lib/text/json.ts";
import { JsonListReader } from "../../src/lib/text/json-list.ts";
import { withoutSecrets } from "../../src/lib/text/redact.ts";
import { bearerOf } from "../../src/lib/web/bearer.ts";
import { readDestination } from "../../src/lib/web/destination.ts";
import { isCurrent } from "../../src/lib/web/file-response.ts";
import { networksOf } from "../../src/lib/web/network.ts";
import { readOrigin } from "../../src/lib/web/origin.ts";

const utf8 = new TextEncoder();

/** The SVG may be refused in the end, but must be read quickly. */
function tryLogo(contents: string, attributes = 'viewBox="0 0 9 9"'): void {
  try {
    convertSvg(utf8.encode(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${contents}</svg>`));
  } catch {}
}

const toDestination = (text: string) => readDestination(text, 2048);
const toJson = (text: string) => readJson(new Uint8Array(utf8.encode(text)));

/** The list may be refused in the end, but must be read quickly. */
function toList(text: string): void {
  try {
    new JsonListReader("items", 2 * text.length, { begin() {}, element() {} }).write(utf8.encode(text));
  } catch {}
}

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
  reader("a logo's size", (text) => tryLogo("", `viewBox="${text}x"`), "1 "),
  reader("a logo's CSS", (text) => tryLogo("", `style="${text}"`), "url( "),
  reader("a logo's transform", (text) => tryLogo(`<g transform="${text}"/>`), "a"),
  reader("a logo's transforms", (text) => tryLogo(`<g transform="${text}"/>`), "scale(1 1)"),
  reader("a logo's path", (text) => tryLogo(`<path d="M0 0${text}"/>`), "h1e"),
  reader("a logo's points", (text) => tryLogo(`<polygon points="${text}"/>`), "1e1-"),
  reader("a logo's paint", (text) => tryLogo(`<path fill="url(#${text}"/>`), "(#"),
  reader("a logo's paints", (text) => tryLogo(`<path fill="${text}"/>`), "url(#a) "),
  reader("a logo's classes", (text) => tryLogo(`<style>.a{fill:red}</style><g class="${text}"/>`), "a "),
  reader("a logo's style sheet, braces", (text) => tryLogo(`<style>${text}</style>`), "{"),
  reader("a logo's style sheet, comments", (text) => tryLogo(`<style>${text}</style>`), "/*a"),
  reader("a logo's style sheet, selectors", (text) => tryLogo(`<style>${text}{fill:red}</style>`), ".a,"),
  reader("a logo's style sheet, quotes", (text) => tryLogo(`<style>a{${text}</style>`), "('\""),
  reader("a logo's tags", (text) => tryLogo(text), "<g>"),
  reader("a logo's comments", (text) => tryLogo(text), "<!--"),
  reader("a logo's characters", (text) => tryLogo(text), "&#"),
  reader("readJson, what resembles a key", (text) => toJson(JSON.stringify(text)), '"__proto__" '),
  reader(
    "JsonListReader, values in a row",
    (text) => toList(`{"items":${" ".repeat(text.length)}{}${text}`),
    "[]",
  ),
  reader("readJson, an escaped underscore", (text) => toJson(`["\\u005f",${text}[]]`), "[],"),
];

import { limits } from "../../contract/limits.ts";
import { readXml, type XmlElement, XmlProblem } from "../../lib/text/xml.ts";
import { invalid, type ServiceError } from "../errors.ts";

const svgNamespace = "http://www.w3.org/2000/svg";
const htmlNamespace = "http://www.w3.org/1999/xhtml";

/** What runs, moves, or brings in another language. */
const refusedElements: ReadonlySet<string> = new Set([
  "script",
  "handler",
  "listener",
  "foreignobject",
  "iframe",
  "embed",
  "object",
  "audio",
  "video",
  "set",
  "animate",
  "animatecolor",
  "animatemotion",
  "animatetransform",
  "discard",
]);

const problem = (words: string): ServiceError => invalid("logo", words);

/**
 * An SVG as it may stand in everybody's images: it runs nothing, moves nothing, and loads nothing.
 * @returns its size, in whatever unit
 * @throws invalid_input naming `logo`
 */
export function readSvgLogo(bytes: Uint8Array): { width: number; height: number } {
  const root = parse(bytes);
  const prefix = root.name.replace(/:?svg$/, "");
  const isRoot = root.name === (prefix === "" ? "svg" : `${prefix}:svg`);
  if (!isRoot || root.attributes.get(prefix === "" ? "xmlns" : `xmlns:${prefix}`) !== svgNamespace) {
    throw problem(`must be an SVG whose root is <svg xmlns="${svgNamespace}">`);
  }
  const all = elementsIn(root);
  for (const element of all) requireHarmless(element);
  requireBounded(root, all);
  return sizeOf(root);
}

function parse(bytes: Uint8Array): XmlElement {
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw problem("must be an SVG in UTF-8");
  }
  try {
    return readXml(source);
  } catch (error) {
    if (error instanceof XmlProblem) throw problem(error.message);
    throw error;
  }
}

const elementsIn = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(elementsIn)];

const localName = (name: string): string => name.replace(/^.*:/, "").toLowerCase();

/** A name as errors repeat it. */
const shown = (name: string): string => name.slice(0, 100);

function requireHarmless(element: XmlElement): void {
  const local = localName(element.name);
  if (refusedElements.has(local)) throw problem(`must have no <${shown(element.name)}>`);
  if (local === "style") requireInside("<style>", element.text);
  for (const [name, value] of element.attributes) {
    const attribute = localName(name);
    if (attribute.startsWith("on") || attribute === "base") throw problem(`must have no ${shown(name)}`);
    if (value === htmlNamespace) throw problem("must have no HTML in it");
    if ((attribute === "href" || attribute === "src") && !isInside(value)) throw leadsOutside(name);
    if (isDrawn(name)) requireInside(name, value);
  }
}

/** Whether an attribute may say how its element looks: neither a name of it, nor a note of some program. */
const isDrawn = (name: string): boolean => !/:|^(?:id|class|data-.*|aria-.*)$/.test(name);

/** CSS that loads nothing. */
function requireInside(where: string, css: string): void {
  const loads = /@import|\b(?:image|image-set|src)\(/i.test(css);
  // An escape could spell any of these otherwise, and none of them does without a parenthesis or an at.
  const hidden = css.includes("\\") && /[(@]/.test(css);
  if (loads || hidden || !addressesIn(css).every(isInside)) throw leadsOutside(where);
}

/** What stands in the `url()` of some CSS. */
const addressesIn = (css: string): string[] =>
  [...css.matchAll(/url\(\s*["']?([^"')]*)/gi)].map(([, address = ""]) => address);

/** Whether an address is in the document: a part of it, or an image written out. */
const isInside = (address: string): boolean =>
  /^\s*(?:#|data:image\/(?:png|jpe?g|gif|webp);base64,)/i.test(address);

const leadsOutside = (where: string): ServiceError =>
  problem(
    `must load nothing, but its ${shown(where)} does: only #fragments and data:image/png, jpeg, gif and webp may stand there`,
  );

/** Elements within one another, those that are drawn by reference too. */
const maxDepth = 200;

/** What an element draws by reference, again and again, counts each time: else a few lines could draw for hours. */
function requireBounded(root: XmlElement, all: readonly XmlElement[]): void {
  // Where several have one id, renderers differ in which they take.
  const byId = Map.groupBy(all, (element) => element.attributes.get("id"));
  const counts = new Map<XmlElement, number>();
  const count = (element: XmlElement, depth: number): number => {
    const known = counts.get(element);
    if (known !== undefined) return known;
    if (depth > maxDepth) return Number.POSITIVE_INFINITY;
    // Should it lead to itself, there is no end of it.
    counts.set(element, Number.POSITIVE_INFINITY);
    const referenced = referencesOf(element).flatMap((id) => byId.get(id) ?? []);
    const parts = [...element.children, ...referenced];
    const sum = parts.reduce((total, part) => total + count(part, depth + 1), 1);
    counts.set(element, sum);
    return sum;
  };
  if (count(root, 0) > limits.logo.elements) {
    throw problem(`must draw at most ${limits.logo.elements} elements, and none that contains itself`);
  }
}

/** The ids of all that an element refers to. */
function referencesOf({ attributes }: XmlElement): string[] {
  const addresses = [...attributes].flatMap(([name, value]) =>
    localName(name) === "href" ? [value] : addressesIn(value),
  );
  return addresses
    .map((address) => address.trim())
    .flatMap((text) => (text.startsWith("#") ? [text.slice(1)] : []));
}

/** The units that lengths may have, in pixels. */
const units: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["px", 1],
  ["pt", 4 / 3],
  ["pc", 16],
  ["in", 96],
  ["cm", 96 / 2.54],
  ["mm", 96 / 25.4],
]);

const number = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/.source;

/** Width and height where they are lengths, else those of the viewBox: as browsers have it. */
function sizeOf({ attributes }: XmlElement): { width: number; height: number } {
  const [width, height] = ["width", "height"].map((name) => lengthOf(attributes.get(name) ?? ""));
  if (width !== undefined && height !== undefined) return { width, height };
  const box = new RegExp(`^\\s*${number}[\\s,]+${number}[\\s,]+(${number})[\\s,]+(${number})\\s*$`, "i");
  const [, across, down] = box.exec(attributes.get("viewBox") ?? "") ?? [];
  const size = { width: Number(across), height: Number(down) };
  if (!isSize(size.width) || !isSize(size.height)) {
    throw problem("must be an SVG with a size: a viewBox, or width and height");
  }
  return size;
}

function lengthOf(text: string): number | undefined {
  const [, value, unit = ""] = new RegExp(`^\\s*(${number})([a-z]*)\\s*$`, "i").exec(text) ?? [];
  const length = Number(value) * (units.get(unit.toLowerCase()) ?? Number.NaN);
  return isSize(length) ? length : undefined;
}

const isSize = (value: number): boolean => value > 0 && value < 1e6;

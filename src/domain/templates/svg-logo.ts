import { limits } from "../../contract/limits.ts";
import { readXml, type XmlElement, XmlError } from "../../lib/text/xml.ts";
import { invalid, type ServiceError } from "../errors.ts";

const svgNamespace = "http://www.w3.org/2000/svg";
const htmlNamespace = "http://www.w3.org/1999/xhtml";

/** Elements that run code, animate, embed other documents, or take an arbitrary time to draw. */
const forbiddenElements: ReadonlySet<string> = new Set([
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
  "feturbulence",
  "femorphology",
  "feconvolvematrix",
]);

/** Attributes and style properties that make an element a separate layer, which is then combined with the rest. */
const effects = /(?:^|[\s;{])(?:opacity|filter|mask|clip-path|mix-blend-mode|isolation)\s*:/;
const effectAttributes = ["opacity", "filter", "mask", "clip-path"];

/** How many elements one with an effect counts as, roughly by the time it takes to draw. */
const effectCost = 20;

const problem = (words: string): ServiceError => invalid("logo", words);

/**
 * Checks that an SVG is safe to embed in public images: it must not run code, animate or load anything.
 * @returns its width and height, in its own unit
 * @throws invalid_input naming `logo`
 */
export function readSvgLogo(bytes: Uint8Array): { width: number; height: number } {
  const root = parseSvg(bytes);
  const prefix = root.name.replace(/:?svg$/, "");
  const isRoot = root.name === (prefix === "" ? "svg" : `${prefix}:svg`);
  if (!isRoot || root.attributes.get(prefix === "" ? "xmlns" : `xmlns:${prefix}`) !== svgNamespace) {
    throw problem(`must be an SVG whose root element is <svg xmlns="${svgNamespace}">`);
  }
  const elements = elementsOf(root);
  for (const element of elements) requireSafeElement(element);
  requireBoundedDrawing(root, elements);
  return svgSize(root);
}

function parseSvg(bytes: Uint8Array): XmlElement {
  let source: string;
  try {
    source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw problem("must be an SVG encoded in UTF-8");
  }
  try {
    return readXml(source);
  } catch (error) {
    if (error instanceof XmlError) throw problem(error.message);
    throw error;
  }
}

const tooMuchDrawing = () =>
  problem(
    `must draw at most ${limits.logo.elements} elements, where one with an effect counts as ${effectCost}, and none that contains itself`,
  );

/** Returns an element and all its descendants. @throws invalid_input if there are more than a logo may draw */
function elementsOf(root: XmlElement): XmlElement[] {
  const elements = [root];
  // The list grows during the iteration.
  for (const { children } of elements) {
    if (elements.length + children.length > limits.logo.elements) throw tooMuchDrawing();
    elements.push(...children);
  }
  return elements;
}

const localName = (name: string): string => name.replace(/^.*:/, "").toLowerCase();

/** Shortens a name for error messages. */
const shortName = (name: string): string => name.slice(0, 100);

function requireSafeElement(element: XmlElement): void {
  const local = localName(element.name);
  if (forbiddenElements.has(local)) throw problem(`can't contain <${shortName(element.name)}>`);
  if (local === "style") requireLocalReferences("<style>", element.text);
  for (const [name, value] of element.attributes) {
    const attribute = localName(name);
    if (attribute.startsWith("on") || attribute === "base")
      throw problem(`can't contain the attribute ${shortName(name)}`);
    if (value === htmlNamespace) throw problem("can't contain HTML");
    if ((attribute === "href" || attribute === "src") && !isLocalReference(value))
      throw externalReference(name);
    if (mayAffectDrawing(name)) requireLocalReferences(name, value);
  }
}

/** Returns whether an attribute can affect the drawing, unlike identifiers and metadata. */
const mayAffectDrawing = (name: string): boolean => !/:|^(?:id|class|data-.*|aria-.*)$/.test(name);

/** Checks that CSS loads nothing. @param where the attribute or element, for the error */
function requireLocalReferences(where: string, css: string): void {
  const loads = /@import|\b(?:image|image-set|src)\(/i.test(css);
  // Escapes can hide these keywords, but all keywords that load something need a parenthesis or an at sign.
  const mayHide = css.includes("\\") && /[(@]/.test(css);
  if (loads || mayHide || !urlsInCss(css).every(isLocalReference)) throw externalReference(where);
}

/** Returns the addresses in each `url()` of some CSS. */
const urlsInCss = (css: string): string[] =>
  [...css.matchAll(/url\(\s*["']?([^"')]*)/gi)].map(([, address = ""]) => address);

/** Returns whether an address refers to a part of the document or is a data URI of an image. */
const isLocalReference = (address: string): boolean =>
  /^\s*(?:#|data:image\/(?:png|jpe?g|gif|webp);base64,)/i.test(address);

const externalReference = (where: string): ServiceError =>
  problem(
    `can't load anything from elsewhere, as its ${shortName(where)} does. Use #fragments, or data:image/png, jpeg, gif or webp.`,
  );

/** The deepest nesting of elements, including those drawn by reference. */
const maxDepth = 200;

/**
 * Limits the number of elements drawn. An element drawn by reference counts every time, because nested references could
 * otherwise make a small file take hours to draw. The count of each element and id is computed once, however often it
 * is referred to, and counting stops at the limit.
 */
function requireBoundedDrawing(root: XmlElement, elements: readonly XmlElement[]): void {
  // Renderers differ in which of several elements with the same id they use, so all of them are counted.
  const byId = Map.groupBy(elements, (element) => element.attributes.get("id"));
  const counts = new Map<XmlElement | string, number>();
  const styled = styledElements(elements);
  const countAll = (parts: Iterable<XmlElement | string>, depth: number): number => {
    let sum = 0;
    for (const part of parts) {
      sum += count(part, depth);
      if (sum > limits.logo.elements) throw tooMuchDrawing();
    }
    return sum;
  };
  const count = (part: XmlElement | string, depth: number): number => {
    const known = counts.get(part);
    if (known !== undefined) return known;
    if (depth > maxDepth) throw tooMuchDrawing();
    // A reference back to this part finds this value, since the drawing would be endless.
    counts.set(part, Number.POSITIVE_INFINITY);
    const sum =
      typeof part === "string"
        ? countAll(byId.get(part) ?? [], depth)
        : costOf(part, styled(part)) + countAll([...part.children, ...referencesOf(part)], depth + 1);
    counts.set(part, sum);
    return sum;
  };
  countAll([root], 0);
}

/**
 * Returns a function that tells whether style sheets may give an element an effect. Selectors other than classes may
 * match any element.
 */
function styledElements(elements: readonly XmlElement[]): (element: XmlElement) => boolean {
  const css = elements.filter(({ name }) => localName(name) === "style").map(({ text }) => text);
  if (!css.some((text) => effects.test(text))) return () => false;
  const selectors = css.flatMap((text) => text.replaceAll(/\{[^}]*\}/g, ",").split(","));
  const ofClasses = selectors.every((selector) => /^(?:\.[\w-]+)?$/.test(selector.trim()));
  return ({ attributes }) => !ofClasses || attributes.has("class");
}

/** Returns how many elements an element counts as, without its children. */
function costOf({ name, attributes }: XmlElement, styled: boolean): number {
  const hasEffect =
    styled ||
    effectAttributes.some((effect) => attributes.has(effect)) ||
    effects.test(attributes.get("style") ?? "") ||
    localName(name).startsWith("fe");
  return hasEffect ? effectCost : 1;
}

/** Returns the ids of the elements that an element refers to. */
function referencesOf({ attributes }: XmlElement): string[] {
  const addresses = [...attributes].flatMap(([name, value]) =>
    localName(name) === "href" ? [value] : urlsInCss(value),
  );
  return addresses
    .map((address) => address.trim())
    .flatMap((text) => (text.startsWith("#") ? [text.slice(1)] : []));
}

/** Units of length, in pixels. */
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

/** Returns width and height if they are lengths, otherwise those of the viewBox, as browsers do. */
function svgSize({ attributes }: XmlElement): { width: number; height: number } {
  const [width, height] = ["width", "height"].map((name) => lengthOf(attributes.get(name) ?? ""));
  if (width !== undefined && height !== undefined) return { width, height };
  const box = new RegExp(`^\\s*${number}[\\s,]+${number}[\\s,]+(${number})[\\s,]+(${number})\\s*$`, "i");
  const [, across, down] = box.exec(attributes.get("viewBox") ?? "") ?? [];
  const size = { width: Number(across), height: Number(down) };
  if (!isSize(size.width) || !isSize(size.height)) {
    throw problem("must have a size: a viewBox, or width and height");
  }
  return size;
}

function lengthOf(text: string): number | undefined {
  const [, value, unit = ""] = new RegExp(`^\\s*(${number})([a-z]*)\\s*$`, "i").exec(text) ?? [];
  const length = Number(value) * (units.get(unit.toLowerCase()) ?? Number.NaN);
  return isSize(length) ? length : undefined;
}

const isSize = (value: number): boolean => value > 0 && value < 1e6;

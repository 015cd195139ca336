import { LogoProblem, type Work } from "./work.ts";
import type { XmlElement } from "./xml.ts";

/*
 * The file of a logo can be downloaded, and is embedded as it came where it can't be converted. So it must not run code,
 * animate or load anything.
 */

const htmlNamespace = "http://www.w3.org/1999/xhtml";

/** Elements that run code, animate, embed other documents, or take an arbitrary time to draw. */
const forbiddenElements: ReadonlySet<string> = new Set([
  ...["script", "handler", "listener", "foreignobject", "iframe", "embed", "object", "audio", "video", "set"],
  ...["animate", "animatecolor", "animatemotion", "animatetransform", "discard"],
  ...["feturbulence", "femorphology", "feconvolvematrix"],
]);

const localName = (name: string): string => name.replace(/^.*:/, "").toLowerCase();

/** Shortens a name for error messages. */
const shortName = (name: string): string => name.slice(0, 100);

/** @throws LogoProblem for an element that isn't safe */
export function requireSafe(element: XmlElement, work: Work): void {
  const local = localName(element.name);
  if (forbiddenElements.has(local)) throw new LogoProblem(`can't contain <${shortName(element.name)}>`);
  if (local === "style") requireLocalReferences("<style>", element.text, work);
  for (const [name, value] of element.attributes) {
    const attribute = localName(name);
    if (attribute.startsWith("on") || attribute === "base") {
      throw new LogoProblem(`can't contain the attribute ${shortName(name)}`);
    }
    if (value === htmlNamespace) throw new LogoProblem("can't contain HTML");
    if ((attribute === "href" || attribute === "src") && !isLocalReference(value)) {
      throw externalReference(name);
    }
    if (mayAffectDrawing(name)) requireLocalReferences(name, value, work);
  }
}

/** Returns whether an attribute can affect the drawing, unlike identifiers and metadata. */
const mayAffectDrawing = (name: string): boolean => !/:|^(?:id|class|data-.*|aria-.*)$/.test(name);

/** Checks that CSS loads nothing. @param where the attribute or element, for the error */
function requireLocalReferences(where: string, css: string, work: Work): void {
  work.add(css.length);
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

const externalReference = (where: string): LogoProblem =>
  new LogoProblem(
    `can't load anything from elsewhere, as its ${shortName(where)} does. Use #fragments, or data:image/png or jpeg.`,
  );

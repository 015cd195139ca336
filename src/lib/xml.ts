/** An element of an XML document. */
export interface XmlElement {
  /** As it is written, with its prefix. */
  readonly name: string;
  /** Their values as they are meant, by their names as they are written. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** All text directly in it. */
  readonly text: string;
}

/** What is wrong with a text that should be XML. The message follows the name of the field it came in. */
export class XmlProblem extends Error {}

const notWellFormed = "must be well-formed XML";

/** Elements within one another, at most. */
const maxDepth = 100;

/** Of at most 100 characters, as errors repeat it. */
const name = /[A-Za-z_:\u{80}-\u{10ffff}][\w.:\u{80}-\u{10ffff}-]{0,99}/u.source;
const attribute = new RegExp(`\\s+(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, "uy");
const opening = new RegExp(`<(${name})`, "uy");
const openingEnd = /\s*(\/?)>/uy;
const closing = new RegExp(`</(${name})\\s*>`, "uy");
const comment = /<!--.*?-->/suy;
const cdata = /<!\[CDATA\[(.*?)\]\]>/suy;
const text = /[^<]+/uy;
const declaration = /^\u{feff}?<\?xml\s[^?<>]*\?>/u;

interface Open {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * The root of an XML document that says everything itself: no document type, no entities of its own, no instructions
 * to who reads it.
 * @throws XmlProblem
 */
export function readXml(source: string): XmlElement {
  const root: Open = { name: "", attributes: new Map(), children: [], text: "" };
  const open: Open[] = [root];
  let at = declaration.exec(source)?.[0].length ?? 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < source.length) {
    const innermost = open.at(-1) ?? root;
    const started = take(opening)?.[1];
    if (started !== undefined) {
      if (open.length > maxDepth)
        throw new XmlProblem(`must have at most ${maxDepth} elements within one another`);
      const attributes = takeAttributes(take);
      const end = take(openingEnd);
      if (end === null) throw new XmlProblem(notWellFormed);
      const element: Open = { name: started, attributes, children: [], text: "" };
      innermost.children.push(element);
      if (end[1] === "") open.push(element);
      continue;
    }
    const ended = take(closing)?.[1];
    if (ended !== undefined) {
      if (open.length === 1 || ended !== innermost.name) throw new XmlProblem(notWellFormed);
      open.pop();
      continue;
    }
    if (take(comment) !== null) continue;
    const literal = take(cdata)?.[1];
    const written = literal === undefined ? take(text)?.[0] : undefined;
    if (literal === undefined && written === undefined) refuseMarkup(source.slice(at, at + 9));
    innermost.text += literal ?? unescaped(written ?? "");
  }
  const [element] = root.children;
  if (
    open.length > 1 ||
    element === undefined ||
    root.children.length > 1 ||
    /[^\s\u{feff}]/u.test(root.text)
  ) {
    throw new XmlProblem(notWellFormed);
  }
  return element;
}

function takeAttributes(take: (pattern: RegExp) => RegExpExecArray | null): Map<string, string> {
  const attributes = new Map<string, string>();
  for (let found = take(attribute); found !== null; found = take(attribute)) {
    const [, key = "", double, single = ""] = found;
    if (attributes.has(key)) throw new XmlProblem(notWellFormed);
    attributes.set(key, unescaped(double ?? single));
  }
  return attributes;
}

function refuseMarkup(markup: string): never {
  if (/^<!(?:DOCTYPE|ENTITY)/i.test(markup))
    throw new XmlProblem("must have no DOCTYPE and no entities of its own");
  if (markup.startsWith("<?")) throw new XmlProblem("must have no processing instructions");
  throw new XmlProblem(notWellFormed);
}

const entities: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

function unescaped(written: string): string {
  return written.replace(/&(?:#x([0-9a-f]{1,6});|#([0-9]{1,7});|(\w+);)?/gi, (_, hex, decimal, entity) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const meant =
      entity === undefined
        ? code > 0 && code <= 0x10ffff
          ? String.fromCodePoint(code)
          : undefined
        : entities.get(entity);
    if (meant === undefined) throw new XmlProblem(notWellFormed);
    return meant;
  });
}

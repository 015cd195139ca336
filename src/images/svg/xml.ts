import { LogoProblem, type Work } from "./work.ts";

/** An element of an XML document. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** Decoded values by name. Names are as written, with their prefix. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without its children's. */
  readonly text: string;
}

/** An element that is being read. */
interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** The deepest permitted nesting of elements. */
const maxDepth = 100;

const malformed = () => new LogoProblem("must be well-formed XML");

/** Characters that XML doesn't allow. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

const space = /[ \t\r\n]*/y;
const name = /[a-z_:\u0080-\ufffd][\w:.\-\u0080-\ufffd]*/iy;
const equals = /[ \t\r\n]*=[ \t\r\n]*/y;
const documentType = /[^[>"']+/y;

/**
 * Parses a self-contained XML document in linear time, without custom entities and processing instructions.
 * @returns the root element
 * @throws LogoProblem
 */
export const readXml = (source: string, work: Work): XmlElement => new XmlReader(source, work).read();

class XmlReader {
  #at = 0;
  readonly #source: string;
  readonly #work: Work;
  /** The elements that are open here, outermost first. */
  readonly #open: OpenElement[] = [];
  #root: XmlElement | undefined;
  #hasType = false;
  #definesEntities = false;

  constructor(source: string, work: Work) {
    this.#source = source;
    this.#work = work;
  }

  read(): XmlElement {
    if (notXml.test(this.#source)) throw malformed();
    if (/^<\?xml[ \t\r\n]/.test(this.#source.slice(0, 6))) this.#until("?>");
    while (this.#at < this.#source.length) {
      const text = this.#text();
      const parent = this.#open.at(-1);
      if (parent !== undefined) parent.text += decoded(text);
      else if (text.trim() !== "") throw malformed();
      if (this.#at < this.#source.length) this.#markup(parent);
    }
    if (this.#root === undefined || this.#open.length > 0) throw malformed();
    // Other readers would expand the entities of an internal subset.
    if (this.#definesEntities) throw new LogoProblem("can't define entities in its DOCTYPE");
    return this.#root;
  }

  /** Takes what a sticky expression matches here. */
  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const [found] = expression.exec(this.#source) ?? [];
    this.#move(1, found?.length ?? 0);
    return found;
  }

  #move(steps: number, characters: number): void {
    this.#work.add(steps + characters);
    this.#at += characters;
  }

  /** Takes the text up to an end, and the end. */
  #until(end: string): string {
    const at = this.#source.indexOf(end, this.#at);
    if (at < 0) throw malformed();
    const text = this.#source.slice(this.#at, at);
    this.#move(1, text.length + end.length);
    return text;
  }

  #has(start: string): boolean {
    if (!this.#source.startsWith(start, this.#at)) return false;
    this.#move(1, start.length);
    return true;
  }

  /** Takes the text up to the next markup. */
  #text(): string {
    const at = this.#source.indexOf("<", this.#at);
    const text = this.#source.slice(this.#at, at < 0 ? undefined : at);
    this.#move(1, text.length);
    if (text.includes("]]>")) throw malformed();
    return text;
  }

  #markup(parent: OpenElement | undefined): void {
    if (this.#has("<!--")) {
      // A comment may not end with three hyphens.
      if (/--|-$/.test(this.#until("-->"))) throw malformed();
    } else if (this.#has("<![CDATA[")) {
      if (parent === undefined) throw malformed();
      parent.text += this.#until("]]>");
    } else if (this.#has("<!DOCTYPE")) this.#documentType();
    else if (this.#has("<?")) throw new LogoProblem("can't contain processing instructions");
    else if (this.#has("</")) this.#close();
    else if (this.#has("<")) this.#element(parent);
  }

  #documentType(): void {
    if (this.#hasType || this.#root !== undefined) throw malformed();
    this.#hasType = true;
    for (;;) {
      this.#take(documentType);
      if (this.#has(">")) return;
      if (this.#has('"')) this.#until('"');
      else if (this.#has("'")) this.#until("'");
      else if (this.#has("["))
        this.#definesEntities = this.#until("]").trim() !== "" || this.#definesEntities;
      else throw malformed();
    }
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed === undefined || this.#take(name) !== closed.name) throw malformed();
    this.#take(space);
    if (!this.#has(">")) throw malformed();
  }

  #element(parent: OpenElement | undefined): void {
    const tag = this.#take(name);
    if (tag === undefined || (parent === undefined && this.#root !== undefined)) throw malformed();
    if (this.#open.length >= maxDepth)
      throw new LogoProblem(`can have at most ${maxDepth} levels of elements`);
    const attributes = new Map<string, string>();
    const element: OpenElement = { name: tag, attributes, children: [], text: "" };
    this.#root ??= element;
    parent?.children.push(element);
    for (;;) {
      const gap = this.#take(space);
      if (this.#has("/>")) return;
      if (this.#has(">")) break;
      const attribute = this.#take(name);
      if (gap === "" || attribute === undefined || attributes.has(attribute)) throw malformed();
      if (this.#take(equals) === undefined) throw malformed();
      const quote = this.#has('"') ? '"' : this.#has("'") ? "'" : undefined;
      if (quote === undefined) throw malformed();
      const value = this.#until(quote);
      if (value.includes("<")) throw malformed();
      attributes.set(attribute, decoded(value.replaceAll(/[\t\r\n]/g, " ")));
    }
    this.#open.push(element);
  }
}

const entities: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Replaces references to characters. No name of one is longer than the expression allows. */
const decoded = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(/&(?:(\w{1,8}|#\d{1,8}|#x[\da-f]{1,8});)?/gi, (_, reference?: string) =>
        characterOf(reference ?? ""),
      )
    : text;

function characterOf(reference: string): string {
  const known = entities.get(reference);
  if (known !== undefined) return known;
  const digits = /^#(x?)([\da-f]+)$/i.exec(reference);
  const code = Number.parseInt(digits?.[2] ?? "", digits?.[1] === "" ? 10 : 16);
  const isScalar = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  const character = isScalar ? String.fromCodePoint(code) : "";
  if (character === "" || notXml.test(character)) throw malformed();
  return character;
}

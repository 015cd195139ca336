import { Scanner } from "./scanner.ts";
import { LogoProblem, type Work } from "./work.ts";
import type { XmlElement } from "./xml.ts";

/** The properties that decide how an element is drawn. */
const properties: ReadonlySet<string> = new Set([
  ...["clip-path", "clip-rule", "color", "display", "fill", "fill-opacity", "fill-rule", "filter", "marker"],
  ...["marker-end", "marker-mid", "marker-start", "mask", "mix-blend-mode", "opacity", "paint-order"],
  ...["stop-color", "stop-opacity", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"],
  ...[
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "transform",
    "transform-origin",
    "vector-effect",
  ],
  "visibility",
]);

/** Characters of a value. Longer ones don't occur; `transform`, as an attribute, is read by itself. */
const maxLength = 256;

interface Declaration {
  readonly value: string;
  /** Its place in the sheet: the last one wins, and important ones win over all others. */
  readonly weight: number;
}

/** Declarations by property. */
type Declarations = ReadonlyMap<string, Declaration>;

const important = 1e9;

/** The weight of a more specific selector. */
const specific = 1e7;

const plainRules = "Export it with styles as attributes instead.";

/** The rules of an SVG's `<style>` elements, by their selectors: `path`, `.class`, `#id` or `*`. */
export class StyleSheet {
  readonly #rules = new Map<string, Declarations>();
  readonly #work: Work;
  #count = 0;

  constructor(work: Work) {
    this.#work = work;
  }

  /** @throws LogoProblem for what isn't a list of plain rules */
  add(css: string): void {
    const scanner = new Scanner(withoutComments(css), this.#work);
    for (skip(scanner); !scanner.isAtEnd; skip(scanner)) {
      if (scanner.take(/@(?:charset|namespace)[^;{}]{0,256};/iy) !== undefined) continue;
      if (scanner.take(/@font-face[ \t\r\n\f]*\{[^{}]*\}/iy) !== undefined) continue;
      const selectors = scanner.take(/[^{}@;]+/y);
      if (selectors === undefined || scanner.take(/\{/y) === undefined) throw unreadable();
      this.#count += 1;
      const declarations = readDeclarations(scanner, this.#count);
      if (scanner.take(/\}/y) === undefined) throw unreadable();
      if (declarations.size > 0) this.#add(selectors, declarations);
    }
  }

  #add(selectors: string, declarations: Declarations): void {
    for (const part of selectors.split(",")) {
      const selector = part.trim();
      if (!/^(?:\*|[.#]?[\w\-\u0080-\uffff]{1,200})$/.test(selector)) {
        throw new LogoProblem(`has a <style> with the selector "${selector.slice(0, 50)}". ${plainRules}`);
      }
      this.#work.add(selector.length + 2 * declarations.size);
      const known = this.#rules.get(selector);
      // Equal selectors are merged, so that an element's are few.
      this.#rules.set(selector, known === undefined ? declarations : heavier(known, declarations));
    }
  }

  /** Returns what is declared for an element: by its attributes, by style sheets, and by its `style`. */
  declared({ name, attributes }: XmlElement): ReadonlyMap<string, string> {
    let all: Declarations = new Map(
      Array.from(
        attributes,
        ([attribute, value]) => [attribute, { value: value.trim(), weight: -1 }] as const,
      ).filter(([attribute, { value }]) => properties.has(attribute) && value.length <= maxLength),
    );
    const apply = (declarations: Declarations, specificity: number) => {
      this.#work.add(declarations.size);
      all = heavier(all, declarations, specificity * specific);
    };
    if (this.#rules.size > 0) {
      const classes = new Set((attributes.get("class") ?? "").split(/[ \t\r\n\f]+/));
      this.#work.add(classes.size + attributes.size);
      const selectors: [string, number][] = [
        ["*", 0],
        [name.replace(/^.*:/, ""), 1],
        ...Array.from(classes, (each): [string, number] => [`.${each}`, 2]),
        [`#${attributes.get("id") ?? ""}`, 3],
      ];
      for (const [selector, specificity] of selectors) {
        const declarations = this.#rules.get(selector);
        if (declarations !== undefined) apply(declarations, specificity);
      }
    }
    const style = attributes.get("style");
    if (style !== undefined) {
      apply(readDeclarations(new Scanner(withoutComments(style), this.#work), 0), 4);
    }
    return new Map(Array.from(all, ([property, { value }]) => [property, value]));
  }
}

const unreadable = () => new LogoProblem(`has a <style> that isn't a list of plain rules. ${plainRules}`);

/** Merges declarations. The heavier one of a property wins; of equal weight, the later one. */
function heavier(one: Declarations, other: Declarations, added = 0): Declarations {
  const all = new Map(one);
  for (const [property, { value, weight }] of other) {
    if (weight + added >= (all.get(property)?.weight ?? -1)) {
      all.set(property, { value, weight: weight + added });
    }
  }
  return all;
}

/** Removes comments. One that isn't closed ends with the text. */
function withoutComments(css: string): string {
  let text = "";
  let at = 0;
  for (;;) {
    const start = css.indexOf("/*", at);
    if (start < 0) return text + css.slice(at);
    text += `${css.slice(at, start)} `;
    const end = css.indexOf("*/", start + 2);
    if (end < 0) return text;
    at = end + 2;
  }
}

/** Skips blanks, and what hides a style sheet from old programs. */
function skip(scanner: Scanner): void {
  scanner.take(/(?:[ \t\r\n\f]+|<!--|-->)*/y);
}

/** Reads declarations up to a brace or the end. Skips malformed ones, and those of other properties. */
function readDeclarations(scanner: Scanner, order: number): Declarations {
  const found = new Map<string, Declaration>();
  for (;;) {
    const text = takeDeclaration(scanner);
    const colon = text.indexOf(":");
    const property = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = text.slice(colon + 1).trim();
    if (properties.has(property) && value.length <= maxLength) {
      const isImportant = /!\s{0,9}important$/i.test(value);
      const weight = order + (isImportant ? important : 0);
      const plain = isImportant ? value.slice(0, value.lastIndexOf("!")).trim() : value;
      if (weight >= (found.get(property)?.weight ?? 0)) found.set(property, { value: plain, weight });
    }
    if (scanner.take(/;/y) === undefined) return found;
  }
}

/** A part of a declaration: text, something quoted, something in brackets, or half of these. */
const part = /[^;{}"'()]+|"[^"]*"|'[^']*'|\([^()]*\)|["'()]/y;

/** Takes the text up to a semicolon or a brace that is neither quoted nor in brackets. */
function takeDeclaration(scanner: Scanner): string {
  const parts: string[] = [];
  for (let next = scanner.take(part); next !== undefined; next = scanner.take(part)) parts.push(next);
  return parts.join("");
}

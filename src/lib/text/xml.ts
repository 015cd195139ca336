import {
  parseXml,
  XmlCdata,
  XmlDocumentType,
  XmlElement as ParsedElement,
  XmlError,
  XmlProcessingInstruction,
  XmlText,
} from "@rgrove/parse-xml";

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

/** Elements within one another, at most. */
const maxDepth = 100;

const tooDeep = () => new XmlProblem(`must have at most ${maxDepth} elements within one another`);

/**
 * The root of an XML document that says everything itself: no entities of its own, no instructions to who reads it.
 * @throws XmlProblem
 */
export function readXml(source: string): XmlElement {
  const document = parse(source);
  for (const node of document.children) refuseInstruction(node);
  // It is not read, so only what it declares itself could matter to who does read it.
  const type = document.children.find((node) => node instanceof XmlDocumentType);
  if (type?.internalSubset) throw new XmlProblem("must have no entities of its own in its DOCTYPE");
  if (document.root === null) throw new XmlProblem("must be well-formed XML");
  return elementOf(document.root, 1);
}

function parse(source: string) {
  try {
    return parseXml(source, { preserveDocumentType: true });
  } catch (error) {
    if (error instanceof XmlError) throw new XmlProblem("must be well-formed XML");
    // The parser calls itself for each element within another, until the stack ends.
    if (error instanceof RangeError) throw tooDeep();
    throw error;
  }
}

function elementOf(parsed: ParsedElement, depth: number): XmlElement {
  if (depth > maxDepth) throw tooDeep();
  const children: XmlElement[] = [];
  let text = "";
  for (const node of parsed.children) {
    refuseInstruction(node);
    if (node instanceof ParsedElement) children.push(elementOf(node, depth + 1));
    else if (node instanceof XmlText || node instanceof XmlCdata) text += node.text;
  }
  return { name: parsed.name, attributes: new Map(Object.entries(parsed.attributes)), children, text };
}

function refuseInstruction(node: object): void {
  if (node instanceof XmlProcessingInstruction) throw new XmlProblem("must have no processing instructions");
}

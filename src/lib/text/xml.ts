import {
  parseXml,
  XmlCdata,
  XmlDocumentType,
  XmlElement as ParsedElement,
  XmlError as ParseError,
  XmlProcessingInstruction,
  XmlText,
} from "@rgrove/parse-xml";

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

/** Unacceptable XML. The message follows the name of the field it came in. */
export class XmlError extends Error {}

/** The deepest permitted nesting of elements. */
const maxDepth = 100;

const tooDeep = () => new XmlError(`can have at most ${maxDepth} levels of elements`);

/**
 * Parses a self-contained XML document, without custom entities and processing instructions.
 * @returns the root element
 * @throws XmlError
 */
export function readXml(source: string): XmlElement {
  const document = parseDocument(source);
  for (const node of document.children) refuseInstruction(node);
  // The parser skips the DOCTYPE, but other readers would expand the entities of its internal subset.
  const type = document.children.find((node) => node instanceof XmlDocumentType);
  if (type?.internalSubset) throw new XmlError("can't define entities in its DOCTYPE");
  if (document.root === null) throw new XmlError("must be well-formed XML");
  return elementOf(document.root, 1);
}

function parseDocument(source: string) {
  try {
    return parseXml(source, { preserveDocumentType: true });
  } catch (error) {
    if (error instanceof ParseError) throw new XmlError("must be well-formed XML");
    // The parser is recursive, so deep nesting overflows the stack.
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
  if (node instanceof XmlProcessingInstruction) throw new XmlError("can't contain processing instructions");
}

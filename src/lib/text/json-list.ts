import { decodeJson, JsonError, malformed, parseJson, protoKeyError } from "./json.ts";
import {
  type JsonBounds,
  type JsonCounts,
  requireFewValues,
  sumOfCounts,
  tooManyFields,
} from "./json-size.ts";
import { Utf8Decoder } from "./utf8.ts";

/** Receives the elements of the list. */
export interface ListHandler {
  /** The field begins. As in `JSON.parse`, it replaces an earlier field of the same name. */
  begin(): void;
  element(value: unknown): void;
  /** Another field begins. */
  otherField?(name: string): void;
  /** Another field ends. */
  otherValue?(name: string, value: unknown): void;
}

export interface ListBounds {
  /** For each element, for each other value, and for the fields of the object itself. */
  readonly each: JsonBounds;
  /** For all of these together. */
  readonly all: JsonCounts;
}

const [openBrace, closeBrace, openBracket, closeBracket, colon, comma, quote, backslash] = Array.from(
  '{}[]:,"\\',
  (char) => char.charCodeAt(0),
);

/**
 * Reads a JSON object with a list in one of its fields, block by block, and passes on each element of the list as soon
 * as it ends. It only finds where names, values and elements end, and leaves each one to `parseJson`, so that it
 * accepts the same bodies as `readJson`, provided none of these parts is too long. Published streaming parsers build
 * the values themselves, without a limit on their size and with `__proto__` keys.
 */
export class JsonListReader {
  readonly #bounds: ListBounds | undefined;
  readonly #field: string;
  readonly #maxLength: number;
  readonly #handler: ListHandler;
  readonly #decoder = new Utf8Decoder();
  #part: "start" | "name" | "value" | "element" | "after list" | "end" = "start";
  /** The text from the current part on. */
  #text = "";
  /** Where in it the current part begins, and how far it has been searched. */
  #begin = 0;
  #at = 0;
  /** How many brackets are open at this point of the current part. */
  #depth = 0;
  #inString = false;
  #fields = 0;
  #counts: JsonCounts = { fields: 0, entries: 0 };
  #name = "";
  #elements = 0;
  #value: unknown;

  /**
   * @param maxLength of a name, a value or an element including white space around it, in characters
   */
  constructor(field: string, maxLength: number, handler: ListHandler, bounds?: ListBounds) {
    this.#bounds = bounds;
    this.#field = field;
    this.#maxLength = maxLength;
    this.#handler = handler;
  }

  /** @throws JsonError if the body so far is unacceptable, or a part of it is too long */
  write(bytes: Uint8Array): void {
    this.#read(decodeJson(this.#decoder, bytes, false));
  }

  /**
   * Ends the body.
   * @returns the field's value: an empty list if the elements were passed on, undefined without the field
   * @throws JsonError if the body is unacceptable
   */
  end(): unknown {
    this.#read(decodeJson(this.#decoder, new Uint8Array(), true));
    if (this.#part === "start" && !isBlank(this.#text)) {
      parseJson(this.#text);
      throw notAnObject();
    }
    if (this.#part !== "end") throw malformed();
    this.#takeBlank();
    return this.#value;
  }

  #read(text: string): void {
    this.#text += text;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      if (this.#inString) {
        // The escaped character may be the first of the next block.
        if (code === backslash) this.#at += 1;
        else if (code === quote) this.#inString = false;
      } else if (code === quote) {
        this.#inString = true;
      } else if (code === openBrace || code === openBracket) {
        if (this.#depth > 0 || !this.#open(code)) this.#depth += 1;
      } else if (code === closeBrace || code === closeBracket) {
        // The part's parser checks whether this is the right kind of bracket.
        if (this.#depth > 0) this.#depth -= 1;
        else this.#end(code);
      } else if ((code === comma || code === colon) && this.#depth === 0) {
        this.#end(code);
      }
    }
    this.#text = this.#text.slice(this.#begin);
    this.#at -= this.#begin;
    this.#begin = 0;
    this.#assertLength(this.#text);
  }

  /** @returns whether the bracket opens the object or the list itself, rather than a value inside */
  #open(bracket: number): boolean {
    switch (this.#part) {
      case "start":
        this.#takeBlank();
        if (bracket !== openBrace) throw notAnObject();
        this.#part = "name";
        return true;
      case "value":
        this.#assertBlank();
        if (bracket !== openBracket || this.#name !== this.#field) return false;
        this.#takeBlank();
        this.#handler.begin();
        this.#value = [];
        this.#elements = 0;
        this.#part = "element";
        return true;
      case "element":
        this.#assertBlank();
        return false;
      default:
        throw malformed();
    }
  }

  /** Nothing precedes a value. Read only until something does, so that many values in a row aren't read again and again. */
  #assertBlank(): void {
    if (!isBlank(this.#partSoFar())) throw malformed();
  }

  /** Ends the current part at a delimiter of the object or the list itself. */
  #end(mark: number): void {
    switch (this.#part) {
      case "name":
        if (mark === colon) this.#endName();
        else this.#endEmptyObject(mark);
        break;
      case "value":
        this.#endValue(mark);
        break;
      case "element":
        this.#endElement(mark);
        break;
      case "after list":
        this.#takeBlank();
        this.#endField(mark);
        break;
      default:
        throw malformed();
    }
  }

  #endName(): void {
    const name = this.#parse();
    if (typeof name !== "string") throw malformed();
    if (name === "__proto__") throw protoKeyError();
    if (name !== this.#field) this.#handler.otherField?.(name);
    this.#name = name;
    this.#part = "value";
  }

  #endEmptyObject(mark: number): void {
    this.#takeBlank();
    if (mark !== closeBrace || this.#fields > 0) throw malformed();
    this.#part = "end";
  }

  #endValue(mark: number): void {
    const value = this.#parse();
    if (this.#name === this.#field) {
      this.#handler.begin();
      this.#value = value;
    } else this.#handler.otherValue?.(this.#name, value);
    this.#endField(mark);
  }

  #endField(mark: number): void {
    if (mark !== comma && mark !== closeBrace) throw malformed();
    this.#fields += 1;
    const { each } = this.#bounds ?? {};
    if (each !== undefined && this.#fields > each.fields) throw tooManyFields(each);
    this.#part = mark === comma ? "name" : "end";
  }

  #endElement(mark: number): void {
    if (mark !== comma && mark !== closeBracket) throw malformed();
    const isEmptyList = mark === closeBracket && this.#elements === 0 && isBlank(this.#partSoFar());
    if (isEmptyList) this.#take();
    else this.#handler.element(this.#parse());
    this.#elements += 1;
    if (mark === closeBracket) this.#part = "after list";
  }

  #partSoFar(): string {
    return this.#text.slice(this.#begin, this.#at);
  }

  /** Returns the value of the current part. */
  #parse(): unknown {
    const text = this.#take();
    if (this.#bounds !== undefined) {
      const { each, all } = this.#bounds;
      this.#counts = sumOfCounts(this.#counts, requireFewValues(text, each), all);
    }
    return parseJson(text);
  }

  /** Returns the text of the current part. The next one begins after the delimiter. */
  #take(): string {
    const text = this.#partSoFar();
    this.#assertLength(text);
    this.#begin = this.#at + 1;
    return text;
  }

  /** @throws JsonError if there is more than white space before the delimiter */
  #takeBlank(): void {
    if (!isBlank(this.#take())) throw malformed();
  }

  #assertLength(text: string): void {
    if (text.length <= this.#maxLength) return;
    const parts = { value: this.#name, element: `${this.#field}.${this.#elements}` };
    const name = this.#part === "value" || this.#part === "element" ? parts[this.#part] : "body";
    throw new JsonError(`${name.slice(0, 50)} can have at most ${this.#maxLength} characters of JSON.`);
  }
}

const isBlank = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

const notAnObject = () => new JsonError("The body must be a JSON object.");

import type { Work } from "./work.ts";

const space = /[ \t\r\n\f]*/y;
const separator = /[ \t\r\n\f]*,?[ \t\r\n\f]*/y;
const number = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const flag = /[01]/y;

/** Reads a text from its start to its end, without going back. */
export class Scanner {
  #at = 0;
  readonly #text: string;
  readonly #work: Work;

  constructor(text: string, work: Work) {
    this.#text = text;
    this.#work = work;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** Takes what a sticky expression matches here. It must match in linear time, and fail in constant time. */
  take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const [found] = expression.exec(this.#text) ?? [];
    this.#work.add(1 + (found?.length ?? 0));
    this.#at += found?.length ?? 0;
    return found;
  }

  skipSpace(): void {
    this.take(space);
  }

  /** Takes a number, and what separates it from the next. Undefined if there is none. */
  number(): number | undefined {
    return this.#separated(number);
  }

  /** Takes a flag of an arc, which may touch the next number. */
  flag(): number | undefined {
    return this.#separated(flag);
  }

  /** Takes all numbers that follow. */
  numbers(): number[] {
    const all: number[] = [];
    for (let next = this.number(); next !== undefined; next = this.number()) all.push(next);
    return all;
  }

  #separated(expression: RegExp): number | undefined {
    const found = this.take(expression);
    if (found === undefined) return undefined;
    this.take(separator);
    return Number(found);
  }
}

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A message from the reporter of a project's tests: the start of a file, its end, or that of all; and the project's
 * totals so far.
 */
export interface RunMessage {
  readonly begun?: string;
  readonly file?: { readonly name: string; readonly milliseconds: number };
  /** Remarks of tests beside their results, such as which programs the machine lacks. */
  readonly notes: readonly string[];
  readonly passed: number;
  readonly failed: number;
}

/** Milliseconds between two lines of progress where there is no terminal. */
const pause = 5_000;

/** Prints how far a run is: in one line of a terminal, or elsewhere in a line at most every five seconds. */
export class Progress {
  readonly #files: number;
  readonly #started = performance.now();
  readonly #totals = new Map<string, RunMessage>();
  readonly #notes = new Set<string>();
  readonly #isTerminal = process.stdout.isTTY;
  readonly #running = new Set<string>();
  readonly #finished: { readonly name: string; readonly milliseconds: number }[] = [];
  #printed = this.#started;
  #received = this.#started;

  constructor(files: number) {
    this.#files = files;
  }

  /** Seconds since the start. */
  get seconds(): number {
    return (performance.now() - this.#started) / 1000;
  }

  /** Seconds since a file began or ended. */
  get silentSeconds(): number {
    return (performance.now() - this.#received) / 1000;
  }

  /** The files that have begun and not ended. */
  get running(): readonly string[] {
    return [...this.#running];
  }

  /** The files that took longest, such as `test/api/bulk.test.ts 12 s`. */
  get slowest(): readonly string[] {
    const files = this.#finished.toSorted((one, other) => other.milliseconds - one.milliseconds);
    return files.slice(0, 5).map(({ name, milliseconds }) => `${name} ${duration(milliseconds / 1000)}`);
  }

  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** The tests of all projects so far. */
  get totals(): { passed: number; failed: number } {
    const all = [...this.#totals.values()];
    const sum = (key: "passed" | "failed") => all.reduce((total, each) => total + each[key], 0);
    return { passed: sum("passed"), failed: sum("failed") };
  }

  receive(project: string, message: RunMessage): void {
    this.#totals.set(project, message);
    for (const note of message.notes) this.#notes.add(note);
    const now = performance.now();
    this.#received = now;
    if (message.begun !== undefined) this.#running.add(message.begun);
    if (message.file === undefined) return;
    this.#running.delete(message.file.name);
    this.#finished.push(message.file);
    if (!this.#isTerminal && now - this.#printed < pause) return;
    this.#printed = now;
    const { passed, failed } = this.totals;
    const line = `${this.#finished.length} of ${this.#files} files, ${passed} passed, ${failed} failed (${duration(this.seconds)})`;
    process.stdout.write(this.#isTerminal ? `\r\u001B[K${line}` : `${line}\n`);
  }

  /** Prints a text above the line of a terminal. */
  print(text: string): void {
    process.stdout.write(this.#isTerminal ? `\r\u001B[K${text}` : text);
  }

  /** Removes the line of a terminal. */
  end(): void {
    this.print("");
  }
}

/** Formats a duration, in seconds. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

const timesFile = ".wrangler/test-times.json";

/** Returns how long the last whole run of a kind took, in seconds; undefined before the first one. */
export function lastSeconds(kind: string): number | undefined {
  return readTimes()[kind];
}

/** Keeps how long a whole run took. */
export function keepSeconds(kind: string, seconds: number): void {
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...readTimes(), [kind]: Math.round(seconds) }));
}

function readTimes(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(timesFile, "utf8")) as Record<string, number>;
  } catch {
    // There was no run, or one that was killed while it wrote.
    return {};
  }
}

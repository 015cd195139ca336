import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { sweepPath } from "../dev/paths.ts";

/** The lines that `npm run dev` prints as it begins its steps. */
export const steps = {
  database: "Preparing the database…",
  example: "Adding the example company, which can take a minute…",
  large: "Adding the large workspace, which takes some minutes…",
  provider: "Starting the sign-in provider…",
  bundle: "Bundling the Workers…",
  workers: "Starting the Workers…",
} as const;

/** Says that the service responds. */
export const readyAfter = (milliseconds: number): string =>
  `Ready after ${Math.ceil(milliseconds / 1000)} s.`;

/**
 * Explains an error of wrangler's proxy, which fails a request if it can't send all of its body. Neither ignoring the
 * body nor cancelling it prevents this.
 */
export const lostResponse =
  "The client got a 500 from wrangler's proxy. If the service has refused a body before reading all of it, a deployed " +
  "service answers with the refusal: send less to see it.";

/** Explains an error of a database that the code is ahead of. */
export const lackingDatabase =
  "The local database lacks what the code reads. Write the migration, if there is none yet " +
  "(npm run migrations -- --name NAME), and restart this: Ctrl-C, then npm run dev with the same options.";

/** Says that migrations were added, which are applied by a start alone. */
export const addedMigrations = (names: readonly string[]): string =>
  `The local database lacks ${names.join(", ")}. Restart this: Ctrl-C, then npm run dev with the same options.`;

/**
 * Prints wrangler's output, except lines that a reader can't act on: during start-up, prints only errors and the step from
 * bundling to starting; later, everything except the requests of `npm run dev` itself.
 */
export class StartOutput {
  readonly #print: (line: string) => void;
  /** The lines of the start-up so far; undefined once all lines are printed. */
  #held: string[] | undefined = [];

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Reads a stream of wrangler to its end. */
  async read(stream: Readable): Promise<void> {
    for await (const line of createInterface({ input: stream })) this.#take(line);
  }

  /** The service responds: the output so far is dropped. */
  ready(): void {
    this.#held = undefined;
  }

  /** Wrangler failed, so all of its output is printed. */
  failed(): void {
    for (const line of this.#held ?? []) this.#print(line);
    this.#held = undefined;
  }

  #take(line: string): void {
    if (this.#held === undefined) {
      if (!line.includes(`GET ${sweepPath}`)) this.#print(line);
      if (line.includes("Network connection lost")) this.#print(lostResponse);
      if (/no such (?:column|table)|has no column named/.test(line)) this.#print(lackingDatabase);
      return;
    }
    this.#held.push(line);
    if (line.includes("Starting local server")) this.#print(steps.workers);
    // Code that doesn't build can be fixed while wrangler waits.
    if (/ERROR\b|\[wrangler:error\]/.test(line)) this.failed();
  }
}

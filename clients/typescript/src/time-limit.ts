import { TimeoutError } from "./errors.ts";

/** Ends an attempt when its time is over, or its caller says so. `end()` must be called. */
export class TimeLimit {
  readonly #controller = new AbortController();
  readonly #milliseconds: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #follow = () => this.#controller.abort(this.#caller?.reason);

  constructor(milliseconds: number, caller: AbortSignal | undefined) {
    this.#milliseconds = milliseconds;
    this.#caller = caller;
    if (caller?.aborted) this.#follow();
    else caller?.addEventListener("abort", this.#follow, { once: true });
    this.extend();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins the time anew. */
  extend(): void {
    clearTimeout(this.#timer);
    const error = () => new TimeoutError(`No answer within ${this.#milliseconds} ms.`);
    this.#timer = setTimeout(() => this.#controller.abort(error()), this.#milliseconds);
  }

  /** Stops the time until it begins anew. */
  rest(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.rest();
    this.#caller?.removeEventListener("abort", this.#follow);
  }
}

import {
  ConnectionError,
  type Delivery,
  type DeliveryWithAttempts,
  ForbiddenError,
  NotFoundError,
  type QrCodes,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from "../../index.ts";
import { growing, pause } from "../../retry.ts";

/** How long to wait between two lists, in milliseconds, so that most requests of a Pro plan are left for others. */
const usualPause = 2_000;

/** A page of the list, and how many pages are read at once: what is older than those is left out. */
const pageSize = 100;
const mostPages = 5;

/** Deliveries are numbered by clocks of several machines: so late can one still be listed before others. Milliseconds. */
const lateness = 60_000;

/** How the deliveries of a webhook are followed. */
interface FollowOptions {
  /** Also those since this day or time. */
  readonly from?: string | undefined;
  readonly signal: AbortSignal;
  /** How long to wait between two lists, in milliseconds. */
  readonly pauseBetween?: number | undefined;
  /** Told how many are read, where those before them are left out, because there were too many. */
  readonly onLeftOut: (read: number) => void;
  /** Told why nothing can be read now, and for how long, in milliseconds. */
  readonly onTrouble: (error: Error, milliseconds: number) => void;
  /** Told once the first list has been read: what is created from then on is followed. */
  readonly onReady: () => void;
}

/** A delivery with its body; or the reason why it can't be read. */
export type Followed =
  | DeliveryWithAttempts
  | (Delivery & { readonly payload?: undefined; readonly problem: string });

/** Yields the new deliveries of a webhook, each once, the oldest first, by reading the list again and again. */
export async function* followDeliveries(
  client: QrCodes,
  webhookId: string,
  options: FollowOptions,
): AsyncGenerator<Followed, never, undefined> {
  const { signal, onReady, pauseBetween = usualPause } = options;
  const list = new DeliveryList(client, webhookId, options);
  await retried(() => list.begin(), options);
  onReady();
  for (;;) {
    for (const delivery of await retried(() => list.readNew(), options)) {
      yield await retried(() => withBody(client, webhookId, delivery, signal), options);
    }
    await pause(pauseBetween, signal);
  }
}

/** The list of a webhook's deliveries, as far as it has been read. */
class DeliveryList {
  readonly #client: QrCodes;
  readonly #webhookId: string;
  readonly #options: FollowOptions;
  /** The ids of those that could be listed again, with their times. */
  readonly #seen = new Map<string, number>();
  #from: string | undefined;

  constructor(client: QrCodes, webhookId: string, options: FollowOptions) {
    this.#client = client;
    this.#webhookId = webhookId;
    this.#options = options;
  }

  /** Reads what is there already. The service's clock counts, not that of this machine. */
  async begin(): Promise<void> {
    this.#from = this.#options.from;
    if (this.#from !== undefined) return;
    const newest = await this.#page({ limit: 1 });
    const [last] = newest.items;
    if (last === undefined) return;
    this.#from = new Date(Date.parse(last.createdAt) - lateness).toISOString();
    await this.#read();
  }

  /** Returns those that weren't there before, the oldest first. */
  async readNew(): Promise<Delivery[]> {
    const { found, isCut } = await this.#read();
    if (isCut) this.#options.onLeftOut(found.length);
    return found.reverse();
  }

  async #read(): Promise<{ found: Delivery[]; isCut: boolean }> {
    const found: Delivery[] = [];
    let cursor: string | undefined;
    let isCut = false;
    for (let pages = 1; ; pages += 1) {
      const page = await this.#page({ limit: pageSize, from: this.#from, cursor });
      const unseen = page.items.filter(({ id }) => !this.#seen.has(id));
      found.push(...unseen);
      cursor = page.nextCursor ?? undefined;
      // Nothing new comes after a whole page of known ones.
      if (cursor === undefined || unseen.length === 0) break;
      isCut = pages === mostPages;
      if (isCut) break;
    }
    for (const { id, createdAt } of found) this.#seen.set(id, Date.parse(createdAt));
    this.#forget(isCut ? found.at(-1)?.createdAt : undefined);
    return { found, isCut };
  }

  /** Moves the beginning of what is read again, and forgets what was before it. */
  #forget(earliest: string | undefined): void {
    const newest = Math.max(...this.#seen.values());
    if (!Number.isFinite(newest)) return;
    const begin = Math.max(newest - lateness, earliest === undefined ? 0 : Date.parse(earliest));
    const before = this.#from === undefined ? 0 : Date.parse(this.#from);
    if (begin <= before) return;
    this.#from = new Date(begin).toISOString();
    for (const [id, at] of this.#seen) if (at < begin) this.#seen.delete(id);
  }

  #page(filter: { limit: number; from?: string | undefined; cursor?: string | undefined }) {
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    return this.#client.webhooks.deliveries(this.#webhookId, Object.fromEntries(given), {
      signal: this.#options.signal,
      retries: 0,
    });
  }
}

async function withBody(
  client: QrCodes,
  webhookId: string,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<Followed> {
  try {
    return await client.webhooks.delivery(webhookId, delivery.id, { signal, retries: 0 });
  } catch (error) {
    // A batch may have events that the key can't read, and one that is old may be gone.
    if (!(error instanceof ForbiddenError || error instanceof NotFoundError)) throw error;
    return { ...delivery, problem: error.message };
  }
}

/** Repeats reading until it succeeds or fails for good. @throws what waiting doesn't help against */
async function retried<Result>(read: () => Promise<Result>, options: FollowOptions): Promise<Result> {
  const { signal, onTrouble } = options;
  for (let before = 0; ; before += 1) {
    try {
      return await read();
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      const seconds = "retryAfter" in error ? error.retryAfter : undefined;
      const milliseconds = seconds === undefined ? growing(before, 1_000, 30_000) : seconds * 1_000;
      onTrouble(error, milliseconds);
      await pause(milliseconds, signal);
    }
  }
}

const isTemporary = (
  error: unknown,
): error is RateLimitError | ServiceError | ConnectionError | TimeoutError =>
  [RateLimitError, ServiceError, ConnectionError, TimeoutError].some((kind) => error instanceof kind);

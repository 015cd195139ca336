/** The `limit` of a request that reads everything: the API takes its own maximum instead of a higher number. */
const wholePages = 500;

/**
 * A list that is read when it is used. `await` it for the first page, with its `nextCursor`; `for await` goes through
 * the items of all pages.
 */
export class List<Item, Page extends object> implements AsyncIterable<Item>, PromiseLike<Page> {
  readonly #read: (cursor: string | undefined, limit: number | undefined) => Promise<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];

  /** @internal */
  constructor(
    read: (cursor: string | undefined, limit: number | undefined) => Promise<Page>,
    itemsOf: (page: Page) => readonly Item[],
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list reads its first page.
  then<Result = Page, Failure = never>(
    onPage?: ((page: Page) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#read(undefined, undefined).then(onPage, onError);
  }

  /** Reads page after page. A page can have fewer items than `limit`, or none, before the last one. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor, wholePages);
      yield page;
      cursor = (page as { nextCursor?: string | null }).nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** Reads all items into memory. */
  async all(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }
}

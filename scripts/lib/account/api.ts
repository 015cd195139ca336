import { advise } from "../installation/advice.ts";

/** An error that Cloudflare's API answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly codes: readonly number[];
  readonly path: string;

  constructor(path: string, status: number, errors: readonly { code: number; message: string }[]) {
    super(errors.map(({ code, message }) => `${message} [code: ${code}]`).join("; ") || `status ${status}`);
    this.path = path;
    this.status = status;
    this.codes = errors.map(({ code }) => code);
  }

  get isRefusal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

interface Envelope {
  readonly success?: boolean;
  readonly errors?: readonly { code: number; message: string }[];
  readonly result?: unknown;
  readonly result_info?: { readonly per_page?: number };
}

interface Analytics<Account> {
  readonly data: { readonly viewer?: { readonly accounts?: readonly Account[] } } | null;
  readonly errors:
    | readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[]
    | null;
}

/** How long a request may take, so that a lost connection doesn't leave setup hanging. */
const requestMilliseconds = 30_000;

/** The page sizes that lists are read in. Zones have the smallest maximum. */
const pageSize = 50;

/** A client of Cloudflare's API. */
export class Api {
  readonly #base: string;
  readonly #token: string;
  readonly #signal: AbortSignal;

  constructor(base: string, token: string, signal: AbortSignal) {
    this.#base = base;
    this.#token = token;
    this.#signal = signal;
  }

  /** A client that keeps working when setup is interrupted, to clean up. */
  get uninterrupted(): Api {
    return new Api(this.#base, this.#token, new AbortController().signal);
  }

  get<Result>(path: string): Promise<Result> {
    return this.#send<Result>("GET", path).then(({ result }) => result);
  }

  post<Result>(path: string, body: object): Promise<Result> {
    return this.#send<Result>("POST", path, body).then(({ result }) => result);
  }

  put<Result>(path: string, body: object): Promise<Result> {
    return this.#send<Result>("PUT", path, body).then(({ result }) => result);
  }

  patch<Result>(path: string, body: object): Promise<Result> {
    return this.#send<Result>("PATCH", path, body).then(({ result }) => result);
  }

  /** Deletes something. Some parts of the API answer that with an empty body. */
  async delete(path: string): Promise<void> {
    const { response, body } = await this.#fetch<Envelope>("DELETE", path);
    if (!response.ok || body.success === false) throw new ApiError(path, response.status, body.errors ?? []);
  }

  /** Reads all pages of a list, up to a short one: not every list says how many pages it has, and some aren't paged. */
  async list<Item>(path: string): Promise<Item[]> {
    const items: Item[] = [];
    let first: string | undefined;
    for (let page = 1; ; page++) {
      const separator = path.includes("?") ? "&" : "?";
      const { result, size } = await this.#send<Item[]>(
        "GET",
        `${path}${separator}page=${page}&per_page=${pageSize}`,
      );
      const begin = JSON.stringify(result[0]);
      // A list without pages is answered whole each time.
      if (begin === first) return items;
      first = begin;
      items.push(...result);
      if (result.length !== size) return items;
    }
  }

  /** Awaits a read that the token may have no right to. @returns undefined if it hasn't */
  async ifAllowed<Result>(reading: Promise<Result>): Promise<Result | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (error instanceof ApiError && error.isRefusal) return undefined;
      throw error;
    }
  }

  /**
   * Queries the analytics of an account.
   * @param fields of the account, in GraphQL
   * @throws ApiError
   */
  async analytics<Account>(accountId: string, fields: string): Promise<Account> {
    const path = "/graphql";
    const query = `query ($account: string) { viewer { accounts(filter: { accountTag: $account }) { ${fields} } } }`;
    const { response, body } = await this.#fetch<Analytics<Account>>("POST", path, {
      query,
      variables: { account: accountId },
    });
    const [error] = body.errors ?? [];
    const isRefused = error?.extensions?.code === "authz";
    const account = body.data?.viewer?.accounts?.[0];
    if (response.ok && error === undefined && account !== undefined) return account;
    throw new ApiError(
      path,
      isRefused ? 403 : response.status,
      error ? [{ code: 0, message: error.message }] : [],
    );
  }

  async #send<Result>(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ result: Result; size: number }> {
    const { response, body: envelope } = await this.#fetch<Envelope>(method, path, body);
    if (!response.ok || envelope.success !== true) {
      throw new ApiError(path, response.status, envelope.errors ?? []);
    }
    return { result: envelope.result as Result, size: envelope.result_info?.per_page ?? pageSize };
  }

  async #fetch<Body>(method: string, path: string, body?: object) {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(requestMilliseconds)]),
    });
    return { response, body: ((await response.json().catch(() => null)) ?? {}) as Partial<Body> };
  }
}

/** Where Cloudflare's API is, by wrangler's own setting. */
export const apiBase = (env: NodeJS.Dict<string>): string =>
  env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";

/** Returns the words for an error of the API, with how to fix it. */
export function explain(error: ApiError, accountId: string): string {
  const advice = advise({
    codes: error.codes,
    message: error.message,
    refusedPath: error.isRefusal ? error.path : undefined,
    accountId,
  });
  const said = `Cloudflare answered ${error.path.split("?")[0]}: ${error.message}`;
  return advice === undefined ? said : `${advice}\n\n${said}`;
}

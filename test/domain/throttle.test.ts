import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import { Page } from "../../src/contract/resources/pages.ts";
import { newHash } from "../../src/lib/text/hash.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { FakeClock, Service } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const guesser = { "cf-connecting-ip": "192.0.2.66" };
let guesses = 0;
const nextGuess = (): number => {
  guesses += 1;
  return guesses;
};

const unknownKey = () => `sk_live_${String(nextGuess()).padStart(32, "0")}`;

/** Something that can be guessed: the path and the headers of a request for it. */
interface Guess {
  readonly path: string;
  readonly headers?: Record<string, string>;
}

interface Surface {
  readonly title: string;
  /** The status of a miss before the limit. */
  readonly missing: number;
  /** The status of what exists. */
  readonly found: number;
  /** Recognises the statement of the look-up; the operator's secret has none. */
  readonly statement: RegExp | undefined;
  guess(): Guess;
  existing: Guess;
}

const authorization = (credential: string) => ({ authorization: `Bearer ${credential}` });
const none: Guess = { path: "" };
const surfaces: Surface[] = [
  {
    title: "a code",
    missing: 404,
    found: 302,
    statement: /FROM qr_codes c WHERE c.hash/,
    guess: () => ({ path: `/${newHash()}` }),
    existing: none,
  },
  {
    title: "a code's image",
    missing: 404,
    found: 200,
    statement: /from "qr_codes".*"hash" = \?/s,
    guess: () => ({ path: `/${newHash()}.svg` }),
    existing: none,
  },
  {
    title: "a hosted page",
    missing: 404,
    found: 200,
    statement: /FROM pages WHERE id/,
    guess: () => ({ path: `/pages/${newId(Date.now())}` }),
    existing: none,
  },
  {
    title: "an API key",
    missing: 401,
    found: 200,
    statement: /api_keys/,
    guess: () => ({ path: "/api/v1/folders", headers: authorization(unknownKey()) }),
    existing: none,
  },
  {
    title: "the operator's secret",
    missing: 401,
    found: 404,
    statement: undefined,
    guess: () => ({ path: "/api/v1/operator/none", headers: authorization(`guess-${nextGuess()}`) }),
    existing: none,
  },
];

beforeAll(async () => {
  const service = new Service();
  const client = await service.workspace();
  const { hash } = await client.createQr();
  const session = await service.sessionIn(client.workspaceId);
  const page = await session.expect(201, Page, "POST", "/developer/pages", { title: "Page" });
  const existing: Guess[] = [
    { path: `/${hash}` },
    { path: `/${hash}.svg` },
    { path: `/pages/${page.id}` },
    { path: "/api/v1/folders", headers: authorization(client.key) },
    { path: "/api/v1/operator/none", headers: authorization(service.operatorSecret) },
  ];
  for (const [i, surface] of surfaces.entries()) surface.existing = existing[i] ?? none;
});

/** Runs a look-up of the catalogue. */
type LookUp = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * An isolate of which every network is past the limit after its first miss, and whose KV has no record.
 * @param lookUp runs the surface's look-ups
 */
function isolate({ statement }: Surface, lookUp: LookUp, overrides: DepsOverrides = {}): Service {
  const limit = { limit: async () => ({ success: false }) };
  return new Service({
    unknownHashLimit: limit,
    unknownKeyLimit: limit,
    routeCache: { get: async () => null, put: async () => {} } as unknown as KVNamespace,
    db: wrapDatabase(env.DB, (work, sql = "") => (statement?.test(sql) ? lookUp(work) : work())),
    ...overrides,
  });
}

const send = (service: Service, { path, headers }: Guess, network = guesser): Promise<Response> =>
  service.fetch(path, { headers: { ...headers, ...network } });

/** Takes a network past the limit. */
async function misses(service: Service, surface: Surface, network = guesser): Promise<void> {
  expect((await send(service, surface.guess(), network)).status).toBe(surface.missing);
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe.each(surfaces)("a network that guessed too often, and $title", (surface) => {
  it("gets what exists, 429 for what does not, and one look-up at a time", async () => {
    let underWay = 0;
    let most = 0;
    const service = isolate(surface, async (work) => {
      underWay += 1;
      most = Math.max(most, underWay);
      return work().finally(() => {
        underWay -= 1;
      });
    });
    await misses(service, surface);
    const requests = many(5, () => [surface.guess(), surface.existing]).flat();
    const responses = await Promise.all(requests.map((request) => send(service, request)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses).toEqual(many(5, () => [429, surface.found]).flat());
    expect(
      responses.filter(({ status }) => status === 429).every(({ headers }) => headers.has("retry-after")),
    ).toBe(true);
    expect(most).toBe(surface.statement === undefined ? 0 : 1);
    expect((await send(service, surface.guess(), { "cf-connecting-ip": "192.0.2.67" })).status).toBe(
      surface.missing,
    );
  });
});

/** Look-ups that hang until the test ends them. */
class Hanging {
  readonly #end = Promise.withResolvers<void>();
  readonly #requests: Promise<Response>[] = [];
  count = 0;

  readonly lookUp: LookUp = async () => {
    this.count += 1;
    await this.#end.promise;
    throw new Error("the request was cancelled");
  };

  /** Sends a request whose look-up hangs. */
  async send(service: Service, guess: Guess): Promise<void> {
    const expected = this.count + 1;
    this.#requests.push(send(service, guess));
    await expect.poll(() => this.count, { interval: 1 }).toBe(expected);
  }

  async end(): Promise<void> {
    this.#end.resolve();
    await Promise.all(this.#requests);
  }
}

describe.each(surfaces.filter(({ statement }) => statement !== undefined))(
  "a look-up of $title",
  (surface) => {
    /** A service whose look-ups hang until `release`, of a throttled network with one of them in progress. */
    const hangingService = async () => {
      const clock = new FakeClock();
      const hanging = new Hanging();
      let hangs = false;
      const pause = async (milliseconds: number) => clock.advance(milliseconds);
      const service = isolate(surface, (work) => (hangs ? hanging.lookUp(work) : work()), {
        now: clock.now,
        pause,
      });
      await misses(service, surface);
      hangs = true;
      await hanging.send(service, surface.guess());
      const release = () => {
        hangs = false;
      };
      return { service, hanging, release };
    };

    it("takes the place of one whose request was cancelled", async () => {
      const { service, hanging, release } = await hangingService();
      release();
      expect((await send(service, surface.existing)).status).toBe(surface.found);
      expect((await send(service, surface.guess())).status).toBe(429);
      await hanging.end();
    });

    it("that has waited too long is answered 503, with the time to try again", async () => {
      const { service, hanging } = await hangingService();
      // Each of these takes the place of the one before, and hangs as well.
      const responses: Response[] = [];
      const waiting = many(5, async () => responses.push(await send(service, surface.existing)));
      await expect.poll(() => responses.length + hanging.count, { interval: 1 }).toBe(6);
      expect(responses.length).toBeGreaterThan(0);
      expect(hanging.count).toBeGreaterThan(1);
      for (const response of responses) {
        expect(response.status).toBe(503);
        expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      }
      await hanging.end();
      await Promise.all(waiting);
    });

    it("is answered 503 at once if too many wait already", async () => {
      const released = Promise.withResolvers<void>();
      let hangs = false;
      // The clock stands still, so that those that wait do so until they are released.
      const clock = new FakeClock();
      const service = isolate(
        surface,
        async (work) => {
          if (hangs) await released.promise;
          return work();
        },
        { now: clock.now },
      );
      await misses(service, surface);
      hangs = true;
      const statuses: number[] = [];
      const bound = 33;
      const requests = many(bound + 5, async () => {
        const { status } = await send(service, surface.existing);
        statuses.push(status);
      });
      await expect.poll(() => statuses.length).toBe(5);
      expect(statuses).toEqual(statuses.map(() => 503));
      hangs = false;
      released.resolve();
      await Promise.all(requests);
      expect(statuses.slice(5)).toEqual(many(bound, () => surface.found));
    });
  },
);

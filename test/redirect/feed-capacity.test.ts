import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { routing } from "../../src/edge/routing/timing.ts";
import { runtimeTimers } from "../../src/lib/with-timeout.ts";
import type { Region } from "../../src/protocol/regions.ts";
import type { Remote } from "../../src/protocol/remote.ts";
import type { FeedPage, RouteFeedMethods } from "../../src/protocol/route-feed.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { lateFeed } from "../support/world/late-feeds.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
let qr: Qr;

const oldUrl = "https://example.com/old";
const newUrl = "https://example.com/new";

/** Moves the clock, which is also that of the feeds. */
function tick(milliseconds: number): void {
  clock.advance(milliseconds);
  vi.setSystemTime(clock.now());
}

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  client = await service.workspace();
  qr = await client.createQr({ data: { type: "url", url: oldUrl } });
});

afterAll(() => {
  vi.useRealTimers();
});

type Read = (seq: number, region: Region) => Promise<FeedPage>;
const readFeed: Read = (seq, region) => lateFeed(region).changes(seq);

/** A colo's isolates, which share feed pages. @param read reads a feed */
class Colo {
  reads = 0;
  underWay = 0;
  mostUnderWay = 0;
  readonly #read: () => Read;
  readonly #pages = new Map<string, string>();

  constructor(read: () => Read = () => readFeed) {
    this.#read = read;
  }

  isolate(overrides: DepsOverrides = {}): Service {
    const changes = async (seq: number, region: Region) => {
      this.reads += 1;
      this.underWay += 1;
      this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
      return this.#read()(seq, region).finally(() => {
        this.underWay -= 1;
      });
    };
    return new Service({
      now: clock.now,
      feed: (region) =>
        ({ changes: (seq: number) => changes(seq, region) }) as unknown as Remote<RouteFeedMethods>,
      sharedPages: {
        origin: "https://route-feeds.example",
        open: async () => ({
          match: async (key) => {
            const text = this.#pages.get(String(key));
            return text === undefined ? undefined : new Response(text);
          },
          put: async (key, response) => void this.#pages.set(String(key), await response.text()),
        }),
      },
      ...overrides,
    });
  }
}

const destination = async (edge: Service) =>
  (await edge.fetch(`/${qr.hash}`, { method: "HEAD" })).headers.get("location");
const redirectTo = (url: string) => client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url } });

const overloaded: Read = async () => {
  throw new Error("Durable Object is overloaded. Too many requests queued.");
};
const silent: Read = () => new Promise(() => {});

/** The lines with this message that are logged while `work` runs. */
async function logged(message: string, work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const spy = vi
    .spyOn(console, "warn")
    .mockImplementation((line: string) => void lines.push(JSON.parse(line)));
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return lines.filter((line) => line.message === message);
}

/** The time limit of reading a feed has no length while the feed is not well. */
const briefly = (isWell = () => false): Pick<DepsOverrides, "startTimer"> => ({
  startTimer: (milliseconds, onEnd) => {
    const isOfFeed = milliseconds === routing.feedTimeoutMilliseconds;
    return runtimeTimers.startTimer(isOfFeed && !isWell() ? 0 : milliseconds, onEnd);
  },
});

describe.each([
  { state: "refuses reads", read: overloaded },
  { state: "does not answer", read: silent },
])("while a feed $state", ({ read }) => {
  it("every scan is answered, and an isolate reads it ever more rarely", async () => {
    const colo = new Colo(() => read);
    const edge = colo.isolate(briefly());
    const readsBySecond: number[] = [];
    for (let second = 0; second < 30; second += 1) {
      const before = colo.reads;
      const scans = second === 0 ? 4 : 2;
      for (let scan = 0; scan < scans; scan += 1) {
        expect(await destination(edge)).toBe(oldUrl);
        tick(1000 / scans);
      }
      readsBySecond.push(colo.reads - before);
    }
    expect(readsBySecond[0]).toBeLessThanOrEqual(3);
    // At most one in 8 s.
    expect(readsBySecond.slice(-16).reduce((sum, reads) => sum + reads)).toBeLessThanOrEqual(2);
  });

  it("one of many scans at once reads it, and no other waits for a read of its own", async () => {
    const colo = new Colo(() => read);
    const edge = colo.isolate();
    const scans = await Promise.all(Array.from({ length: 20 }, () => destination(edge)));
    expect(scans).toEqual(scans.map(() => oldUrl));
    expect([colo.reads, colo.mostUnderWay]).toEqual([1, 1]);
  });

  it("logs once in an interval that scans are answered without it", async () => {
    const edge = new Colo(() => read).isolate(briefly());
    const scanFor = async (seconds: number) => {
      for (let i = 0; i < seconds * 2; i += 1) {
        await destination(edge);
        tick(500);
      }
    };
    const lines = await logged("scan answered without a fresh feed", () => scanFor(21));
    expect(lines.map(({ omitted }) => omitted)).toEqual([0, 19, 19]);
  });

  it("recovers by itself: after 8 s, the guarantee holds again", async () => {
    let isWell = false;
    const colo = new Colo(() => (isWell ? readFeed : read));
    const edge = colo.isolate(briefly(() => isWell));
    for (let i = 0; i < 20; i += 1) {
      await destination(edge);
      tick(1000);
    }
    isWell = true;
    const failed = colo.reads;
    tick(8001);
    expect(await destination(edge)).toBe(oldUrl);
    expect(colo.reads).toBe(failed + 1);
    expect((await redirectTo(newUrl)).status).toBe(200);
    tick(1001);
    expect(await destination(edge)).toBe(newUrl);
    const before = colo.reads;
    for (let i = 0; i < 10; i += 1) await destination(edge);
    expect(colo.reads).toBe(before);
    await redirectTo(oldUrl);
  });
});

it("many scans at once of an idle isolate read the feed once", async () => {
  const colo = new Colo();
  const edge = colo.isolate();
  await destination(edge);
  tick(5000);
  const before = colo.reads;
  await Promise.all(Array.from({ length: 20 }, () => destination(edge)));
  expect(colo.reads).toBe(before + 1);
});

it("a read whose request was cancelled does not keep others from reading", async () => {
  let isCancelled = true;
  const colo = new Colo(() => (isCancelled ? silent : readFeed));
  const edge = colo.isolate({ pause: async (milliseconds) => tick(milliseconds) });
  const cancelled = destination(edge);
  await expect.poll(() => colo.reads, { interval: 1 }).toBe(1);
  isCancelled = false;
  expect(await destination(edge)).toBe(oldUrl);
  expect(colo.reads).toBe(2);
  await cancelled;
});

describe("isolates of one colo", () => {
  /** Scans at every isolate, four times a second. */
  async function scanFor(seconds: number, isolates: readonly Service[]): Promise<void> {
    for (let i = 0; i < seconds * 4; i += 1) {
      for (const edge of isolates) expect(await destination(edge)).toBe(oldUrl);
      tick(250);
    }
  }
  const instantly = { pause: async () => {} };

  it("share the pages of a feed, so that reads do not grow with their number", async () => {
    const readsOf = async (count: number) => {
      const colo = new Colo();
      const isolates = Array.from({ length: count }, () => colo.isolate(instantly));
      await scanFor(1, isolates);
      const before = colo.reads;
      await scanFor(5, isolates);
      return colo.reads - before;
    };
    const alone = await readsOf(1);
    expect(alone).toBeGreaterThan(5);
    expect(await readsOf(3)).toBeLessThanOrEqual(alone + 3);
  });

  it("follow a change that another one read, within a second", async () => {
    const colo = new Colo();
    const [reader, other] = [colo.isolate(instantly), colo.isolate(instantly)];
    for (const edge of [reader, other]) expect(await destination(edge)).toBe(oldUrl);
    tick(501);
    await redirectTo(newUrl);
    await destination(reader);
    const before = colo.reads;
    await destination(other);
    expect(colo.reads).toBe(before);
    tick(990);
    expect(await destination(other)).toBe(newUrl);
    await redirectTo(oldUrl);
  });

  it("keep their views by shared pages while the feed refuses them", async () => {
    let refused = "";
    const colo = new Colo();
    const lucky = colo.isolate(instantly);
    const { sharedPages } = lucky.deps;
    const unlucky = colo.isolate({
      ...instantly,
      sharedPages,
      feed: (region) => {
        const { changes } = lucky.deps.feed(region);
        return {
          changes: (seq: number) => (refused === region ? overloaded(seq, region) : changes(seq)),
        } as unknown as Remote<RouteFeedMethods>;
      },
    });
    for (const edge of [lucky, unlucky]) await destination(edge);
    refused = "weur";
    const lines = await logged("scan answered without a fresh feed", () => scanFor(10, [lucky, unlucky]));
    expect(lines).toEqual([]);
  });
});

it("an isolate reads one feed, wherever its clients are", async () => {
  const regions = new Set<string>();
  const edge = new Colo(() => (seq, region) => {
    regions.add(region);
    return readFeed(seq, region);
  }).isolate();
  for (const continent of ["EU", "AS", "SA"]) {
    const cf = { continent } as unknown as IncomingRequestCfProperties;
    await edge.fetch(`/${qr.hash}`, { cf });
    tick(1001);
  }
  expect([...regions]).toEqual(["weur"]);
});

it("feed pages are shared through the Cache API", async () => {
  let reads = 0;
  const isolate = () =>
    new Service({
      now: clock.now,
      pause: async () => {},
      feed: () =>
        ({
          changes: async (seq: number) => {
            reads += 1;
            return readFeed(seq, "weur");
          },
        }) as unknown as Remote<RouteFeedMethods>,
    });
  const [reader, other] = [isolate(), isolate()];
  for (const edge of [reader, other]) await destination(edge);
  expect(reads).toBe(2);
  tick(501);
  await destination(reader);
  expect(reads).toBe(3);
  await destination(other);
  expect(reads).toBe(3);
});

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

/** The bound in docs/guarantee.md, in milliseconds. Not imported, so that a changed constant can't loosen the test. */
const guaranteedDelay = 1000;

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;
let qr: Qr;
let changes = 0;

function tick(milliseconds: number): void {
  clock.advance(milliseconds);
  vi.setSystemTime(clock.now());
}

/** Two isolates of a colo. The clock of the first can be set. */
function colo() {
  let error = 0;
  const pages = new Map<string, string>();
  const isolate = (now: () => number) =>
    new Service({
      now,
      pause: async () => {},
      sharedPages: {
        origin: "https://route-feeds.example",
        open: async () => ({
          match: async (key) => {
            const text = pages.get(String(key));
            return text === undefined ? undefined : new Response(text);
          },
          put: async (key, response) => void pages.set(String(key), await response.text()),
        }),
      },
    });
  const set = (milliseconds: number) => {
    error += milliseconds;
  };
  return { edge: isolate(() => clock.now() + error), neighbour: isolate(clock.now), set };
}

const destination = async (edge: Service) =>
  (await edge.fetch(`/${qr.hash}`, { method: "HEAD" })).headers.get("location");

/** Changes the destination. @returns the new one */
async function redirect(): Promise<string> {
  changes += 1;
  const url = `https://example.com/${changes}`;
  expect((await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url } })).status).toBe(200);
  return url;
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  client = await service.workspace();
  qr = await client.createQr();
});
afterEach(() => {
  vi.useRealTimers();
});

it.each([-5000, 5000])(
  "an isolate whose clock was set by %d ms since its last scan follows a change",
  async (step) => {
    const { edge, set } = colo();
    await destination(edge);
    set(step);
    const url = await redirect();
    tick(guaranteedDelay + 1);
    expect(await destination(edge)).toBe(url);
  },
);

it.each([-5000, -100, 5000])(
  "a busy isolate whose clock is set by %d ms goes on to follow every change",
  async (step) => {
    const { edge, neighbour, set } = colo();
    for (let round = 0; round < 8; round += 1) {
      if (round === 2) set(step);
      const url = await redirect();
      let time = 0;
      for (const pause of [200, 200, 200, 200, 200, 100, 200, 200]) {
        tick(pause);
        time += pause;
        await destination(neighbour);
        const followed = await destination(edge);
        if (time > guaranteedDelay) expect([round, followed]).toEqual([round, url]);
      }
    }
  },
);

it("an isolate's time does not stand still until its clock has caught up", async () => {
  const { edge, set } = colo();
  const before = edge.deps.now();
  set(-60_000);
  const after = edge.deps.now();
  expect(after).toBeGreaterThan(before + guaranteedDelay);
  tick(700);
  expect(edge.deps.now()).toBe(after + 700);
});

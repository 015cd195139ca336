import { expect, it } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { pageAt, signedIn } from "../../support/dashboard.ts";
import { signedInOperator } from "../../support/operator-pages.ts";
import { FakeClock, Service } from "../../support/service.ts";

const minute = 60_000;

/** The red notices of a page, as text. */
const noticesIn = (page: string): string[] =>
  [...page.matchAll(/<div class="notice bad".*?<div>(.*?)<\/div>/gs)].map(([, text = ""]) =>
    text
      .replace(/<\/?p>/g, " ")
      .replace(/<[^>]+>/g, "")
      .replaceAll("&#39;", "'")
      .replace(/\s+/g, " ")
      .trim(),
  );

const uncounted = expect.stringMatching(/^Scans aren't being counted right now\. Your codes work/);
const incomplete = expect.stringMatching(/^A part of this service is missing\./);

/** A queue of scans whose oldest message has this age, and how often it was asked. */
function scanQueue(clock: FakeClock) {
  const queue = { age: 0, asked: 0, isSilent: false };
  const metrics = async () => {
    queue.asked += 1;
    if (queue.isSilent) throw new Error("no answer");
    return {
      backlogCount: queue.age > 0 ? 7 : 0,
      backlogBytes: 9,
      oldestMessageTimestamp: new Date(clock.now() - queue.age),
    };
  };
  return { queue, scanQueue: { metrics, send: async () => {} } as unknown as Queue<never> };
}

const lacking = (...missingBindings: string[]): DepsOverrides => ({ settings: { missingBindings } });

it("the overview says in red that scans wait too long, and asks the queue once a minute", async () => {
  const clock = new FakeClock();
  const { queue, ...overrides } = scanQueue(clock);
  const { browser, client } = await signedIn(new Service({ now: clock.now, ...overrides }));
  const notices = async () => noticesIn(await pageAt(browser, "/dashboard"));
  queue.age = 14 * minute;
  expect(await notices()).toEqual([]);
  queue.age = 15 * minute;
  expect([await notices(), queue.asked]).toEqual([[], 1]);
  clock.advance(minute);
  expect([await notices(), queue.asked]).toEqual([[uncounted], 2]);
  await client.createQr();
  expect([await notices(), queue.asked]).toEqual([[uncounted], 2]);
  clock.advance(minute);
  queue.isSilent = true;
  expect([await notices(), queue.asked]).toEqual([[], 3]);
});

it.each([
  ["LEDGERS", [uncounted, incomplete]],
  ["BULK", [incomplete]],
])("the overview says in red that %s is missing, without its name", async (name, expected) => {
  const { browser } = await signedIn(new Service(lacking(name)));
  const page = await pageAt(browser, "/dashboard");
  expect(noticesIn(page)).toEqual(expected);
  expect(page).not.toContain(name);
});

it("the operator's overview names them in red, apart from what else needs care", async () => {
  const clock = new FakeClock();
  const { queue, ...overrides } = scanQueue(clock);
  const service = new Service({ now: clock.now, ...overrides, ...lacking("BULK") });
  queue.age = 20 * minute;
  const page = await pageAt(await signedInOperator(service), "/operator");
  expect(noticesIn(page)).toEqual([
    "A binding is missing. The deployed Worker lacks BULK. Restart npm run dev with the same options: Ctrl-C, then npm run dev",
    "Scans aren't being counted. 7 messages wait, the oldest for 20 minutes. See what npm run dev prints",
  ]);
  expect(page).not.toContain("Everything works");
  const [, table = ""] = /Needs care(.*?)<\/table>/s.exec(page) ?? [];
  expect(table).not.toMatch(/Bindings<|Queue scans</);
  expect(table).toContain("Queue bulk");
});

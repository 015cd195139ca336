import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import plansPage from "../../docs/operating/plans.md?raw";
import { counts, problemOf } from "../../scripts/lib/structure.ts";
import { QrList } from "../../src/contract/resources/codes/qr.ts";
import { regions } from "../../src/protocol/regions.ts";
import { goodItems } from "../support/bulk.ts";
import { signedIn } from "../support/dashboard.ts";
import {
  MeteredInstallation,
  mostRowsOfIdleSweep,
  takeUsage,
  type Usage,
  useUp,
} from "../support/limits/usage.ts";
import { FakeClock, type Service } from "../support/service.ts";

/** The queries that an invocation may make on the Free plan. */
const queriesOnFree = 50;

/** The columns of the table in the document. */
const columns = [
  "d1Read",
  "d1Written",
  "kvReads",
  "kvWrites",
  "objectRequests",
  "objectWritten",
  "messages",
] as const satisfies (keyof Usage)[];

const rowOf = (what: string, usage: Usage) =>
  `| ${[what, ...columns.map((column) => (usage[column] === 0 ? "–" : `${usage[column]}`))].join(" | ")} |`;

it("what scans, creations and changes use is what the document says", async () => {
  const clock = new FakeClock();
  const installation = await MeteredInstallation.start({ now: clock.now });
  const isolate = installation.isolate();
  const { client, browser } = await signedIn(isolate);
  await env.DB.prepare("UPDATE workspaces SET has_webhooks = 0 WHERE id = ?").bind(client.workspaceId).run();
  // The first request of a key is recorded, and the first events of an object create its tables.
  const first = await client.createQr({ data: { type: "url", url: "https://a.example/" } });
  await client.send("PATCH", `/qr/${first.id}`, { name: "A" });
  await isolate.scan(first.hash);
  await installation.drain(isolate);
  takeUsage();

  const rows: string[] = [];
  /** Measures work with everything that it queues. @returns what it used */
  const measure = async (
    what: string,
    work: () => Promise<unknown>,
    service: Service = isolate,
    change = (usage: Usage) => usage,
  ) => {
    clock.advance(2000);
    await work();
    await installation.drain(service);
    clock.advance(20_000);
    await installation.drain(service);
    const used = change(takeUsage());
    rows.push(rowOf(what, used));
    return used;
  };

  const qr = await client.createQr({ data: { type: "url", url: "https://b.example/" } });
  takeUsage();
  await measure("First scan of a code", () => isolate.scan(qr.hash));
  await measure("Scan by a new visitor", () => isolate.scan(qr.hash, { "cf-connecting-ip": "192.0.2.1" }));
  const cold = installation.isolate();
  await measure(
    "The same, where the code isn't remembered",
    () => cold.scan(qr.hash, { "cf-connecting-ip": "192.0.2.2" }),
    cold,
  );
  const creation = await measure("Creation of a code", () =>
    client.createQr({ data: { type: "url", url: "https://a.example/" } }),
  );
  /** Makes feeds drop another change, as each change does for one of ten minutes ago. */
  const changeAnother = async () => {
    await ageFeeds();
    await client.send("PATCH", `/qr/${first.id}`, {
      data: { type: "url", url: `https://${clock.now()}.example/` },
    });
    clock.advance(20_000);
    await installation.drain(isolate);
    await ageFeeds();
    takeUsage();
  };
  await changeAnother();
  const changed = await measure("Change of where a code leads", () =>
    client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url: "https://c.example/" } }),
  );
  await measure("Change of its name or design", () => client.send("PATCH", `/qr/${qr.id}`, { name: "B" }));
  await changeAnother();
  await measure("Deletion of a code", () => client.send("DELETE", `/qr/${qr.id}`));
  // Requests that forward a job's history at the same time renew their lease once more.
  const renewedOnce = (rows: { read: number; written: number }) => (usage: Usage) => ({
    ...usage,
    d1Read: atMost(usage.d1Read, rows.read),
    d1Written: atMost(usage.d1Written, rows.written),
  });
  await measure(
    "Creation of 100 codes by a bulk job",
    () => client.send("POST", "/qr/bulk", { items: goodItems(100) }),
    isolate,
    renewedOnce({ read: 3854, written: 1427 }),
  );
  const moveAll = (from: string, to: string) =>
    client.send("POST", "/qr/bulk-update", {
      filter: { destinationHost: from },
      change: { replace: { host: { from, to } } },
    });
  await moveAll("example.com", "b.example");
  await installation.drain(isolate);
  clock.advance(20_000);
  await installation.drain(isolate);
  await ageFeeds();
  takeUsage();
  await measure(
    "Change of where 100 codes lead by a bulk job",
    () => moveAll("b.example", "c.example"),
    isolate,
    renewedOnce({ read: 5152, written: 1324 }),
  );
  await measure("List of 25 codes by the API", () => client.send("GET", "/qr?limit=25"));
  await measure("List of codes in the dashboard", () => browser.open("/dashboard/codes"));
  await measure("Report on a code in the dashboard", () => browser.open(`/dashboard/codes/${first.id}`));
  for (let n = 0; n < 3; n += 1) await isolate.worker.scheduled(undefined, env);
  takeUsage();
  await measure(
    "Sweep without work, each minute",
    () => isolate.worker.scheduled(undefined, env),
    isolate,
    (usage) => ({ ...usage, d1Read: atMost(usage.d1Read, mostRowsOfIdleSweep) }),
  );

  useUp("KV writes");
  await ageFeeds();
  await client.send("PATCH", `/qr/${first.id}`, { data: { type: "url", url: "https://d.example/" } });
  await ageFeeds();
  takeUsage();
  clock.advance(61_000);
  await isolate.worker.scheduled(undefined, env);
  const renewal = takeUsage();
  const most = { ...renewal, d1Read: atMost(renewal.d1Read, mostRowsOfIdleSweep + 10) };
  rows.push(rowOf("Renewal of a change in the feeds, every four minutes while KV refuses", most));

  const documented = plansPage.split("\n").filter((line) => rows.some((row) => sameThing(row, line)));
  expect(documented).toEqual(rows);
  const { creationRows, changeRows, changeObjectRows } = counts;
  expect(problemOf(creationRows, creation.d1Written)).toBeUndefined();
  expect(problemOf(changeRows, changed.d1Written)).toBeUndefined();
  expect(problemOf(changeObjectRows, changed.objectWritten)).toBeUndefined();
});

/** @returns the bound, which the value must keep: what a sweep reads depends on which kinds of work there are */
function atMost(value: number, bound: number): number {
  expect(value).toBeLessThanOrEqual(bound);
  return bound;
}

/** Whether two rows of a table begin with the same cell. */
const sameThing = (row: string, line: string) => row.split(" | ")[0] === line.split(" | ")[0];

/** Makes the changes in all feeds so old that the next publication drops them. */
async function ageFeeds(): Promise<void> {
  for (const region of regions) {
    await runInDurableObject(env.FEEDS.get(env.FEEDS.idFromName(region)), (_, { storage }) => {
      storage.sql.exec("UPDATE changed_routes SET at = 0");
    });
  }
}

it("no request, message or sweep makes more queries than the Free plan allows", async () => {
  const installation = await MeteredInstallation.start();
  const isolate = installation.isolate();
  const { client, browser } = await signedIn(isolate);
  const most = new Map<string, number>();
  const measure = async (what: string, work: () => Promise<unknown>) => {
    takeUsage();
    await work();
    most.set(what, takeUsage().d1Queries);
  };
  const consume = isolate.consume.bind(isolate);
  isolate.consume = async (...args: Parameters<typeof consume>) => {
    let result: Awaited<ReturnType<typeof consume>> | undefined;
    await measure(`message of ${args[0]}`, async () => {
      result = await consume(...args);
    });
    return result ?? expect.fail("no result");
  };
  await measure("bulk job", () => client.send("POST", "/qr/bulk", { items: goodItems(1000) }));
  await installation.drain(isolate);
  await measure("bulk update", () =>
    client.send("POST", "/qr/bulk-update", { filter: {}, change: { addTags: ["new"] } }),
  );
  await installation.drain(isolate);
  for (const path of ["", "/codes", "/codes/new", "/analytics", "/folders", "/tags", "/settings", "/jobs"]) {
    await measure(`/dashboard${path}`, () => browser.open(`/dashboard${path}`));
  }
  const { items } = await client.expect(200, QrList, "GET", "/qr?limit=10");
  const address = (verb: string) =>
    `/dashboard/bin/${verb}?${new URLSearchParams(items.map(({ id }) => ["id", `code ${id}`]))}`;
  for (const verb of ["restore", "erase"]) {
    for (const { id } of items) await client.send("DELETE", `/qr/${id}`);
    await measure(`${verb} what is selected in the bin`, () => browser.submit(address(verb), {}));
  }
  await measure("sweep", () => isolate.worker.scheduled(undefined, env));
  expect([...most].filter(([, queries]) => queries > queriesOnFree)).toEqual([]);
  expect(most.size).toBeGreaterThan(10);
});

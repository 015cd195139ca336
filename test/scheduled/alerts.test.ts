import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Settings } from "../../src/domain/deps.ts";
import { type Alert, alertRules } from "../../src/domain/operations/alerts.ts";
import { sweep } from "../../src/scheduled/sweep.ts";
import { addFigures, noFigures } from "../../src/store/operations/figures.ts";
import { FakeClock, Service } from "../support/service.ts";

const receiver = "https://hooks.example/T1/secret-path";
const minute = 60_000;

let clock: FakeClock;
let alerts: Alert[];
let answer: () => Response | Promise<Response>;

beforeEach(async () => {
  clock = new FakeClock(Date.UTC(2030, 5, 1, 12));
  alerts = [];
  answer = () => new Response("ok");
  await env.DB.batch(
    ["alerts", "alert_cursor", "last_runs", "dead_letters", "figures"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

/** An isolate with a receiver, and ways to look at what it was told about a condition. */
function watching(overrides: Partial<Settings> = {}, ledger?: Service["deps"]["ledger"]) {
  const service = new Service({
    now: clock.now,
    ...(ledger === undefined ? {} : { ledger }),
    fetch: async (input, init) => {
      expect([String(input), init?.method, init?.redirect]).toEqual([receiver, "POST", "manual"]);
      const response = await answer();
      if (response.ok) alerts.push(JSON.parse(String(init?.body)) as Alert);
      return response;
    },
    settings: {
      provider: { issuer: "", clientId: "", clientSecrets: [], sessionSecrets: [] },
      alertUrl: receiver,
      ...overrides,
    },
  });
  /** Sweeps each minute. @returns what was told about the condition meanwhile */
  const pass = async (minutes: number, name: string) => {
    alerts = [];
    for (let i = 0; i < minutes; i += 5) {
      clock.advance(5 * minute);
      await sweep(service.deps);
    }
    return alerts.filter(({ alert }) => alert === name);
  };
  return { service, pass };
}

it("alerts the operator of dead letters once, again after a day, and when they are gone", async () => {
  const { service, pass } = watching();
  expect(await pass(5, "dead letters")).toEqual([]);
  await service.consume("bulk-dead", [{ id: "odd-1", body: null }]);
  const since = new Date(clock.now() + 5 * minute).toISOString();
  const url = `${service.deps.settings.appOrigin}/operator/dead-letters`;
  expect(await pass(5, "dead letters")).toEqual([]);
  expect(await pass(20, "dead letters")).toEqual([
    {
      text: `Alert: dead letters. Messages failed every retry: 1 of bulk.\n${url}`,
      alert: "dead letters",
      status: "firing",
      since,
      url,
    },
  ]);
  clock.advance(23 * 60 * minute);
  expect(await pass(5, "dead letters")).toEqual([]);
  clock.advance(40 * minute);
  expect(await pass(20, "dead letters")).toMatchObject([
    { text: expect.stringMatching(/^Still: dead letters\./), since },
  ]);
  await env.DB.prepare("DELETE FROM dead_letters").run();
  expect(await pass(15, "dead letters")).toEqual([]);
  expect(await pass(20, "dead letters")).toMatchObject([
    { text: expect.stringMatching(/^Resolved: /), status: "resolved", since },
  ]);
});

it("says nothing of what comes and goes within minutes", async () => {
  let isSilent = true;
  const { service, pass } = watching();
  const { feed } = service.deps;
  service.deps.feed = (region) =>
    isSilent && region === "oc"
      ? ({ changes: () => Promise.reject(new Error("odd")) } as never)
      : feed(region);
  expect(await pass(5, "feed oc")).toEqual([]);
  isSilent = false;
  expect(await pass(15, "feed oc")).toEqual([]);
  isSilent = true;
  expect(await pass(10, "feed oc")).toMatchObject([{ status: "firing" }]);
  for (let i = 0; i < 4; i += 1) {
    isSilent = i % 2 === 1;
    expect(await pass(10, "feed oc")).toEqual([]);
  }
});

it("tries again while the receiver refuses or redirects, and its address is in no log", async () => {
  const { service, pass } = watching();
  await service.consume("bulk-dead", [{ id: "odd-2", body: null }]);
  const warn = vi.spyOn(console, "warn");
  answer = () => Response.redirect("https://evil.example/", 302);
  expect(await pass(15, "dead letters")).toEqual([]);
  answer = () => Promise.reject(new Error("no route"));
  expect(await pass(5, "dead letters")).toEqual([]);
  expect(warn.mock.calls.join("\n")).toContain("alert not sent");
  expect(warn.mock.calls.join("\n")).not.toContain("secret-path");
  vi.restoreAllMocks();
  answer = () => new Response(null, { status: 204 });
  expect(await pass(5, "dead letters")).toHaveLength(1);
});

it("alerts of webhooks that fail, and of the day's requests at 80 %", async () => {
  const { pass } = watching({ dailyRequests: 1000 });
  const counts = { ...noFigures, deliveries: 40, failedDeliveries: 20 };
  for (let i = 0; i < 4; i += 1) await addFigures(env.DB, clock.now() + i * 5 * minute, counts);
  await addFigures(env.DB, clock.now(), { ...noFigures, scans: 700, requests: 99 });
  expect(await pass(15, "deliveries")).toMatchObject([
    { text: expect.stringContaining("80 of 160 webhook attempts failed in the last hour.") },
  ]);
  expect(alerts.filter(({ alert }) => alert === "requests")).toEqual([]);
  await addFigures(env.DB, clock.now(), { ...noFigures, scans: 1 });
  expect(await pass(15, "requests")).toMatchObject([
    { text: expect.stringContaining("800 of the day's 1000 requests are used") },
  ]);
});

it("alerts of ledgers that are nearly full, and checks all of them in turn", async () => {
  const looked: string[] = [];
  let full: string | undefined;
  const { ledger: real } = new Service().deps;
  const ledger: Service["deps"]["ledger"] = (id) =>
    new Proxy(real(id), {
      get: (target, name) =>
        name !== "storage"
          ? Reflect.get(target, name, target)
          : async () => {
              looked.push(id);
              return id === full ? { bytes: 7.2e9, status: "high" } : { bytes: 1, status: "ok" };
            },
    });
  const { service, pass } = watching({}, ledger);
  const ids: string[] = [];
  for (let i = 0; i < 25; i += 1) {
    const client = await service.workspace();
    ids.push(client.workspaceId);
  }
  // Only these have codes, so that the workspaces of other tests take no turns.
  await env.DB.prepare("UPDATE workspaces SET live_codes = id IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(ids))
    .run();
  [full] = ids;
  expect(await pass(15, `ledger ${full}`)).toMatchObject([
    { text: expect.stringContaining("The ledger of Test holds 7.2 of 10 GB.") },
  ]);
  expect(ids.filter((id) => !looked.includes(id))).toEqual([]);
});

it.each([
  "http://hooks.example/",
  "https://10.0.0.1/",
  "https://intranet/",
  "https://user:pw@hooks.example/",
])("sends nothing to %s, and says why once", async (alertUrl) => {
  const warn = vi.spyOn(console, "warn");
  const { service, pass } = watching({ alertUrl });
  await service.consume("bulk-dead", [{ id: "odd-3", body: null }]);
  expect(await pass(15, "dead letters")).toEqual([]);
  const told = warn.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
  expect(told.filter((line) => "message" in line && line.message === "alerts are off")).toHaveLength(1);
  vi.restoreAllMocks();
});

it("checks every five minutes, and not at all without a receiver", async () => {
  const { service } = watching();
  const checks = vi.spyOn(service.deps, "feed");
  for (let i = 0; i < 10; i += 1) {
    clock.advance(minute);
    await sweep(service.deps);
  }
  expect(checks).toHaveBeenCalledTimes(2 * 9);
  expect(alertRules.every).toBe(5 * minute);
  const silent = watching({ alertUrl: "" });
  const none = vi.spyOn(silent.service.deps, "feed");
  await silent.pass(15, "dead letters");
  expect(none).not.toHaveBeenCalled();
});

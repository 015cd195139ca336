import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { Readiness } from "../../../src/contract/resources/operations/operations.ts";
import { checkReadiness } from "../../../src/domain/operations/readiness.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { version } from "../../../src/lib/version.ts";
import { sweep } from "../../../src/scheduled/sweep.ts";
import { saveDeadLetter } from "../../../src/store/operations/save-dead-letter.ts";
import { endRefusal, noteRefusal } from "../../../src/store/routing/route-cache-refusals.ts";
import { createWorker } from "../../../src/worker.ts";
import { FakeProvider } from "../../support/provider.ts";
import { FakeClock, Service } from "../../support/service.ts";
import { keyring } from "../../support/settings.ts";

const secret = "a secret of more than 32 characters, for tests";
const queues = { deliveryQueue: env.DELIVERIES, printQueue: env.PRINTS } as DepsOverrides;
/** Not on this machine. */
const appOrigin = "https://qr.example";
const settings = {
  visitorSecrets: keyring(secret),
  webhookSecrets: keyring(secret),
  appOrigin,
  alertUrl: "https://example.com",
};
const regions = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"];
const names = [
  ...["bindings", "secrets", "catalogue", "schema", "route cache", "cached routes"],
  ...["route cache writes", "ledger", "meter"],
  ...regions.map((region) => `feed ${region}`),
  ...["scans", "bulk", "prints", "deliveries", "route-repairs"].map((queue) => `queue ${queue}`),
  ...["dead letters", "outbox", "sweep", "clock", "alerts", "backup", "sign-in"],
];

let provider: FakeProvider;
beforeAll(async () => {
  provider = await FakeProvider.start();
});
beforeEach(async () => {
  await sweep(new Service().deps);
});

/** Returns an installation without a fault, but for the given changes. */
const installation = ({ settings: changed, ...overrides }: DepsOverrides = {}) =>
  new Service({ ...queues, fetch: provider.fetch, ...overrides, settings: { ...settings, ...changed } });

/** Asks for the readiness. @returns the findings that aren't ok */
async function faultsOf(service: Service, status: number, checked = names) {
  const answer = await service.operator.expect(status, Readiness.strict(), "GET", "/operator/readiness");
  expect(answer.ready).toBe(status === 200);
  expect(answer.findings.map(({ name }) => name)).toEqual(checked);
  expect(JSON.stringify(answer)).not.toMatch(/secret details|for tests/);
  return answer.findings
    .filter((finding) => finding.status !== "ok")
    .map(({ milliseconds: _, ...finding }) => finding);
}

it("a healthy installation has no fault", async () => {
  const answer = await installation().operator.expect(200, Readiness.strict(), "GET", "/operator/readiness");
  expect(answer).toMatchObject({ ready: true, version });
  expect(answer.catalogueBytes).toBeGreaterThan(100_000);
  for (const finding of answer.findings) {
    expect(finding).toMatchObject({ status: "ok", mend: null });
    expect(finding.milliseconds).toBeGreaterThanOrEqual(0);
  }
});

const failing = () => Promise.reject(new Error("secret details"));
const real = new Service(queues).deps;
const waiting = {
  metrics: async () => ({ backlogCount: 7, backlogBytes: 9, oldestMessageTimestamp: new Date(0) }),
};

describe("a fault is named alone, with its fix", () => {
  const log = "npx wrangler tail";
  const parts: [string, DepsOverrides][] = [
    ["route cache", { routeCache: { get: failing } as never }],
    ["ledger", { ledger: () => ({ countScans: failing }) as never }],
    ["meter", { meter: () => ({ used: failing }) as never }],
    [
      "feed oc",
      { feed: (region) => (region === "oc" ? ({ changes: failing } as never) : real.feed(region)) },
    ],
    ["queue bulk", { bulkQueue: { metrics: failing } as never }],
  ];
  it.each(parts)("%s: it answers an error", async (name, fault) => {
    expect(await faultsOf(installation(fault), 503)).toEqual([
      { name, status: "failed", what: "It answered an error, which the log has.", mend: log },
    ]);
  });

  it("catalogue: it fails, and what is in it is not checked", async () => {
    const down = { prepare: () => ({ all: failing, first: failing, run: failing }) };
    const db = { ...down, withSession: () => down } as never;
    const [fault, ...rest] = await faultsOf(installation({ db }), 503);
    expect(fault).toMatchObject({ name: "catalogue", status: "failed", mend: log });
    expect(rest.map(({ name }) => name)).toEqual([
      "schema",
      "cached routes",
      "route cache writes",
      "dead letters",
      "outbox",
      "sweep",
      "clock",
      "alerts",
      "backup",
    ]);
    for (const { status, what } of rest)
      expect([status, what]).toEqual(["unknown", expect.stringMatching(/^Not/)]);
  });

  it("alerts: nobody is told", async () => {
    expect(await faultsOf(installation({ settings: { alertUrl: "" } }), 200)).toEqual([
      {
        ...{ name: "alerts", status: "warning", mend: "npm run setup -- --alert-url URL" },
        what: "Nobody is told what needs the operator: ALERT_URL isn't set. No workspace has an address for alerts.",
      },
    ]);
  });

  it("on this machine, with the fix there", async () => {
    const local = { appOrigin: "http://localhost:8787" };
    const mends = async (over: DepsOverrides) =>
      (
        await checkReadiness(installation({ ...over, settings: { ...local, ...over.settings } }).deps)
      ).findings
        .filter(({ status }) => status !== "ok")
        .map(({ name, mend }) => [name, mend]);
    const restart = "Restart npm run dev with the same options: Ctrl-C, then npm run dev";
    const seeLog = "See what npm run dev prints";
    expect(await mends({ settings: { missingBindings: ["ROUTES"] } })).toContainEqual(["bindings", restart]);
    expect(await mends({ settings: { visitorSecrets: keyring("") } })).toContainEqual(["secrets", restart]);
    expect(await mends({ settings: { visitorSecrets: keyring("short") } })).toContainEqual([
      "secrets",
      restart,
    ]);
    for (const [name, fault] of parts) expect(await mends(fault)).toEqual([[name, seeLog]]);
    const late = { bulkQueue: waiting as never };
    expect(await mends(late)).toEqual([["queue bulk", seeLog]]);
    const soon = new FakeClock(Date.now() + 16 * 60_000);
    expect(await mends({ now: soon.now })).toContainEqual(["sweep", restart]);
    await env.DB.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')").run();
    expect(await mends({})).toEqual([["schema", "git pull && npm ci, and restart npm run dev"]]);
    await env.DB.prepare("DELETE FROM d1_migrations WHERE name = '9999_later.sql'").run();
  });

  it.each(["VISITOR_SECRET", "WEBHOOK_SECRET", "SESSION_SECRET"])("%s is missing or short", async (name) => {
    const set = (value: string) => {
      const { provider: ofProvider } = real.settings;
      return installation({
        settings: {
          ...(name === "VISITOR_SECRET" ? { visitorSecrets: keyring(value) } : {}),
          ...(name === "WEBHOOK_SECRET" ? { webhookSecrets: keyring(value) } : {}),
          ...(name === "SESSION_SECRET"
            ? { provider: { ...ofProvider, sessionSecrets: keyring(value) } }
            : {}),
        },
      });
    };
    const missing = { name: "secrets", status: "failed", what: `Not set: ${name}.`, mend: "npm run setup" };
    expect(await faultsOf(set(""), 503)).toContainEqual(missing);
    const isSession = name === "SESSION_SECRET";
    expect(await faultsOf(set("short"), isSession ? 503 : 200)).toContainEqual({
      name: "secrets",
      status: isSession ? "failed" : "warning",
      what: `Shorter than 32 characters: ${name}.`,
      mend: `npm run rotate -- ${name}`,
    });
  });

  it("schema: a migration isn't applied, or is of a newer version", async () => {
    const last = await env.DB.prepare(
      "SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1",
    ).first<string>("name");
    const rename = (to: string, from: string | null) =>
      env.DB.prepare("UPDATE d1_migrations SET name = ? WHERE name = ?").bind(to, from).run();
    await env.DB.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')").run();
    expect(await faultsOf(installation(), 200)).toEqual([
      {
        name: "schema",
        status: "warning",
        what: "A newer version has migrated the database: 9999_later.",
        mend: "git pull && npm ci && npm run deploy",
      },
    ]);
    await env.DB.prepare("DELETE FROM d1_migrations WHERE name = '9999_later.sql'").run();
    await rename("0000_other.sql", last);
    expect(await faultsOf(installation(), 503)).toEqual([
      {
        name: "schema",
        status: "failed",
        what: `Migrations that aren't applied: ${last?.replace(".sql", "")}.`,
        mend: "npm run deploy",
      },
    ]);
    await rename(last ?? "", "0000_other.sql");
  });

  it("route cache writes: the day's are used up", async () => {
    await noteRefusal(env.DB, { cause: "quota", since: 0 });
    expect(await faultsOf(installation(), 200)).toEqual([
      {
        name: "route cache writes",
        status: "warning",
        what: expect.stringContaining("since 1970-01-01 00:00 (UTC)"),
        mend: "https://dash.cloudflare.com/?to=/:account/workers/plans",
      },
    ]);
    await endRefusal(env.DB);
  });

  it("queue scans: messages wait for long", async () => {
    expect(await faultsOf(installation({ scanQueue: waiting as never }), 200)).toEqual([
      {
        name: "queue scans",
        status: "warning",
        what: expect.stringMatching(/^7 messages wait, the oldest for \d+ minutes\.$/),
        mend: "https://dash.cloudflare.com/?to=/:account/workers/queues",
      },
    ]);
  });

  it("dead letters: there are some, by queue", async () => {
    const now = Date.now();
    for (const [i, queue] of ["scans", "scans", "bulk"].entries()) {
      const row = {
        id: `0${i}`,
        queue,
        messageId: `${i}`,
        body: "{}",
        createdAt: now,
        expiresAt: now + 60_000,
      };
      await saveDeadLetter(env.DB, row);
    }
    const [fault, ...rest] = await faultsOf(installation(), 200);
    expect(rest).toEqual([]);
    expect(fault).toMatchObject({ name: "dead letters", status: "warning" });
    expect(fault?.what).toBe("Messages failed every retry: 1 of bulk, 2 of scans.");
    expect(fault?.mend).toBe(`${appOrigin}/operator/dead-letters`);
    await env.DB.prepare(
      `WITH RECURSIVE n AS (SELECT 10 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
       INSERT INTO dead_letters (id, queue, message_id, body, created_at, expires_at)
       SELECT 'm' || i, 'scans', i, '{}', ?1, ?1 + 60000 FROM n`,
    )
      .bind(now)
      .run();
    expect((await faultsOf(installation(), 200))[0]?.what).toBe("Messages failed every retry: 1000 or more.");
    await env.DB.prepare("DELETE FROM dead_letters").run();
  });

  it("outbox: a change has waited too long for its workspace's ledger", async () => {
    const ofWorkspace = async (id: string, minutes: number) => {
      const at = Date.now() - minutes * 60_000;
      await env.DB.prepare(
        "INSERT INTO outbox (id, workspace_id, kind, data, history, created_at) VALUES (?, ?, '', '{}', '{}', ?)",
      )
        .bind(newId(at), id, at)
        .run();
    };
    await ofWorkspace("newer", 9);
    expect(await faultsOf(installation(), 200)).toEqual([]);
    await ofWorkspace("older", 14);
    const [fault, ...others] = await faultsOf(installation(), 200);
    await env.DB.prepare("DELETE FROM outbox").run();
    expect(fault).toEqual({
      name: "outbox",
      status: "warning",
      what: "The oldest change has waited 14 minutes for its workspace's ledger.",
      mend: `${appOrigin}/operator/workspaces/older`,
    });
    expect(others).toEqual([]);
  });

  it("sweep: it has stopped, has never run, or one of its tasks fails", async () => {
    const clock = new FakeClock(Date.now() + 16 * 60_000);
    const late = await faultsOf(installation({ now: clock.now }), 503);
    expect(late).toContainEqual({
      name: "sweep",
      status: "failed",
      what: expect.stringMatching(/^It last ran at .+ \(UTC\), and should run each minute\.$/),
      mend: "npm run deploy",
    });
    // By this clock, a message of another test that still waits in its queue is late, too.
    expect(late.map(({ name }) => name).filter((name) => !name.startsWith("queue "))).toEqual([
      "sweep",
      "clock",
    ]);
    await env.DB.prepare("DELETE FROM last_runs").run();
    expect(await faultsOf(installation({ now: clock.now }), 503)).toContainEqual({
      name: "sweep",
      status: "failed",
      what: "It has never run.",
      mend: "npm run deploy",
    });
    expect(await faultsOf(installation(), 200)).toEqual([
      { name: "sweep", status: "unknown", what: "It hasn't run yet, on a new installation.", mend: null },
    ]);
    const prepare = (sql: string) => {
      if (sql.includes("sessions")) throw new Error("secret details");
      return env.DB.prepare(sql);
    };
    const db = new Proxy(env.DB, {
      get: (target, name) => (name === "prepare" ? prepare : Reflect.get(target, name)),
    });
    await sweep(new Service({ db }).deps);
    expect(await faultsOf(installation(), 200)).toEqual([
      {
        name: "sweep",
        status: "warning",
        what: expect.stringMatching(/^One of its tasks failed at .+ \(UTC\)\.$/),
        mend: "npx wrangler tail",
      },
    ]);
    await env.DB.prepare("DELETE FROM last_runs WHERE name = 'failed sweep'").run();
  });

  it("custom hostnames: from 80 % of those that there may be", async () => {
    const custom = { zoneId: "zone", token: "secret details", target: "hosts.example.net", max: 5 };
    const use = async (count: number) => {
      const { workspaceId } = await new Service().workspace();
      for (let i = 0; i < count; i++) {
        await env.DB.prepare(
          `INSERT INTO domains (id, workspace_id, host, status, token, custom_hostname_id, created_at, claimed_at,
             version, route_version) VALUES (?1, ?2, ?1 || '.example', 'unproved', 'token', ?1, 0, 0, 1, 0)`,
        )
          .bind(newId(Date.now()), workspaceId)
          .run();
      }
    };
    const withHosts = installation({ settings: { customHostnames: custom } });
    const checked = names.flatMap((name) => (name === "sign-in" ? ["custom hostnames", name] : [name]));
    await use(3);
    expect(await faultsOf(withHosts, 200, checked)).toEqual([]);
    await use(1);
    expect(await faultsOf(withHosts, 200, checked)).toEqual([
      {
        name: "custom hostnames",
        status: "warning",
        what: "4 of 5 are in use. At 5, customers can't add hosts.",
        mend: "https://dash.cloudflare.com/?to=/:account/:zone/ssl-tls/custom-hostnames",
      },
    ]);
    await env.DB.prepare("DELETE FROM domains").run();
  });

  it("sign-in: the provider is silent, which passkeys outlast", async () => {
    const silent = { fetch: failing as never };
    const page = `${env.OIDC_ISSUER}/.well-known/openid-configuration`;
    const what = "id.example doesn't answer with usable metadata.";
    expect(await faultsOf(installation(silent), 200)).toEqual([
      { name: "sign-in", status: "warning", what, mend: page },
    ]);
    expect(await faultsOf(installation({ ...silent, settings: { passkeys: false } }), 503)).toEqual([
      { name: "sign-in", status: "failed", what, mend: page },
    ]);
    const none = { ...real.settings.provider, issuer: "", clientId: "" };
    expect(await faultsOf(installation({ settings: { passkeys: false, provider: none } }), 503)).toEqual([
      {
        name: "sign-in",
        status: "failed",
        what: "Nobody can sign in: no way is configured.",
        mend: "npm run setup",
      },
    ]);
  });

  it("bindings: one is missing, and what needs it is not checked", async () => {
    const request = new Request<unknown, IncomingRequestCfProperties>(
      `${appOrigin}/api/v1/operator/readiness`,
      {
        headers: { authorization: `Bearer ${env.OPERATOR_SECRET}` },
      },
    );
    const bindings: Partial<Env> = { ...env };
    delete bindings.FEEDS;
    delete bindings.IMAGES;
    delete bindings.FILES;
    const ctx = createExecutionContext();
    const response = await createWorker(() => ({ ...queues, fetch: provider.fetch, settings })).fetch(
      request,
      bindings as Env,
      ctx,
    );
    expect(response.status).toBe(503);
    const { findings } = Readiness.parse(await response.json());
    expect(findings.filter(({ status }) => status === "failed")).toEqual([
      expect.objectContaining({
        name: "bindings",
        what: "The deployed Worker lacks FEEDS.",
        mend: "npm run deploy",
      }),
    ]);
    const unchecked = findings.filter(({ status }) => status === "unknown").map(({ name }) => name);
    expect(unchecked).toEqual(regions.map((region) => `feed ${region}`));
  });
});

it("readiness does not wait for a part that hangs", async () => {
  const hanging = { changes: () => new Promise(() => {}) };
  const timers: (() => void)[] = [];
  const service = installation({
    feed: () => hanging as never,
    startTimer: (milliseconds, onEnd) => {
      if (milliseconds === 3000) timers.push(onEnd);
      return () => {};
    },
  });
  const answer = faultsOf(service, 503);
  await expect.poll(() => timers.length).toBe(names.length);
  const isFeed = (name: string) => name.startsWith("feed ");
  for (const [i, end] of timers.entries()) if (isFeed(names[i] ?? "")) end();
  expect((await answer).map(({ name }) => name)).toEqual(names.filter(isFeed));
  expect((await answer)[0]).toMatchObject({
    what: "It gave no response within 3000 ms.",
    mend: "https://www.cloudflarestatus.com",
  });
});

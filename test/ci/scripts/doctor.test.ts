import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import release from "../../../package.json" with { type: "json" };
import {
  day,
  examine,
  fetchAnything,
  mends,
  noService,
  queueNamed,
  refuse,
  refuseDns,
  registerFor,
  replace,
  useDoctor,
} from "../../e2e/support/installation/doctor.ts";
import { cloudflare, complete, folder, install, installed } from "../../e2e/support/installation/setup.ts";

useDoctor();

const { deploy, setup, registry, dashboard } = mends;
const dns = `${dashboard}/example.com/dns/records`;
const certificates = `${dashboard}/example.com/ssl-tls/edge-certificates`;
const service = "qr-code-management-service";

/** Removes bindings of the deployed service. */
const unbind = (...names: string[]) =>
  cloudflare.scripts.set(
    service,
    (cloudflare.scripts.get(service) ?? []).filter(({ name }) => !names.includes(name)),
  );

const replaceBinding = (name: string, change: object) =>
  cloudflare.scripts.set(
    service,
    (cloudflare.scripts.get(service) ?? []).map((each) =>
      each.name === name ? { ...each, ...change } : each,
    ),
  );

const inDatabase = (sql: string) => {
  for (const { sqlite } of cloudflare.databases.values()) sqlite.exec(sql);
};

/** Lets Cloudflare answer requests to the service itself. */
const answerBefore = (status: number, headers: Record<string, string>) =>
  replace({
    fetch: async (input, init) =>
      String(input).includes("example.com/healthz")
        ? new Response("<title>Just a moment…</title>", { status, headers })
        : fetchAnything(input, init),
  });

/** Lets a pause take longer than a scan may take to be counted. */
function skipMinutes(): void {
  const now = Date.now;
  replace({
    pause: async () => {
      vi.spyOn(Date, "now").mockImplementation(() => now() + 120_000);
    },
  });
}

it("finds nothing wrong with a healthy installation, on either plan", async () => {
  for (const plan of ["paid", "free"] as const) {
    cloudflare.plan = plan;
    if (plan === "paid") await installed();
    const writes = cloudflare.writes.length;
    const { isWell, report } = await examine();
    expect(report.replace(release.version, "…")).toMatch(
      new RegExp(
        `^Checked qr\\n  Account  Harbour Coffee, on Workers (Free|Paid)\\.\\n  Scans    https://qr.example.com\\n` +
          `  App      https://app.example.com\\n  Service  version …, ready\\n\\n\\d\\d in order$`,
      ),
    );
    expect(isWell).toBe(true);
    // Apart from queries, it creates and deletes a code.
    const changes = cloudflare.writes.slice(writes).filter((line) => !/\/query$|\/graphql$/.test(line));
    expect(changes).toEqual([
      "POST https://app.example.com/api/v1/qr",
      expect.stringMatching(/^DELETE https:\/\/app\.example\.com\/api\/v1\/qr\//),
    ]);
  }
  expect(cloudflare.codes).toEqual([]);
  expect((await examine(["--all"])).report).toContain("✓ queue retention: ");
});

it("finds nothing wrong with an installation that has no R2", async () => {
  refuse(/\/r2\//, 403, 10_042, "Please enable R2 through the Cloudflare Dashboard.");
  await install([...complete, "--without-r2"]);
  const { report, wrong } = await examine(["--all"]);
  expect(wrong).toEqual([]);
  expect(report).toContain("✓ R2 bucket: The installation has none.");
});

it("warns of a workers.dev address, which can't be taken along", async () => {
  await install(["--yes", "--wait", "0", "--workers-dev"]);
  const { report, isWell, wrong } = await examine();
  expect(wrong).toEqual(["! domains: Codes carry a workers.dev address, which you can't take along."]);
  expect(report).toContain(`\n    ${setup} --move-scans --scan-domain qr.example.com\n`);
  expect(isWell).toBe(true);
});

/** A fault, what the doctor finds, and what it says mends it. A consequence that it can't check has no mend. */
type Fault = [fault: string, plant: () => unknown, found: string[], commands: string[]];

const faults: Fault[] = [
  [
    "the Worker is gone",
    () => cloudflare.scripts.delete(service),
    ["✗ Worker: qr-code-management-service isn't deployed", "✗ answer of qr.", "✗ answer of app.", noService],
    [deploy],
  ],
  [
    "a binding is missing",
    () => unbind("METERS", "SCANS"),
    ["✗ Worker's bindings: The Worker lacks SCANS, METERS"],
    [deploy],
  ],
  [
    "a binding leads to another store",
    () => replaceBinding("ROUTES", { namespace_id: "other" }),
    ["✗ Worker's bindings: Elsewhere than the installation's file says: ROUTES."],
    [deploy],
  ],
  [
    "a secret is missing",
    () => unbind("SESSION_SECRET"),
    ["✗ Worker's secrets: Not set: SESSION_SECRET"],
    [setup],
  ],
  [
    "a setting isn't deployed",
    () => replaceBinding("DEFAULT_PLAN", { text: "free" }),
    ["! settings: Not deployed since they were changed: DEFAULT_PLAN"],
    [deploy],
  ],
  [
    "the images Worker is gone",
    () => cloudflare.scripts.delete("qr-code-images"),
    ["✗ images Worker:"],
    [deploy],
  ],
  [
    "the cron trigger is gone",
    () => cloudflare.schedules.clear(),
    ["✗ cron trigger: The Worker has none"],
    [deploy],
  ],
  [
    "the database is gone",
    () => cloudflare.databases.clear(),
    ["✗ database: The account has no D1 database qr-catalogue", "✗ scan:", "? backup:"],
    [setup],
  ],
  [
    "a migration isn't applied",
    () => inDatabase("DELETE FROM d1_migrations WHERE name LIKE '0008%'"),
    ["✗ migrations: Not applied: 0008_passkeys"],
    [deploy],
  ],
  [
    "the database is newer than the checkout",
    () => inDatabase("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')"),
    ["! migrations: A newer version has migrated the database, which this checkout doesn't know: 9999_later"],
    ["git pull && npm ci"],
  ],
  ["the KV namespace is gone", () => cloudflare.namespaces.clear(), ["✗ KV namespace:"], [setup]],
  ["the bucket is gone", () => cloudflare.buckets.clear(), ["✗ R2 bucket: qr-files isn't there"], [setup]],
  [
    "R2 is off",
    () => refuse(/\/r2\//, 403, 10_042, "Please enable R2 through the Cloudflare Dashboard."),
    ["✗ R2 bucket: R2 isn't enabled in this account."],
    [`${dashboard}/r2/overview`],
  ],
  ["a queue is gone", () => cloudflare.queues.delete("qr-bulk"), ["✗ queues: Not there: qr-bulk"], [setup]],
  [
    "nothing takes a queue's messages",
    () => {
      delete queueNamed("qr-scans").consumer;
    },
    ["✗ queue consumers: Nothing takes the messages of qr-scans"],
    [deploy],
  ],
  [
    "another Worker takes a queue's messages",
    () => {
      queueNamed("qr-scans-dead").consumer = "shop";
    },
    ["✗ queue consumers: qr-scans-dead has another Worker as its consumer: shop"],
    [`${dashboard}/workers/queues`],
  ],
  [
    "dead letters go elsewhere",
    () => {
      queueNamed("qr-scans").deadLetters = "bin";
    },
    ["✗ queue consumers: Messages of qr-scans that fail don't go to qr-scans-dead"],
    [deploy],
  ],
  [
    "a queue is paused",
    () => {
      queueNamed("qr-scans").settings = { delivery_paused: true, message_retention_period: 1_209_600 };
    },
    ["✗ queue delivery: The delivery of qr-scans is paused"],
    ["npx wrangler queues resume-delivery qr-scans"],
  ],
  [
    "queues forget early",
    () => {
      queueNamed("qr-scans").settings = { message_retention_period: 86_400 };
      queueNamed("qr-bulk").settings = { message_retention_period: 345_600 };
    },
    ["! queue retention: Messages are kept for 1.0 days instead of 14 in qr-scans, qr-bulk."],
    [setup],
  ],
  [
    "the zone challenges programs",
    () => answerBefore(403, { "cf-mitigated": "challenge" }),
    [
      "✗ answer of qr.example.com: Cloudflare challenges this request",
      "✗ answer of app.example.com: Cloudflare challenges this request",
      noService,
    ],
    [`${dashboard}/example.com/security`],
  ],
  [
    "the token lacks a permission",
    () => refuse(/\/queues/, 403, 9109, "Unauthorized to access requested resource"),
    ['? queues: Not checked. The token can\'t read this: it needs the permission "Account: Queues: Edit".'],
    ["https://dash.cloudflare.com/profile/api-tokens"],
  ],
  [
    "Cloudflare Access is in front",
    () => answerBefore(302, { location: "https://harbour.cloudflareaccess.com/cdn-cgi/access/login" }),
    [
      "✗ answer of qr.example.com: Cloudflare Access asks for a sign-in",
      "✗ answer of app.example.com: Cloudflare Access asks for a sign-in",
      noService,
    ],
    [`${dashboard}/example.com/security`],
  ],
  [
    "a domain has left Cloudflare",
    () => cloudflare.zones.splice(0, 1, { id: "f".repeat(32), name: "example.com", status: "moved" }),
    ["✗ domain qr.example.com: example.com is moved", "✗ domain app.example.com: example.com is moved"],
    [`${dashboard}/example.com`],
  ],
  [
    "a host leads to another Worker",
    () => cloudflare.domains.set("app.example.com", "shop"),
    ["✗ domain app.example.com: It points to shop", "✗ answer of app.example.com:", noService],
    [setup],
  ],
  [
    "a further host leads nowhere",
    () => {
      const file = join(folder, "installations/qr.toml");
      writeFileSync(file, `hosts = ["go.example.com"]\n${readFileSync(file, "utf8")}`);
    },
    ["✗ domain go.example.com: It points to no Worker"],
    ["npm run domains -- add go.example.com --prefix qr"],
  ],
  [
    "a host has no address",
    () => replace({ lookUp: refuseDns("ENOTFOUND") }),
    [
      ...["qr", "app"].map((name) => `✗ DNS of ${name}.example.com: It has no address`),
      ...["qr", "app"].flatMap((name) => [`? certificate of ${name}.`, `? answer of ${name}.`]),
      noService,
    ],
    [dns],
  ],
  [
    "a certificate has ended",
    () =>
      replace({ readCertificate: async () => ({ validTo: Date.now() - 1, problem: "CERT_HAS_EXPIRED" }) }),
    [
      ...["qr", "app"].map((name) => `✗ certificate of ${name}.example.com: It ended on`),
      ...["qr", "app"].map((name) => `? answer of ${name}.`),
      noService,
    ],
    [certificates],
  ],
  [
    "a certificate is of another host",
    () =>
      replace({
        readCertificate: async () => ({
          validTo: Date.now() + 60 * day,
          problem: "ERR_TLS_CERT_ALTNAME_INVALID",
        }),
      }),
    [
      ...["qr", "app"].map((name) => `✗ certificate of ${name}.example.com: Browsers don't trust it`),
      ...["qr", "app"].map((name) => `? answer of ${name}.`),
      noService,
    ],
    [certificates],
  ],
  [
    "certificates aren't renewed",
    () => replace({ readCertificate: async () => ({ validTo: Date.now() + 3.5 * day, problem: undefined }) }),
    [
      "! certificate of qr.example.com: It is valid until",
      "! certificate of app.example.com: It is valid until",
    ],
    [certificates],
  ],
  [
    "the domain's registration ends in days",
    () => {
      registerFor(5);
    },
    ["✗ registration of example.com: It ends on"],
    [registry],
  ],
  [
    "the domain's registration ends in weeks",
    () => {
      registerFor(20);
    },
    ["! registration of example.com: It ends on"],
    [registry],
  ],
  [
    "a later version is deployed",
    () => {
      cloudflare.version = "99.1.0";
    },
    [
      "! answer of qr.example.com: It runs version 99.1.0",
      "! answer of app.example.com: It runs version 99.1.0",
    ],
    ["git pull && npm ci"],
  ],
  [
    "an earlier version is deployed",
    () => {
      cloudflare.version = "0.9.0";
    },
    [
      "! answer of qr.example.com: It runs version 0.9.0",
      "! answer of app.example.com: It runs version 0.9.0",
    ],
    [deploy],
  ],
  [
    "this machine's clock is off",
    () => replace({ now: () => Date.now() + 600_000 }),
    ["! this machine's clock: It is 10 min ahead of the service's"],
    [process.platform === "darwin" ? "sudo sntp" : "sudo timedatectl set-ntp true"],
  ],
  [
    "the service finds a fault itself",
    () => {
      cloudflare.findings = [
        { name: "sweep", status: "failed", what: "It has never run.", mend: "npm run deploy" },
        { name: "secrets", status: "failed", what: "Not set: SESSION_SECRET.", mend: "npm run setup" },
        { name: "ledger", status: "failed", what: "It answered an error.", mend: "npx wrangler tail" },
      ];
    },
    ["✗ sweep: It has never run", "✗ secrets: Not set", "✗ ledger: It answered"],
    [deploy, setup, `npx wrangler tail ${service}`],
  ],
  [
    "the operator's secret is another",
    () => replaceBinding("OPERATOR_SECRET", { text: "another" }),
    ["✗ readiness: The service refuses the operator's secret"],
    [setup],
  ],
  [
    "scans aren't counted",
    () => {
      cloudflare.countsScans = false;
      skipMinutes();
    },
    ["✗ scan: A scan of https://qr.example.com/"],
    [`npx wrangler tail ${service}`],
  ],
  [
    "a quota of the Free plan is nearly used up",
    () => {
      cloudflare.plan = "free";
      cloudflare.used.set("kvOperationsAdaptiveGroups requests write", 850);
    },
    ["! quotas: Nearly used up today: KV writes 85 %."],
    [`${dashboard}/workers/plans`],
  ],
  [
    "a quota of the Free plan is used up",
    () => {
      cloudflare.plan = "free";
      cloudflare.used.set("d1AnalyticsAdaptiveGroups rowsWritten", 100_000);
    },
    ["✗ quotas: Used up until midnight UTC: D1 rows written 100 %."],
    [`${dashboard}/workers/plans`],
  ],
];

describe("a fault is found, with its fix", () => {
  it.each(faults)("%s", async (_, plant, found, commands) => {
    await installed();
    plant();
    const { report, isWell, wrong } = await examine();
    expect(wrong).toEqual(found.map((beginning) => expect.stringContaining(beginning)));
    for (const mend of commands) expect(report).toContain(`\n    ${mend}`);
    expect(isWell).toBe(!found.some((line) => line.startsWith("✗")));
    expect(cloudflare.codes).toEqual([]);
  });
});

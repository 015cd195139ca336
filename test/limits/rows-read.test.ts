import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { PrintJob } from "../../src/contract/resources/images/prints.ts";
import { routes } from "../../src/dashboard/routes.ts";
import type { ScannedCode } from "../../src/protocol/messages.ts";
import { tasks } from "../../src/scheduled/sweep.ts";
import { Browser } from "../support/browser.ts";
import { BulkHarness, goodItems } from "../support/bulk.ts";
import { copiedId, copyRow } from "../support/catalogue/copied-rows.ts";
import { countRows } from "../support/catalogue/sql-rows.ts";
import { bodyHeaders, makeResources, method, somePath, table, validBody } from "../support/endpoints.ts";
import { pageAddress } from "../support/page-addresses.ts";
import { packed, scanRecord } from "../support/scans/scans.ts";
import type { Client, SessionClient } from "../support/service.ts";
import { ledgerOf } from "../support/world/watchable.ts";
import { meterDatabase } from "../support/world/wrapped-database.ts";

/**
 * All that reads the catalogue reads rows in proportion to those that it shows or changes: D1 serves all workspaces on one
 * thread, so that a statement whose plan nobody looked at is felt by everybody.
 */

/** Rows of each kind in the filled workspace. Codes are in folders, and have tags and a domain. */
const sizes = { codes: 2000, folders: 200, tags: 100, domains: 20, others: 60 };

/**
 * The rows that may be read for each row that is returned or written, for each code that is counted, and besides: look-ups of
 * who asks and of caps.
 */
const most = { perRow: 12, perCounted: 1.05, besides: 120 };

/** Requests and tasks that read more rows of the catalogue, with their bound and why. */
const exceptions: Readonly<Record<string, readonly [rows: number, why: string]>> = {
  "/go": [6000, "A search examines a bounded number of codes, whatever it finds"],
  "/codes?q=code+7": [10_000, "A search examines a bounded number of codes, whatever it finds"],
  "/codes?sort=folder": [
    12_000,
    "Sorts a bounded number of codes by what no index has, for which it reads them and their folders",
  ],
  "/settings/plan": [450, "Counts what the workspace has of everything that has a cap"],
  "GET /developer/workspace": [450, "Counts what the workspace has of everything that has a cap"],
  "PATCH /developer/workspace": [500, "Counts what the workspace has of everything that has a cap"],
  "POST /developer/brand/logos": [350, "Counts the workspace's logos"],
  checkDueDomains: [2500, "Lets workspaces take turns, for which it reads up to 500 due domains"],
};

const metered = meterDatabase(env.DB);
const harness = new BulkHarness();
const service = harness.isolate({ db: metered.db });
let client: Client;
let session: SessionClient;
let ids: Record<string, string>;

beforeAll(async () => {
  client = await service.workspace();
  session = await service.sessionIn(client.workspaceId);
  ids = await makeResources(client, session);
  await fill();
});

/** Copies one of each kind until the workspace has many. */
async function fill(): Promise<void> {
  const id = { id: copiedId() };
  const own = `workspace_id = '${client.workspaceId}'`;
  const one = (path: string) => `id = '${ids[path]}'`;
  const others = (tableName: string, where: string, columns = {}) =>
    copyRow(tableName, where, sizes.others, { ...id, ...columns });
  const digest = { digest: "lower(hex(randomblob(32)))" };
  await copyRow("folders", one("/folders"), sizes.folders, {
    ...id,
    name: "'Folder ' || i",
    name_folded: "'folder ' || i",
  });
  await copyRow("domains", one("/developer/domains"), sizes.domains, {
    ...id,
    host: "'go-' || i || '.rows.example'",
  });
  await copyRow("qr_codes", one("/qr"), sizes.codes, {
    ...id,
    hash: "printf('rows%04x', i)",
    hash_folded: "printf('rows%04x', i)",
    name: "'Code ' || i",
    name_folded: "'code ' || i",
    folder_id: `substr('${ids["/folders"]}', 1, 24) || printf('%012x', 1 + i % ${sizes.folders})`,
    tags: `json_array('all', 'tag ' || (i % ${sizes.tags}))`,
    domain: `'go-' || (1 + i % ${sizes.domains}) || '.rows.example'`,
  });
  await others("templates", one("/developer/templates"), { name: "'Template ' || i" });
  await others("saved_lists", one("/developer/lists"), { name: "'List ' || i", name_order: "'LIST ' || i" });
  await others("pages", one("/developer/pages"));
  await others("page_images", one("/developer/page-images"), { id: "lower(hex(randomblob(16)))" });
  await others("logos", one("/developer/brand/logos"), { id: "lower(hex(randomblob(16)))" });
  await others("bulk_jobs", one("/qr/bulk"), { status: "'completed'", completed_at: "created_at" });
  await others("print_jobs", one("/qr/print-jobs"), { status: "'completed'", completed_at: "created_at" });
  await others("api_keys", one("/developer/keys"), digest);
  await others("invitations", one("/developer/invitations"), digest);
  await others("users", `id = '${session.userId}'`, { subject: "'member ' || i" });
  await copyRow("members", own, sizes.others, { user_id: copiedId("user_id"), role: "'viewer'" });
  await scanAll();
}

/** Records a scan of each code, and folds them. */
async function scanAll(): Promise<void> {
  const { workspaceId } = client;
  const codes = env.DB.prepare("SELECT id AS qrId, hash FROM qr_codes WHERE workspace_id = ?");
  const { results } = await codes.bind(workspaceId).all<ScannedCode>();
  const now = service.deps.now();
  const scans = results.map((code) => scanRecord({ ...code, workspaceId, at: now }));
  const ledger = ledgerOf(client);
  await ledger.recordScans(packed(...scans), now);
  await runDurableObjectAlarm(ledger);
}

/**
 * Rows of the ledger that a request or step may read: for each row of the catalogue that is returned, such as a code whose
 * scans are shown, and besides. It has an entry of the history for most that the tests did.
 */
const mostOfLedger = { perRow: 8, besides: 600 };

/** Requests that read more rows of the ledger, with their bound and why. */
const exceptionsOfLedger: typeof exceptions = {
  "/scans.csv": [7000, "Exports all scans"],
  "/settings/plan": [2500, "Adds up the scans of all codes"],
  "GET /scans/export": [7000, "Exports all scans"],
  "PATCH /developer/analytics": [2500, "Begins to count all scans anew, for another time zone"],
  "GET /developer/workspace": [2500, "Adds up the scans of all codes"],
  "PATCH /developer/workspace": [2500, "Adds up the scans of all codes"],
};

/** Requests and steps of this test that read too much. */
let excessive: string[] = [];
afterEach(() => {
  excessive = [];
});

/** Notes what a request or a step reads, and whether that is too much. */
async function meter(name: string, run: () => Promise<unknown>): Promise<void> {
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));
  Object.assign(metered.rows, { read: 0, returned: 0, written: 0, counted: 0 });
  const ofLedger = await countRows(ledger, run);
  const { read, returned, written, counted } = metered.rows;
  const due = most.besides + most.perRow * (returned + written) + most.perCounted * counted;
  const [bound] = exceptions[name] ?? [due];
  if (read > bound) {
    excessive.push(`${name}: ${read} rows, ${returned} returned, ${written} written, ${counted} counted`);
  }
  const [boundOfLedger] = exceptionsOfLedger[name] ?? [mostOfLedger.besides + mostOfLedger.perRow * returned];
  if (ofLedger.read > boundOfLedger) excessive.push(`${name}: ${ofLedger.read} rows of the ledger`);
}

describe("in a workspace with thousands of codes, few rows are read for each that is shown or changed", () => {
  it("by every page of the dashboard", async () => {
    const browser = new Browser(service);
    browser.cookies.set("session", session.cookie.replace("session=", ""));
    const shown: string[] = [];
    for (const { name, path } of pages()) {
      await meter(name, async () => {
        const answer = await browser.open(path);
        await answer.arrayBuffer();
        if (answer.status === 200) shown.push(path);
      });
    }
    expect(excessive).toEqual([]);
    expect(shown.length).toBeGreaterThan(80);
  });

  it("by every step of a job", async () => {
    const tag = { filter: { tag: "tag 1" } };
    const { jobId } = await harness.accepted(await harness.json(client, goodItems(20)));
    await meter("bulk creation", () => harness.drain(service));
    await harness.accepted(await harness.update(client, { ...tag, change: { addTags: ["new"] } }));
    await meter("bulk update", () => harness.drain(service));
    const history = "/developer/history";
    const { items } = await session.expect(200, HistoryList, "GET", `${history}?object=${jobId}`);
    await session.expect(200, Reverted, "POST", `${history}/${items[0]?.id}/revert`);
    await meter("undoing a bulk job", () => harness.drain(service));
    await client.expect(202, PrintJob, "POST", "/qr/images/jobs", { ...tag, format: "svg" });
    const { workspaceId } = client;
    await meter("print job", () => service.consume("prints", [{ body: { workspaceId } }]));
    expect(excessive).toEqual([]);
  });

  it("by every endpoint", async () => {
    // A workspace that is created now is younger than the session's, so that it isn't the one that calls are for.
    harness.clock.advance(1000);
    const order = ["GET", "POST", "PUT", "PATCH", "DELETE"];
    const sorted = table.toSorted((a, b) => order.indexOf(method(a)) - order.indexOf(method(b)));
    const answered: string[] = [];
    const refused: string[] = [];
    for (const endpoint of sorted) {
      const { name, path, auth } = endpoint;
      const id = ids[path.replace(/\/\{.*/, "")] ?? client.workspaceId;
      const by = { key: client, session, person: session, operator: service.operator }[auth];
      await meter(`${method(endpoint)} ${path}`, async () => {
        const answer = await by.send(
          method(endpoint),
          somePath(endpoint, id),
          validBody[name],
          bodyHeaders(endpoint),
        );
        await answer.text();
        if (answer.ok) answered.push(name);
        else refused.push(`${name} ${answer.status}`);
      });
    }
    expect(excessive).toEqual([]);
    // A refusal reads little.
    expect(answered.length, `refused: ${refused.join("; ")}`).toBeGreaterThan(90);
  });

  it("by every task of the sweep", async () => {
    // Everything that is kept for a while is due.
    harness.clock.advance(40 * 86_400_000);
    for (const [name, { run }] of Object.entries(tasks)) await meter(name, () => run(service.deps));
    expect(excessive).toEqual([]);
  });
});

/** The pages by their routes, and their paths with the workspace's own things in them. */
function pages(): { readonly name: string; readonly path: string }[] {
  const segments: Readonly<Record<string, string>> = {
    ...{ codes: "/qr", jobs: "/qr/bulk", prints: "/qr/print-jobs", folders: "/folders" },
    ...{
      pages: "/developer/pages",
      lists: "/developer/lists",
      templates: "/developer/templates",
      logos: "/developer/brand/logos",
    },
    ...{ domains: "/developer/domains", webhooks: "/developer/webhooks", keys: "/developer/keys" },
  };
  const others: Readonly<Record<string, string>> = { choices: "tags", members: session.userId, tags: "all" };
  const idOf = (segment: string) => ids[segments[segment] ?? ""] ?? others[segment] ?? client.workspaceId;
  const names = routes.filter(([verb]) => verb === "GET").map(([, path]) => path);
  return [
    ...names.map((name) => ({ name, path: pageAddress(name, idOf) })),
    ...[
      ...["/codes?q=code+7", "/codes?q=folder:folder", "/codes?order=name", "/codes?sort=folder"],
      ...["/codes/bulk?q=", "/codes/bulk?q=tag:all", "/print?q=&all=on", "/print?q=tag:all&all=on"],
      ...["/print/images?q=tag:all&all=on", "/history?kind=code", "/bin?kind=code", "/folders?cursor="],
    ].map((name) => ({ name, path: `/dashboard${name}` })),
  ];
}

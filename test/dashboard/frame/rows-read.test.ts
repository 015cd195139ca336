import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { countRows } from "../../support/catalogue/sql-rows.ts";
import { pageAt, type SignedInBrowser, signedIn } from "../../support/dashboard.ts";
import { runs } from "../../support/runner/runs.ts";
import { fillYear } from "../../support/scans/analytics.ts";
import { FakeClock, Service } from "../../support/service.ts";
import { meterDatabase } from "../../support/world/wrapped-database.ts";

/** After the scans of `fillYear`. */
const clock = new FakeClock(Date.UTC(2100, 11, 31, 12));
const metered = meterDatabase(env.DB);
const service = new Service({ db: metered.db, now: clock.now });

/**
 * A workspace whose rows come after those of all earlier ones in every index, and before those of later ones: a search that
 * ends at an end of an index reads a row less than one that ends at a neighbour's row.
 */
async function addNeighbour(): Promise<void> {
  clock.advance(1);
  const { client } = await signedIn(service);
  const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Neighbour" });
  const data = { type: "applink" as const, fallback: "https://example.com/" };
  await client.createQr({ qrType: "applink", data, tags: ["neighbour"], folderId: folder.id });
  clock.advance(1);
}

/** The rows that the catalogue and the workspace's ledger read for a page. */
async function rowsReadBy({ browser, client }: SignedInBrowser, path: string) {
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));
  metered.rows.read = 0;
  let page = "";
  const { read } = await countRows(ledger, async () => {
    page = await pageAt(browser, path);
  });
  return { page, rows: { catalogue: metered.rows.read, ledger: read } };
}

describe("the list of codes", () => {
  /** The codes that filters find: in the middle, so that only an index leads to them. One more than a page. */
  const found = 26;

  /** A workspace in whose middle are codes of another type, in a folder and with a tag. */
  async function withCodes(count: number): Promise<SignedInBrowser> {
    const me = await signedIn(service);
    const { id: folderId } = (await (
      await me.client.send("POST", "/folders", { name: "Middle" })
    ).json()) as { id: string };
    const first = Math.floor((count - found) / 2);
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)";
    const isFound = `i BETWEEN ${first} AND ${first + found - 1}`;
    await env.DB.prepare(
      `${numbers} INSERT INTO qr_codes
         (id, workspace_id, hash, version, qr_type, name, data, folder_id, tags, status, created_at, updated_at)
       SELECT substr(?2, 1, 23) || printf('-%012x', i), ?2, substr(?2, 25, 8) || printf('%08d', i), 1,
         iif(${isFound}, 'applink', 'url'), 'Code ' || i,
         json_object('type', iif(${isFound}, 'applink', 'url'), iif(${isFound}, 'fallback', 'url'), 'https://example.com/'),
         iif(${isFound}, ?3, NULL), iif(${isFound}, '["middle"]', '[]'), 'active', ?4, ?4 FROM n`,
    )
      .bind(count, me.client.workspaceId, folderId, clock.now())
      .run();
    return me;
  }

  it("reads as many rows of 1000 codes as of few, in each order and by each filter that has an index", async () => {
    await addNeighbour();
    const [few, many] = [await withCodes(3 * found), await withCodes(1000)];
    await addNeighbour();
    for (const filter of ["", "type:applink", "folder:middle", "tag:middle", "tag:middle type:applink"]) {
      for (const order of ["", "&order=oldest"]) {
        const path = `/dashboard/codes?q=${encodeURIComponent(filter)}${order}`;
        const [small, large] = [await rowsReadBy(few, path), await rowsReadBy(many, path)];
        expect(small.page.match(/class="code-image"/g)).toHaveLength(25);
        expect(large.page.match(/class="code-image"/g)).toHaveLength(25);
        expect([path, large.rows]).toEqual([path, small.rows]);
        // A query that is not counted would be equal, too.
        expect(small.rows.catalogue).toBeGreaterThan(found);
        expect(small.rows.ledger).toBeGreaterThan(0);
      }
    }
  });
});

describe("a search of the codes", () => {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)";
  const usual = bounds.search;
  const count = 10_100;

  it("examines a bounded number of codes for a page, and leads on to the others", async () => {
    clock.advance(1);
    const me = await signedIn(service);
    await env.DB.prepare(
      `${numbers} INSERT INTO qr_codes
         (id, workspace_id, hash, version, qr_type, name, data, tags, status, created_at, updated_at)
       SELECT substr(?2, 1, 23) || printf('-%012x', i), ?2, substr(?2, 25, 8) || printf('%08d', i), 1, 'url',
         iif(i = 0, 'Needle', 'Hay ' || i), '{"type":"url","url":"https://example.com/"}', '[]', 'active', ?3, ?3 FROM n`,
    )
      .bind(count, me.client.workspaceId, clock.now())
      .run();
    await addNeighbour();
    const narrow = { ...usual, entries: 5000, perIndex: 5000, codes: 5000, statements: 1, whole: 0 };
    for (const [q, order] of [
      ["needl", ""],
      ["eedl", ""],
      ["example.com/ needl", ""],
      ["eedl", "&order=oldest"],
    ] as const) {
      Object.assign(bounds, { search: narrow });
      let path = `/dashboard/codes?q=${encodeURIComponent(q)}${order}`;
      const pages: boolean[] = [];
      while (path !== "") {
        const { page, rows } = await rowsReadBy(me, path);
        // Each statement finds where to end in an index, then examines the entries or codes.
        expect([q, order, rows.catalogue < 4 * 5000 + 300]).toEqual([q, order, true]);
        pages.push(page.includes(">Needle</a>"));
        path = /href="([^"]+)" rel="next"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
      }
      expect([q, order, pages.filter((found) => found)]).toEqual([q, order, [true]]);
      expect([q, order, pages.length > 1]).toEqual([q, order, true]);
      Object.assign(bounds, { search: usual });
      const { page } = await rowsReadBy(me, `/dashboard/codes?q=${encodeURIComponent(q)}${order}`);
      expect([page.includes(">Needle</a>"), page.includes('rel="next"')]).toEqual([true, false]);
      expect(page).toContain("<strong>1</strong> of 10,100 codes");
    }
    // Sorted by its name, it is found at once, among a bounded number of codes.
    const sorted = await rowsReadBy(me, "/dashboard/codes?q=needl&sort=name");
    expect(sorted.page).toContain(">Needle</a>");
    expect(sorted.page).not.toContain('rel="next"');
    expect(sorted.rows.catalogue).toBeLessThan(4 * count + 200);
  });
});

describe("bulk jobs", () => {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1)";
  const columns = `id, workspace_id, kind, status, total_items, success_count, failure_count, created_at, completed_at,
    staged_at`;

  /** A workspace with so many jobs, the last of which has so many items; 60 of those have failed. */
  async function withJobs(jobs: number, items: number): Promise<{ me: SignedInBrowser; jobId: string }> {
    clock.advance(1);
    const me = await signedIn(service);
    const { workspaceId } = me.client;
    const idOf = (i: string) => `substr(?2, 1, 23) || printf('-%012x', ${i})`;
    await env.DB.batch([
      env.DB.prepare(
        `${numbers} INSERT INTO bulk_jobs (${columns})
         SELECT ${idOf("i")}, ?2, 'create', 'completed', ?3, ?3 - 60, 60, ?4, ?4, ?4 FROM n`,
      ).bind(jobs, workspaceId, items, clock.now()),
      env.DB.prepare(
        `${numbers} INSERT INTO bulk_items (job_id, row_index, status, error)
         SELECT ${idOf("?3")}, i, iif(i % (?1 / 60) = 0, 'failed', 'succeeded'), 'error' FROM n`,
      ).bind(items, workspaceId, jobs - 1),
    ]);
    const last = (jobs - 1).toString(16).padStart(12, "0");
    return { me, jobId: `${workspaceId.slice(0, 23)}-${last}` };
  }

  it("are read a page at a time, whatever they and their items amount to", async () => {
    const [few, many] = [await withJobs(30, 120), await withJobs(300, 6000)];
    await withJobs(1, 60);
    await addNeighbour();
    for (const page of ["/jobs", "/jobs/ID", "/jobs/ID?show=failed", "/jobs/ID/progress"]) {
      const read = ({ me, jobId }: typeof few) => rowsReadBy(me, `/dashboard${page.replace("ID", jobId)}`);
      const [small, large] = [await read(few), await read(many)];
      expect([page, large.rows]).toEqual([page, small.rows]);
      expect(small.rows.catalogue).toBeGreaterThan(20);
      expect(large.page).toContain('rel="next"');
    }
  });
});

describe("the overview and a code's page", () => {
  /** A workspace whose code was scanned so often in the year. */
  async function withScans(count: number): Promise<{ me: SignedInBrowser; qrId: string }> {
    const me = await signedIn(service);
    const { id: qrId, hash } = await me.client.createQr();
    const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(me.client.workspaceId));
    await fillYear(ledger, count, { qrId, hash, workspaceId: me.client.workspaceId });
    return { me, qrId };
  }

  it("read as many rows for a million scans as for ten thousand", async () => {
    const [few, many] = [await withScans(10_000), await withScans(runs(12_000, 1_000_000))];
    await addNeighbour();
    // A ledger whose alarm has just run reads its state anew, so each page is read twice.
    const pages = ["?range=30d", "?range=12m", "/codes/ID?range=30d", "/codes/ID?range=12m", "/codes"];
    for (const page of pages) {
      const read = async ({ me, qrId }: typeof few) => {
        const path = `/dashboard${page.replace("ID", qrId)}`;
        const [first, second] = [await rowsReadBy(me, path), await rowsReadBy(me, path)];
        return first.rows.ledger < second.rows.ledger ? first : second;
      };
      const [small, large] = [await read(few), await read(many)];
      expect([page, large.rows]).toEqual([page, small.rows]);
      expect(small.rows.ledger).toBeGreaterThan(0);
    }
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import type { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { runs } from "../../support/runner/runs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

/** A CSV as spreadsheets export it: byte order mark, CRLF, quoted cells, non-ASCII text. */
const names = ['"Käse, ""groß"""', '"one, two"', "emoji 🍕", '"=SUM(1,2)"', "Ünïcödé"];
const rows = runs(1000, 10_000);
const spreadsheet = `\ufeffName,URL,Tags\r\n${Array.from(
  { length: rows },
  (_, i) => `${names[i % names.length]},example.com/${i},print|${i % 7}\r\n`,
).join("")}`;

describe("a bulk job and an export through the API", () => {
  let data = "";
  let origin = "";
  let headers: Record<string, string>;
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api/v1${path}`, { ...init, headers: { ...headers, ...init.headers } });

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "qr-export-"));
    const { service } = await OwnWorkspace.create("export");
    origin = service.origin;
    headers = { authorization: `Bearer ${service.key}` };
  });
  afterAll(() => rm(data, { recursive: true }));

  it("processes a spreadsheet, and its results load into DuckDB", async () => {
    const accepted = await api("/qr/bulk", {
      method: "POST",
      headers: { "content-type": "text/csv" },
      body: spreadsheet,
    });
    expect(accepted.status).toBe(202);
    const { jobId } = (await accepted.json()) as { jobId: string };
    const job = async () => (await (await api(`/qr/bulk/${jobId}`)).json()) as BulkJobWithItems;
    await expect.poll(async () => (await job()).status, { timeout: 60_000, interval: 200 }).toBe("completed");
    expect(await job()).toMatchObject({ totalItems: rows, successCount: rows, failureCount: 0 });

    const file = join(data, "results.csv");
    await writeFile(file, await (await api(`/qr/bulk/${jobId}/download`)).text());
    const db = await (await DuckDBInstance.create()).connect();
    const [totals] = (
      await db.runAndReadAll(
        `SELECT count(*)::INT AS n, count(DISTINCT scan_url)::INT AS urls, max("row")::INT AS last FROM '${file}'`,
      )
    ).getRowObjects();
    expect(totals).toEqual({ n: rows, urls: rows, last: rows });
  });

  it("exports CSV and NDJSON that load into DuckDB with equal rows", async () => {
    const list = (await (await api("/qr?limit=100")).json()) as { items: { id: string; hash: string }[] };
    const scans = runs(300, 10_000);
    for (let i = 0; i < scans; i += 1) {
      const agent = `Mozilla/5.0 (X11; Linux x86_64; "quoted", i=${i % 9}) Gecko/20100101 Firefox/140.0`;
      const response = await fetch(`${origin}/${list.items[i % 100]?.hash}`, {
        redirect: "manual",
        headers: { "user-agent": agent },
      });
      expect(response.status).toBe(302);
    }
    const total = async () => {
      const totals = list.items.map(async ({ id }) => {
        const body = (await (await api(`/qr/${id}/scans?limit=1`)).json()) as ScanListResponse;
        return body.stats.total;
      });
      return (await Promise.all(totals)).reduce((sum, count) => sum + count, 0);
    };
    await expect.poll(total, { timeout: 60_000, interval: 500 }).toBe(scans);

    const db = await (await DuckDBInstance.create()).connect();
    for (const format of ["csv", "ndjson"]) {
      const file = join(data, `scans.${format}`);
      await writeFile(file, await (await api(`/scans/export?format=${format}`)).text());
    }
    const summary = async (source: string) =>
      (
        await db.runAndReadAll(
          `SELECT count(*)::INT AS n, count(DISTINCT id)::INT AS ids, count(DISTINCT "qrId")::INT AS codes,
             count(DISTINCT "userAgent")::INT AS agents, min("scannedAt")::VARCHAR AS first FROM ${source}`,
        )
      ).getRowObjects()[0];
    const csv = await summary(`read_csv('${join(data, "scans.csv")}', all_varchar = true)`);
    const ndjson = await summary(
      `read_json('${join(data, "scans.ndjson")}', format = 'newline_delimited', columns = {id: 'VARCHAR',
         qrId: 'VARCHAR', userAgent: 'VARCHAR', scannedAt: 'VARCHAR'})`,
    );
    expect(csv).toMatchObject({ n: scans, ids: scans, codes: 100, agents: 9 });
    expect(ndjson).toEqual(csv);
  });
});

import papaparse from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { runs } from "../../support/runner/runs.ts";
import { OwnWorkspace } from "../support/workspaces.ts";

/** A CSV as spreadsheets export it: byte order mark, CRLF, quoted cells, non-ASCII text. */
const names = ['"Käse, ""groß"""', '"one, two"', "emoji 🍕", '"=SUM(1,2)"', "Ünïcödé"];
const rows = runs(150, 10_000);
const spreadsheet = `\ufeffName,URL,Tags\r\n${Array.from(
  { length: rows },
  (_, i) => `${names[i % names.length]},example.com/${i},print|${i % 7}\r\n`,
).join("")}`;

/** Reads a CSV whose first row has the names of its columns. @throws for what isn't well-formed */
function tableOf(csv: string): Record<string, string>[] {
  const { data, errors } = papaparse.parse<Record<string, string>>(csv.replace(/^\ufeff/, "").trimEnd(), {
    header: true,
  });
  expect(errors).toEqual([]);
  return data;
}

describe("a bulk job and an export through the API", () => {
  let origin = "";
  let headers: Record<string, string>;
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}/api/v1${path}`, { ...init, headers: { ...headers, ...init.headers } });

  beforeAll(async () => {
    const { service } = await OwnWorkspace.create("export");
    origin = service.origin;
    headers = { authorization: `Bearer ${service.key}` };
  });

  it("processes a spreadsheet, and its results are a table", async () => {
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

    const results = tableOf(await (await api(`/qr/bulk/${jobId}/download`)).text());
    expect(results.length).toBe(rows);
    expect(new Set(results.map(({ scan_url }) => scan_url)).size).toBe(rows);
    expect(Math.max(...results.map(({ row }) => Number(row)))).toBe(rows);
  });

  it("exports CSV and NDJSON with equal rows", async () => {
    const list = (await (await api("/qr?limit=100")).json()) as { items: { id: string; hash: string }[] };
    const scans = runs(120, 10_000);
    for (let i = 0; i < scans; i += 1) {
      const agent = `Mozilla/5.0 (X11; Linux x86_64; "quoted", i=${i % 9}) Gecko/20100101 Firefox/140.0`;
      const response = await fetch(`${origin}/${list.items[i % 100]?.hash}`, {
        redirect: "manual",
        headers: { "user-agent": agent },
      });
      expect(response.status).toBe(302);
    }
    const exported = async (format: string) => (await api(`/scans/export?format=${format}`)).text();
    const lines = async () => (await exported("ndjson")).trimEnd().split("\n");
    await expect.poll(async () => (await lines()).length, { timeout: 60_000, interval: 500 }).toBe(scans);

    const fromCsv = tableOf(await exported("csv"));
    const fromJson = (await lines()).map((line) => JSON.parse(line) as Record<string, unknown>);
    const columns = ["id", "qrId", "userAgent", "scannedAt"] as const;
    const cells = (table: readonly Record<string, unknown>[]) =>
      table.map((row) => columns.map((column) => row[column]));
    expect(cells(fromCsv)).toEqual(cells(fromJson));
    const distinct = columns.map((column) => new Set(fromCsv.map((row) => row[column])).size);
    expect(distinct.slice(0, 3)).toEqual([scans, 100, 9]);
  });
});

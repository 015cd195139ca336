import { build } from "../scripts/lib/build.ts";
import { apiKey, memberCookie, workspaceId } from "../scripts/lib/seed.ts";
import type { Benchmark } from "./lib/benchmark.ts";
import { median, table } from "./lib/results.ts";
import { Server } from "./load/server.ts";

const fullSizes = { codes: [500, 50_000, 1_000_000], requests: 9 };
const smokeSizes: typeof fullSizes = { codes: [500], requests: 1 };

/** SQL of the statements with which searches are compared. */
const names = `SELECT count(*) FROM qr_codes c INDEXED BY qr_codes_name WHERE c.workspace_id = ? AND c.deleted_at IS NULL
  AND instr(CASE WHEN c.name IS NULL THEN char(1114111) WHEN c.name_folded IS NULL THEN upper(c.name)
  ELSE c.name_folded END || char(1) || c.id, ?) > 0`;
const whole = `SELECT count(*) FROM qr_codes c WHERE c.workspace_id = ? AND c.deleted_at IS NULL
  AND concat_ws(' ', c.name, c.external_id, c.tags, c.data) LIKE ?`;
const one = "SELECT * FROM qr_codes c WHERE c.workspace_id = ? AND c.external_id = ?";

const searches = [
  { title: "exact own id", q: "ART-000017", bare: { sql: one, value: "ART-000017" } },
  { title: "exact name", q: "Lantern 17", bare: { sql: one, value: "ART-000017" } },
  { title: "prefix", q: "Lantern 1", bare: { sql: one, value: "ART-000017" } },
  { title: "contained in a name", q: "oldest", bare: { sql: names, value: "OLDEST" } },
  { title: "contained in an address", q: "shop7.example/17", bare: { sql: names, value: "OLDEST" } },
  { title: "none", q: "zzqxj", bare: { sql: whole, value: "%zzqxj%" } },
] as const;

/** Searches of codes, compared with bare statements on the same catalogue. */
export const search: Benchmark = {
  title: "Search",
  async run({ smoke }) {
    const sizes = smoke ? smokeSizes : fullSizes;
    const rows: string[][] = [];
    for (const codes of sizes.codes) rows.push(...(await measure(codes, sizes.requests)));
    return (
      `Median of ${sizes.requests} requests, one at a time. The first page alone is measured, and the pages by which it goes on are counted. ` +
      "Bare is one statement: the code with an own id, the names that contain a word, or the codes with it in any text.\n\n" +
      table(["codes", "search", "ms", "catalogue ms", "rows", "bare ms", "bare rows", "ratio", "pages"], rows)
    );
  },
};

async function measure(codes: number, requests: number): Promise<string[][]> {
  const script = await build("bench/workers/searching.ts");
  await using server = await Server.start("search", { size: codes, scans: 0, script }, { pinned: false });
  const headers = { authorization: `Bearer ${apiKey}` };
  const spent = async () =>
    (await (await fetch(`${server.origin}/bench/spent`)).json()) as { rows: number; ms: number };
  const get = async (path: string, as: Record<string, string>) => {
    const start = performance.now();
    const response = await fetch(server.origin + path, { headers: as });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return { ms: performance.now() - start, text };
  };
  const rows: string[][] = [];
  for (const { title, q, bare } of searches) {
    const path = `/api/v1/qr?q=${encodeURIComponent(q)}`;
    const times: number[] = [];
    const catalogue: number[] = [];
    const bareTimes: number[] = [];
    let [read, bareRead] = [0, 0];
    for (let i = 0; i < requests; i += 1) {
      times.push((await get(path, headers)).ms);
      const { rows: all, ms } = await spent();
      [read, catalogue[i]] = [all, ms];
      const answer = await fetch(`${server.origin}/bench/bare`, {
        method: "POST",
        body: JSON.stringify({ sql: bare.sql, params: [workspaceId, bare.value] }),
      });
      const result = (await answer.json()) as { rows: number; ms: number };
      [bareRead, bareTimes[i]] = [result.rows, result.ms];
    }
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null && pages < 100; pages += 1) {
      const next: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      cursor = (JSON.parse((await get(path + next, headers)).text) as { nextCursor: string | null })
        .nextCursor;
    }
    rows.push(
      rowOf(codes, title, median(times), median(catalogue), read, median(bareTimes), bareRead, `${pages}`),
    );
  }
  const cookie = { cookie: await memberCookie() };
  for (const [title, path] of [
    ["palette, while one types", "/dashboard/go/results?q=Lantern+1"],
    ["palette, once one stops", "/dashboard/go/results?q=oldest&whole="],
    ["list of a search", "/dashboard/codes?q=oldest"],
  ] as const) {
    const times: number[] = [];
    const catalogue: number[] = [];
    let read = 0;
    for (let i = 0; i < requests; i += 1) {
      times.push((await get(path, cookie)).ms);
      const { rows: all, ms } = await spent();
      [read, catalogue[i]] = [all, ms];
    }
    rows.push(rowOf(codes, title, median(times), median(catalogue), read, Number.NaN, 0, ""));
  }
  for (const row of rows) console.log(row.join(" | "));
  return rows;
}

const rowOf = (
  ...[codes, title, ms, catalogue, read, bareMs, bareRead, pages]: [
    number,
    string,
    number,
    number,
    number,
    number,
    number,
    string,
  ]
): string[] => [
  String(codes),
  title,
  ms.toFixed(1),
  catalogue.toFixed(1),
  String(read),
  Number.isNaN(bareMs) ? "" : bareMs.toFixed(1),
  Number.isNaN(bareMs) ? "" : String(bareRead),
  Number.isNaN(bareMs) ? "" : `${(catalogue / Math.max(bareMs, 0.1)).toFixed(1)} ×`,
  pages,
];

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { QrSort } from "../../src/contract/resources/enums.ts";
import { endQuery, listQuery } from "../../src/store/codes/list.ts";
import { sortedQuery } from "../../src/store/codes/sorted.ts";

/** Every combination of the list's filters, with and without a cursor. */
const filters = {
  folderId: "f",
  tag: "t",
  qrType: "url" as const,
  status: "active" as const,
  words: ["Name"],
};
const combinations = [...Array(2 ** 5).keys()].map((bits) =>
  Object.fromEntries(Object.entries(filters).filter((_, i) => bits & (1 << i))),
);

const isNoHeading = ({ detail }: { detail: string }) => !detail.startsWith("CORRELATED SCALAR SUBQUERY");

const orders = [
  {},
  { order: "asc" },
  { sort: "name" },
  { sort: "name", order: "desc" },
  { sort: "updatedAt" },
  { sort: "updatedAt", order: "asc" },
] as const;
const positions = [null, "000001764000000\u000101900000-0000-7000-8000-000000000001"];

describe.each(combinations)("listing by %j", (chosen) => {
  it.each(orders.flatMap((order) => positions.map((after) => [order, after] as const)))(
    "ordered by %j, after %j, searches an index in its order",
    async (order, after) => {
      const { sql, params } = listQuery("w", { ...chosen, ...order, limit: 26 }, { after });
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>();
      const plan = results.map((row) => row.detail);
      expect(plan.length).toBeGreaterThan(0);
      const steps = plan.filter((detail) => isNoHeading({ detail }));
      // The index has no ids: those that were changed in the same millisecond are sorted by them.
      const isSorting = (step: string) => step === "USE TEMP B-TREE FOR LAST TERM OF ORDER BY";
      expect(steps.filter(isSorting)).toHaveLength("sort" in order && order.sort === "updatedAt" ? 1 : 0);
      for (const step of steps.filter((each) => !isSorting(each))) {
        expect(step).toMatch(/^SEARCH .* USING ((COVERING )?INDEX|PRIMARY KEY) /);
        expect(step).not.toMatch(/TEMP B-TREE|SCAN/);
      }
    },
  );

  it.each(orders)("ordered by %j, reads entries of an index to find where it ends", async (order) => {
    const end = endQuery("w", { ...chosen, ...order, limit: 26 }, { after: positions[1] ?? null }, 5);
    if (end === null) return;
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${end.sql}`)
      .bind(...end.params)
      .all<{ detail: string }>();
    for (const { detail } of results.filter(isNoHeading))
      expect(detail).toMatch(
        /^SEARCH .* USING ((COVERING )?INDEX|PRIMARY KEY) |^USE TEMP B-TREE FOR LAST TERM OF ORDER BY$/,
      );
  });

  it.each(QrSort.options.filter((sort) => sort !== "createdAt"))(
    "sorted by %s, finds the codes in an index and each by its row",
    async (sort) => {
      const { sql, params } = sortedQuery("w", { ...chosen, limit: 26 }, sort, positions[1] ?? null);
      const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .bind(...params)
        .all<{ detail: string }>();
      const tables = results.map(({ detail }) => detail).filter((step) => /^(SCAN|SEARCH)/.test(step));
      for (const step of tables) {
        expect(step).toMatch(
          /^SCAN (found|i)$|^SEARCH \w+ (EXISTS )?USING ((COVERING )?INDEX|PRIMARY KEY|INTEGER PRIMARY KEY) /,
        );
      }
      expect(tables).toContain("SEARCH c USING INTEGER PRIMARY KEY (rowid=?)");
    },
  );

  it("by the exact name reads only the codes of this name", async () => {
    const { sql, params } = listQuery("w", { ...chosen, exactName: "Menu", limit: 4 });
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    const [step, ...rest] = results.filter(isNoHeading).map(({ detail }) => detail);
    if (!("folderId" in chosen || "tag" in chosen || "qrType" in chosen))
      expect(step).toContain("<expr>>? AND <expr><?");
    expect(rest.filter((each) => each.startsWith("SCAN"))).toEqual([]);
  });

  it("by name begins at the position in the index", async () => {
    const { sql, params } = listQuery("w", { ...chosen, sort: "name", limit: 26 }, { after: "A" });
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    expect(results[0]?.detail).toBe("SEARCH c USING INDEX qr_codes_name (workspace_id=? AND <expr>>?)");
  });

  it("finds their ids in an index", async () => {
    const { sql, params } = listQuery("w", { ...chosen, limit: 1001 }, {}, "c.id");
    const { results } = await env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .bind(...params)
      .all<{ detail: string }>();
    for (const { detail } of results.filter(isNoHeading))
      expect(detail).toMatch(/^SEARCH .* USING ((COVERING )?INDEX|PRIMARY KEY) /);
  });
});

import { env } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import type { Member } from "../../src/domain/context/context.ts";
import { claimFormKey } from "../../src/domain/idempotency.ts";
import { Service } from "../support/service.ts";

const { forms } = limits.idempotency;
afterEach(() => void Object.assign(limits.idempotency, { forms }));

/** The bound of a workspace's rows in each table, whatever has become of them: a new table needs one, too. */
const bounds: Readonly<Record<string, string>> = {
  ...{ qr_codes: "stored_bytes", qr_tags: "those of the code", aliases: "those of the code" },
  ...{ pages: "stored_bytes", page_drafts: "stored_bytes", templates: "stored_bytes" },
  ...{
    bulk_jobs: "job_bytes",
    outbox: "its bytes, which the sweep counts",
    idempotency_records: "stored_bytes, or a person's forms",
  },
  ...{
    saved_lists: "a number, and those that can be restored",
    folders: "the plan, and those that can be restored",
    domains: "the plan, and those that can be restored",
  },
  ...{ api_keys: "live ones, and the latest revoked ones", members: "a number", invitations: "a number" },
  ...{ logos: "a number and bytes", logo_files: "their bytes", page_images: "a number and bytes" },
  ...{ page_image_uses: "those in the page and its draft" },
  ...{ print_jobs: "a number a day", shared_reports: "a number", proposals: "their bytes" },
  ...{
    forwarding_leases: "one",
    waiting_items: "one",
    alert_addresses: "one",
    scan_totals: "those of the codes",
    sessions: "a number of each person",
    abuse_reports: "a number of open ones",
  },
};

it("each table in which a workspace has rows has a bound for all of them", async () => {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%workspace_id%'",
  ).all<{ name: string }>();
  expect(results.map(({ name }) => name).toSorted()).toEqual(Object.keys(bounds).toSorted());
  for (const [table, bound] of Object.entries(bounds)) {
    const [column = ""] = /^\w+_bytes/.exec(bound) ?? [];
    if (column === "") continue;
    const { results: triggers } = await env.DB.prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? AND sql LIKE '%' || ? || ' = ' || ? || '%'`,
    )
      .bind(table, column, column)
      .all();
    expect({ table, counts: triggers.length > 1 }).toEqual({ table, counts: true });
  }
});

it("a person's forms are refused once too many of them are kept", async () => {
  Object.assign(limits.idempotency, { forms: 3 });
  const { deps } = new Service();
  const claim = (key: string, userId = "someone") =>
    claimFormKey(deps, { userId, workspaceId: "tables" } as Member, key);
  expect([await claim("1"), await claim("2"), await claim("2"), await claim("3")]).toEqual([
    ...[true, true, false, true],
  ]);
  await expect(claim("4")).rejects.toMatchObject({ code: "rate_limited" });
  expect(await claim("4", "somebody else")).toBe(true);
});

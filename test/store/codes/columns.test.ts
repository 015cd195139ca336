import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { listedColumns } from "../../../src/store/codes/columns.ts";

/** Columns that a trigger on updates of codes names in its list. */
async function columnsOf(trigger: string): Promise<string[]> {
  const sql = await env.DB.prepare("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = ?")
    .bind(trigger)
    .first<string>("sql");
  return (/UPDATE OF ([\w\s,]+?)\s+ON/.exec(sql ?? "")?.[1] ?? "").split(/,\s*/).toSorted();
}

it.each([
  { trigger: "qr_codes_rerouted", use: "route" },
  { trigger: "qr_codes_resized", use: "counted" },
] as const)("the trigger $trigger runs for the columns that say so", async ({ trigger, use }) => {
  const named = listedColumns.filter((column) => column[use]).map(({ name }) => name);
  expect(await columnsOf(trigger)).toEqual(named.toSorted());
});

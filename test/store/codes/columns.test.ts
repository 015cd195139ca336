import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { codes } from "../../../src/store/codes/columns.ts";

const sqlOf = async (name: string): Promise<string> =>
  (await env.DB.prepare("SELECT sql FROM sqlite_master WHERE name = ?").bind(name).first<string>("sql")) ??
  "";

const counted = codes.columns.filter((column) => column.counted).map(({ name }) => name);
const routed = codes.columns.filter((column) => column.route).map(({ name }) => name);

it.each([
  { trigger: "qr_codes_rerouted", named: routed },
  { trigger: "qr_codes_resized", named: counted },
])("the trigger $trigger runs for the columns that say so", async ({ trigger, named }) => {
  const [, list = ""] = /UPDATE OF ([\w\s,]+?)\s+ON/.exec(await sqlOf(trigger)) ?? [];
  expect(list.split(/,\s*/).toSorted()).toEqual(named.toSorted());
});

it("a code's bytes are those of the columns that say so", async () => {
  const sums = (await sqlOf("qr_codes")).matchAll(/bytes integer GENERATED ALWAYS AS \((.*?)\) VIRTUAL/gs);
  const words = new Set([...sums].flatMap(([, sum = ""]) => sum.match(/\w+/g)));
  const summed = codes.columns.filter(({ name }) => words.has(name)).map(({ name }) => name);
  expect(summed.toSorted()).toEqual(counted.toSorted());
});

it("the trigger qr_codes_rerouted compares every column that it runs for", async () => {
  const sql = await sqlOf("qr_codes_rerouted");
  const compared = [...sql.matchAll(/NEW\.(\w+) (?:<>|IS NOT) OLD\.\1/g)].map(([, name]) => name);
  expect(compared.toSorted()).toEqual(routed.toSorted());
});

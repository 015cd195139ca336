import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import runbooks from "../../docs/operating/runbooks.md?raw";
import { Qr } from "../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { type Edge, World } from "../support/world/world.ts";

const to = (url: string) => ({ data: { type: "url" as const, url } });
const [, republish = ""] = /--command "([^"]+)"/.exec(runbooks) ?? [];

/** A table's rows, to put back what a restored database has. */
async function saved(table: string): Promise<() => Promise<void>> {
  const { results } = await env.DB.prepare(`SELECT * FROM ${table}`).all<Record<string, unknown>>();
  return async () => {
    const ids = JSON.stringify(results.map(({ id }) => id));
    await env.DB.prepare(`DELETE FROM ${table} WHERE id NOT IN (SELECT value FROM json_each(?))`)
      .bind(ids)
      .run();
    for (const { id, ...all } of results) {
      const generated = ["bytes", "index_bytes", "alias_bytes", "destination", "destination_host"];
      const columns = Object.fromEntries(Object.entries(all).filter(([name]) => !generated.includes(name)));
      const changes = Object.keys(columns).map((name, i) => `${name} = ?${i + 2}`);
      const update = env.DB.prepare(`UPDATE ${table} SET ${changes.join(", ")} WHERE id = ?1`);
      await update.bind(id, ...Object.values(columns)).run();
    }
  };
}

it("the runbook for a restored database makes every scan follow it", async () => {
  const world = new World(2);
  const [writer, reader] = world.edges as [Edge, Edge];
  const client = await writer.service.workspace();
  const code = await client.createQr(to("https://example.com/before"));
  const paused = await client.createQr(to("https://example.com/paused"));
  const takeBack = await saved("qr_codes");
  for (const round of [1, 2, 3]) {
    await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, to(`https://example.com/${round}`));
  }
  await client.expect(200, Qr, "PATCH", `/qr/${paused.id}`, { status: "paused" });
  const later = await client.createQr(to("https://example.com/later"));
  const scan = async ({ hash }: { hash: string }) => {
    world.restart(reader);
    const response = await reader.service.fetch(`/${hash}`, { method: "HEAD", cf: reader.cf });
    return response.headers.get("location") ?? response.status;
  };
  await takeBack();
  await env.DB.prepare("DELETE FROM pending_publications").run();
  expect([await scan(code), await scan(paused)]).toEqual(["https://example.com/3", 404]);
  await env.DB.batch(
    republish
      .split(";")
      .filter((statement) => statement.trim() !== "")
      .map((statement) => env.DB.prepare(statement)),
  );
  await world.advance(3 * 60_000);
  expect(await scan(code)).toBe("https://example.com/before");
  expect(await scan(paused)).toBe("https://example.com/paused");

  // The workspace's ledger is newer than the database: it says what happened, and goes on.
  expect((await client.send("GET", `/qr/${later.id}`)).status).toBe(404);
  expect((await client.send("GET", "/analytics")).status).toBe(200);
  await client.expect(200, Qr, "PATCH", `/qr/${code.id}`, to("https://example.com/4"));
  const { items } = await client.expect(200, HistoryList, "GET", `/qr/${code.id}/history`);
  // It was created, changed three times, then once more.
  expect(items).toHaveLength(5);
  await world.advance(60_000);
  expect(await scan(code)).toBe("https://example.com/4");
});

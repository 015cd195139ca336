import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { LedgerOpening } from "../../../src/contract/resources/operations/operations.ts";
import { ledgerMigrations } from "../../../src/objects/ledger/migrations/index.ts";
import type { Client } from "../../support/service.ts";
import { Service } from "../../support/service.ts";
import { receivingNothing } from "../../support/world/away.ts";

const service = new Service();

const ledgerOf = ({ workspaceId }: Client) => env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId));
const recorded = (client: Client) =>
  runInDurableObject(ledgerOf(client), (_, { storage }) => storage.kv.get("schema_version"));
const waiting = () => env.DB.prepare("SELECT count(*) AS n FROM outbox").first("n");

/** Opens the ledgers of all workspaces, page by page. */
async function openAll(by = service) {
  const total = { pages: 0, opened: 0, failed: [] as string[] };
  for (let cursor: string | null = ""; cursor !== null; total.pages += 1) {
    const path = `/operator/ledgers/open${cursor === "" ? "" : `?cursor=${cursor}`}`;
    const page: LedgerOpening = await by.operator.expect(200, LedgerOpening.strict(), "POST", path);
    total.opened += page.opened;
    total.failed.push(...page.failed);
    cursor = page.nextCursor;
  }
  return total;
}

it("opens every workspace's ledger, which takes over what waits for it", async () => {
  const clients = await Promise.all(Array.from({ length: 21 }, () => service.workspace()));
  const [client] = clients;
  if (client === undefined) throw new Error("unreachable");
  await env.DB.prepare("UPDATE workspaces SET has_webhooks = 0").run();
  const away = new Service({ ledger: receivingNothing(service.deps.ledger) });
  await (await away.client(client.workspaceId)).createQr({});
  expect(await waiting()).toBe(1);
  // As a version that counted an additive migration in it.
  await runInDurableObject(ledgerOf(client), (_, { storage }) => {
    storage.kv.put("schema_version", ledgerMigrations.length);
    storage.kv.delete("schema_migrations");
  });
  await evictDurableObject(ledgerOf(client));

  expect(await openAll()).toEqual({ pages: 2, opened: 21, failed: [] });
  expect(await recorded(client)).toBe(1);
  expect(await waiting()).toBe(0);

  const broken = new Service({
    ledger: (id) => {
      if (id === client.workspaceId) throw new Error("the ledger is away");
      return service.deps.ledger(id);
    },
  });
  expect(await openAll(broken)).toEqual({ pages: 2, opened: 20, failed: [client.workspaceId] });
});

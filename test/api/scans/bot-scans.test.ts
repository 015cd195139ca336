import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { exportColumns, ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { mailNetworks } from "../../../src/edge/scans/mail-networks.ts";
import { packScans, type ScanRecord } from "../../../src/edge/scans/pack.ts";
import { isScansMessage } from "../../../src/edge/scans/record.ts";
import { idToHex, newId } from "../../../src/lib/text/ids.ts";
import type { ScanBatch } from "../../../src/protocol/messages.ts";
import type { RemoteLedger } from "../../../src/protocol/workspace-ledger.ts";
import { reportOf } from "../../support/scans/analytics.ts";
import { resize, runAlarms } from "../../support/scans/archives.ts";
import { scanRecord } from "../../support/scans/scans.ts";
import { type Client, phone, Service } from "../../support/service.ts";

const day = 24 * 60 * 60 * 1000;
/** In the future, so that alarms fire only when a test runs them. */
const may = Date.UTC(2100, 4, 10);
const service = new Service({ now: () => may + day });
const desktop =
  "Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/57.0.2987.133 Safari/537.36";
let client: Client;
let code: Qr;

beforeEach(async () => {
  client = await service.workspace();
  code = await client.createQr();
});

const stub = () => env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));

let made = 0;
const scan = (more: Partial<ScanRecord> = {}, of: { id: string; hash: string } = code) => {
  made += 1;
  return scanRecord({ at: may + made, workspaceId: client.workspaceId, qrId: of.id, hash: of.hash, ...more });
};

const consume = async (batches: readonly ScanBatch[]) => {
  const body: unknown = JSON.parse(JSON.stringify({ batches }));
  expect(isScansMessage(body)).toBe(true);
  expect((await service.consume("scans", [{ body }])).retryMessages).toEqual([]);
};

const list = (query: string, of = code.id) =>
  client.expect(200, ScanListResponse, "GET", `/qr/${of}/scans?${query}`);

const exported = async (query: string): Promise<string[]> => {
  const response = await client.send("GET", `/scans/export?${query}`);
  expect(response.status).toBe(200);
  return (await response.text()).split(/\r?\n/).filter((line) => line !== "");
};

/** One scan by a person, then one by each of these rules. */
const rules = ["apple-fetch", "isbot", "prefetch", "mail-scanner"];
const oneOfEach = () => [
  scan(),
  scan({ userAgent: "Siri/1 CFNetwork/1128.0.1 Darwin/19.6.0", via: "go.example" }),
  scan({ userAgent: "Googlebot/2.1" }),
  scan({ prefetch: true }),
  scan({ userAgent: desktop, isMailNetwork: true }),
];

describe("scans by bots", () => {
  it("say in the list by which rule they are bots', and human scans are listed alone by default", async () => {
    await consume(packScans(oneOfEach()));
    const rulesOf = async (query: string) => (await list(query)).events.map(({ botRule }) => botRule);
    expect(await rulesOf("")).toEqual([undefined]);
    expect(await rulesOf("kind=human")).toEqual([undefined]);
    expect(await rulesOf("kind=bot")).toEqual([...rules].reverse());
    expect(await rulesOf("kind=all")).toEqual([...[...rules].reverse(), null]);
    const { stats, events } = await list("kind=bot&limit=1");
    expect(stats).toEqual({ total: 1, uniqueVisitors: 1 });
    expect(events).toMatchObject([
      { country: null, city: null, device: "desktop", os: "Windows", userAgent: desktop, via: null },
    ]);
  });

  it("are filtered, and read page by page, as human scans are", async () => {
    const other = await client.createQr();
    const own = [scan(), scan({ prefetch: true }), scan(), scan({ userAgent: "Googlebot/2.1" })];
    await consume(packScans([...own, scan({ prefetch: true }, other), scan({}, other)]));
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await list(`kind=all&limit=1${cursor}`);
      found.push(...page.events.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(found).toEqual(own.map(({ id }) => id).reverse());
    expect((await list("kind=bot&os=ios")).events.map(({ id }) => id)).toEqual([own[1]?.id]);
    expect((await list("kind=bot&country=DE")).events).toEqual([]);
    const { nextCursor } = await list("kind=all&limit=1");
    for (const [path, problem] of [
      [`/qr/${code.id}/scans?kind=bot&limit=1&cursor=${nextCursor}`, "cursor"],
      [`/qr/${code.id}/scans?kind=robots`, "kind"],
      ["/scans/export?kind=robots", "kind"],
    ] as const) {
      const refused = await client.send("GET", path);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining(problem)]);
    }
  });

  it("are exported on request, with a last column for the rule", async () => {
    const other = await client.createQr();
    const own = oneOfEach();
    await consume(packScans([...own, scan({ prefetch: true }, other)]));
    expect((await exported(""))[0]).toBe(exportColumns.join(","));
    expect(await exported("")).toHaveLength(2);
    const [head, person, ...bots] = await exported(`kind=all&qrId=${code.id}`);
    expect(head).toBe([...exportColumns, "botRule"].join(","));
    expect(person?.endsWith(",")).toBe(true);
    expect(bots.map((line) => line.split(",").at(-1))).toEqual(rules);
    const lines = (await exported("kind=bot&format=ndjson")).map((line) => JSON.parse(line));
    expect(lines.map(({ botRule }) => botRule)).toEqual([...rules, "prefetch"]);
    expect(Object.keys(lines[0])).toEqual([...exportColumns, "botRule"]);
    expect(lines[0]).toMatchObject({ id: own[1]?.id, qrId: code.id, country: null, via: null });
    expect((await exported("kind=human&format=ndjson")).map((line) => Object.keys(JSON.parse(line)))).toEqual(
      [[...exportColumns]],
    );
  });

  it("are exported whole and in order, also in pages of both kinds", async () => {
    const other = await client.createQr();
    const scans = Array.from({ length: 2500 }, (_, i) =>
      scan({ prefetch: i % 3 !== 0 }, i % 5 === 0 ? other : code),
    );
    for (let from = 0; from < scans.length; from += 500) {
      await service.deps
        .ledger(client.workspaceId)
        .recordScans(packScans(scans.slice(from, from + 500)), may);
    }
    const idsOf = async (query: string) =>
      (await exported(`format=ndjson&${query}`)).map((line) => (JSON.parse(line) as { id: string }).id);
    const expected = (isWanted: (each: ScanRecord) => boolean) => scans.filter(isWanted).map(({ id }) => id);
    expect(await idsOf("kind=all")).toEqual(expected(() => true));
    expect(await idsOf("kind=bot")).toEqual(expected(({ prefetch }) => prefetch));
    expect(await idsOf(`kind=all&qrId=${other.id}`)).toEqual(expected(({ qrId }) => qrId === other.id));
    expect(await idsOf(`kind=bot&qrId=${other.id}`)).toEqual(
      expected(({ qrId, prefetch }) => prefetch && qrId === other.id),
    );
    const page = { from: 0, until: may * 2, after: null, format: "csv", indexed: true } as const;
    const cut = await stub().exportPage({ ...page, qrId: other.id, limit: 2, kind: "bot" });
    expect([cut.ids.length, cut.more, cut.last === cut.ids[1]]).toEqual([2, true, true]);
  });

  it("keep their rule in the archive", async () => {
    await consume(packScans(oneOfEach().slice(1)));
    await runInDurableObject(stub(), (_, { storage }) => {
      storage.sql.exec("UPDATE bot_scans SET rule = 0 WHERE id = (SELECT max(id) FROM bot_scans)");
    });
    const before = await exported("kind=bot");
    await resize(stub(), 6e9);
    await stub().changeReporting({}, may + 40 * day);
    await runAlarms(stub(), may + 40 * day);
    await resize(stub(), 1e6);
    expect((await stub().storage()).archive.files).toBe(1);
    expect(await exported("kind=bot")).toEqual(before);
    expect(await exported("kind=all")).toEqual(before);
    expect(before.map((line) => line.split(",").at(-1))).toEqual([
      "botRule",
      ...rules.slice(0, 3),
      "unknown",
    ]);
    expect(await exported("format=ndjson")).toEqual([]);
  });

  it("of 1.1.0 have an unknown rule, and its Workers and objects keep working", async () => {
    await consume(packScans(oneOfEach()));
    await runInDurableObject(stub(), (_, { storage }) => {
      const { sql } = storage;
      sql.exec(
        "INSERT INTO bot_scans (id, code, agent) SELECT unhex(?), code, agent FROM bot_scans LIMIT 1",
        idToHex(newId(may + day)),
      );
    });
    expect((await list("kind=bot&limit=1")).events[0]?.botRule).toBe("unknown");
    // A Worker of 1.1.0 asks for no kind.
    const range = { from: 0, until: may * 2, after: null };
    const page = await stub().exportPage({ ...range, qrId: null, format: "csv", limit: 10, indexed: true });
    expect(page.ids).toHaveLength(1);
    // An object of 1.1.0 reads human scans alone, and says nothing about bots.
    const older = new Service({
      now: service.deps.now,
      ledger: (id) => withoutBots(service.deps.ledger(id)),
    });
    const reader = await older.client(client.workspaceId);
    for (const path of [`/qr/${code.id}/scans?`, "/scans/export?"]) {
      expect((await reader.send("GET", `${path}kind=human`)).status).toBe(200);
      const refused = await reader.send("GET", `${path}kind=bot`);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "10"]);
    }
  });

  it("by an agent that 1.1.0 took for a person's are sorted again, and the other way round", async () => {
    const [dart, wechat] = ["Dart/3.1 (dart:io)", `${phone} MicroMessenger/8.0 Process/tools`];
    await consume(packScans([scan({ userAgent: dart }), scan({ userAgent: wechat })]));
    await runInDurableObject(stub(), (_, { storage }) => {
      storage.sql.exec("UPDATE agents SET bot = 1 - bot");
    });
    await evictDurableObject(stub());
    await consume(packScans([scan({ userAgent: dart }), scan({ userAgent: wechat })]));
    const { totals } = await reportOf(stub(), { from: "2100-05-10", to: "2100-05-10" });
    expect([totals.scans, totals.botScans]).toEqual([2, 2]);
  });

  it("count once if the message arrives again after the rules have changed", async () => {
    const [person, bot] = [scan(), scan({ userAgent: "Dart/3.1 (dart:io)" })];
    await consume(packScans([person, bot]));
    await consume(
      packScans([
        { ...person, prefetch: true },
        { ...bot, userAgent: phone },
      ]),
    );
    const { totals } = await reportOf(stub(), { from: "2100-05-10", to: "2100-05-10" });
    expect([totals.scans, totals.botScans]).toEqual([1, 1]);
  });
});

/** A ledger as an object of 1.1.0 answers: it ignores the kind. */
function withoutBots(ledger: RemoteLedger): RemoteLedger {
  return new Proxy(ledger, {
    get: (target, name) => {
      if (name === "listScans") {
        return async (...call: Parameters<typeof target.listScans>) => {
          const { bots: _, ...page } = await target.listScans(...call);
          return page;
        };
      }
      if (name === "exportSources") {
        return async (...call: Parameters<typeof target.exportSources>) => {
          const { bots: _, ...sources } = await target.exportSources(...call);
          return sources;
        };
      }
      return Reflect.get(target, name);
    },
  });
}

describe("a program that checks the links in mail", () => {
  const sorted = async (headers: Record<string, string>, cf: object) => {
    const messages: { batches: ScanBatch[] }[] = [];
    const send = async (message: { batches: ScanBatch[] }) => messages.push(structuredClone(message));
    const edge = new Service({ scanQueue: { ...env.SCANS, send } as unknown as Queue });
    expect(
      (await edge.fetch(`/${code.hash}`, { headers, cf: cf as IncomingRequestCfProperties })).status,
    ).toBe(302);
    for (const { batches } of messages) await consume(batches);
    return (await list("kind=all&limit=1")).events[0]?.botRule;
  };

  it.each([...mailNetworks])("is a bot in the network %i of %s, as a computer's browser", async (asn) => {
    expect(await sorted({ "user-agent": desktop }, { asn, country: "IE" })).toBe("mail-scanner");
  });

  it.each([
    ["a phone", { "user-agent": phone }, { asn: 8075 }],
    ["a link on a page", { "user-agent": desktop, referer: "https://news.example/" }, { asn: 8075 }],
    ["another network", { "user-agent": desktop }, { asn: 3320 }],
    ["an unknown network", { "user-agent": desktop }, {}],
    ["a network by its name", { "user-agent": desktop }, { asn: "8075" }],
    ["no agent", { "user-agent": "" }, { asn: 8075 }],
    [
      "an agent without a browser",
      { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:1)" },
      { asn: 8075 },
    ],
    ["a tool in the terminal", { "user-agent": "curl/8.7.1" }, { asn: 8075 }],
  ])("isn't seen in a scan by %s", async (_, headers, cf) => {
    expect(await sorted(headers, cf)).toBeNull();
  });

  it("is marked in a message that 1.1.0 reads as well", () => {
    const [batch] = packScans([scan({ isMailNetwork: true }), scan()]);
    expect(batch?.places).toEqual([
      { country: "DE", city: "Köln", isMailNetwork: true },
      { country: "DE", city: "Köln" },
    ]);
    expect(batch?.scans.map((each) => each.length)).toEqual([7, 7]);
  });
});

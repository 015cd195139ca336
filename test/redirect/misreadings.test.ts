import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import { reportedHash } from "../support/abuse-reports.ts";
import { promptQueue } from "../support/scans/prompt-queue.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { setSuspension } from "../support/suspension.ts";
import { expectRefused } from "../support/types.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const at = { service, clock };
let client: Client;
let foreign: Client;

beforeAll(async () => {
  client = await service.workspace();
  foreign = await service.workspace();
});

const taken = /^hash is taken. Choose another.$/;
const choose = (hash: string, by = client) =>
  by.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "https://example.com/" }, hash });
const misread = (hash: string) => hash.replaceAll("0", "o").replaceAll("1", "l");
/** A code whose generated hash can be misread. */
async function misreadable(by = client): Promise<Qr> {
  for (;;) {
    const qr = await by.createQr();
    if (misread(qr.hash) !== qr.hash) return qr;
  }
}
const located = async (path: string, edge = service) => (await edge.scan(path)).headers.get("location");

describe("a misreading", () => {
  it("of a generated hash finds the code, whose hash its scans carry", async () => {
    const qr = await misreadable();
    for (const path of [misread(qr.hash), misread(qr.hash).toUpperCase(), qr.hash.replaceAll("1", "i")]) {
      const edge = new Service({ now: clock.now, scanQueue: promptQueue });
      expect([path, await located(path, edge)]).toEqual([path, "https://example.com/"]);
    }
    // An export ends at its own time.
    clock.advance(60_000);
    const exported = await (await client.send("GET", "/scans/export?format=csv")).text();
    expect(exported.split(`,${qr.id},${qr.hash},`)).toHaveLength(4);
  });

  it("of a generated hash finds its image, and suspends and reports its code", async () => {
    const qr = await misreadable();
    expect((await service.fetch(`/${misread(qr.hash)}.svg`)).status).toBe(200);
    expect(await reportedHash(at, misread(qr.hash))).toBe(qr.hash);
    await setSuspension(at, "qr", misread(qr.hash).toUpperCase());
    expect((await service.scan(qr.hash)).status).toBe(403);
  });

  it("of a generated hash can't be chosen, so that no scan of the code is captured", async () => {
    const { hash } = await misreadable(foreign);
    for (const reading of new Set([
      misread(hash),
      hash.replace(/[01]/, (char) => (char === "0" ? "o" : "i")),
    ])) {
      await expectRefused(await choose(reading), taken);
    }
    const deleted = await misreadable(foreign);
    await foreign.send("DELETE", `/qr/${deleted.id}`);
    await expectRefused(await choose(misread(deleted.hash)), taken);
  });

  it.each([
    ["menu20ed", "menu2oed"],
    ["bar-20ed", "bar-2oed"],
    ["club10ed", "clubl0ed"],
    ["salon-oslo", "sa10n-0s10"],
    ["a1-long-name-of-2020", "al-long-name-of-2o2o"],
  ])("of the chosen short name %s finds the code, its image, and a change at once", async (hash, reading) => {
    const qr = await client.createQr({ hash });
    const edge = new Service({ now: clock.now });
    expect(await located(reading, edge)).toBe("https://example.com/");
    expect(await located(reading.toUpperCase(), edge)).toBe("https://example.com/");
    expect((await service.fetch(`/${reading}.svg`)).status).toBe(200);
    expect(await reportedHash(at, reading)).toBe(hash);
    await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url: "https://changed.example/" } });
    clock.advance(1001);
    expect(await located(reading, edge)).toBe("https://changed.example/");
    await client.send("DELETE", `/qr/${qr.id}`);
    clock.advance(1001);
    expect((await edge.scan(reading)).status).toBe(404);
  });

  it("of a chosen short name can't be chosen, by anybody, in either order and at the same time", async () => {
    await client.createQr({ hash: "sale2020" });
    for (const hash of ["sale2o2o", "sa1e2020", "saie2o20"]) {
      await expectRefused(await choose(hash), taken);
      await expectRefused(await choose(hash, foreign), taken);
    }
    // 5 and s, 2 and z are both of generated hashes, and no misreadings.
    await client.createQr({ hash: "5a1ezo20" });
    await foreign.createQr({ hash: "shop20f3" });
    await expectRefused(await choose("shop2of3"), taken);
    await foreign.createQr({ hash: "soho-loft" });
    await expectRefused(await choose("s0h0-10ft"), taken);
    const readings = ["o-at-once", "0-at-once", "o-at-0nce", "0-at-0nce"];
    const answers = await Promise.all(readings.map((hash, i) => choose(hash, i % 2 ? client : foreign)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });

  it("is none where a code has the hash as it was read, as codes may from before this rule", async () => {
    await client.createQr({ hash: "lolilool", data: { type: "url", url: "https://a.example/" } });
    const { id } = await foreign.createQr({ data: { type: "url", url: "https://b.example/" } });
    await env.DB.prepare("UPDATE qr_codes SET hash = '10111001' WHERE id = ?").bind(id).run();
    // Also in an isolate that remembers the other code.
    const edge = new Service();
    expect(await located("10111001", edge)).toBe("https://b.example/");
    expect(await located("lolilool", edge)).toBe("https://a.example/");
    expect(await located("LOLILOOL", edge)).toBe("https://a.example/");
    expect(await located("lollloo1", edge)).toBe("https://a.example/");
    expect(await reportedHash(at, "lolilool")).toBe("lolilool");
    await setSuspension(at, "qr", "lolilool");
    expect(await located("10111001", new Service({ now: clock.now }))).toBe("https://b.example/");
  });

  it("costs a network that guesses two reads of the catalogue at most, and none once it is known", async () => {
    const qr = await client.createQr({ hash: "bounded-reads" });
    let reads = 0;
    const db = wrapDatabase(env.DB, (work, sql) => {
      if (sql !== undefined && /\bqr_codes\b/.test(sql)) reads += 1;
      return work();
    });
    const edge = new Service({ now: clock.now, db });
    const readsOf = async (path: string) => {
      reads = 0;
      const { status } = await edge.scan(path);
      return [path, status, reads];
    };
    expect(await readsOf("no-such-name")).toEqual(["no-such-name", 404, 2]);
    // Without a character that is read for another, there are no misreadings.
    expect(await readsOf("abcdefgh")).toEqual(["abcdefgh", 404, 1]);
    expect(await readsOf("b0unded-reads")).toEqual(["b0unded-reads", 302, 2]);
    expect(await readsOf("b0unded-reads")).toEqual(["b0unded-reads", 302, 0]);
    expect(qr.hash).toBe("bounded-reads");
  });

  it("is answered 503 if the catalogue can't be read", async () => {
    await client.createQr({ hash: "down-name" });
    const db = wrapDatabase(env.DB, (work, sql) =>
      sql?.includes("hash_folded =") ? Promise.reject(new Error("D1 is down")) : work(),
    );
    expect((await new Service({ now: clock.now, db }).scan("d0wn-name")).status).toBe(503);
  });

  it("is found for a throttled network, too", async () => {
    const qr = await misreadable();
    const headers = { "cf-connecting-ip": "192.0.2.91" };
    const edge = new Service({ unknownHashLimit: { limit: async () => ({ success: false }) } });
    expect((await edge.scan("no-such", headers)).status).toBe(404);
    expect((await edge.scan(misread(qr.hash), headers)).status).toBe(302);
    const { hash } = await client.createQr({ hash: "thr0ttled" });
    expect((await edge.scan("throttied", headers)).status).toBe(302);
    expect(hash).toBe("thr0ttled");
    expect((await edge.scan("lo-such", headers)).status).toBe(429);
  });
});

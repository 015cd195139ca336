import { beforeAll, describe, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/qr.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { reportedHash } from "../support/reports.ts";
import { setSuspension } from "../support/suspension.ts";
import { expectRefused } from "../support/types.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
const at = { service, clock };
let client: Client;
let foreign: Client;

beforeAll(async () => {
  client = await service.workspace();
  foreign = await service.workspace();
});

const taken = /^hash: is taken; choose another$/;
const choose = (hash: string) =>
  client.send("POST", "/qr", { qrType: "url", data: { type: "url", url: "https://example.com/" }, hash });
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
      const edge = new Service({ now: clock.now });
      expect([path, await located(path, edge)]).toEqual([path, "https://example.com/"]);
    }
    // An export ends at its own time.
    clock.advance(60_000);
    const exported = async () => (await client.send("GET", "/scans/export?format=csv")).text();
    await expect.poll(async () => (await exported()).split(`,${qr.id},${qr.hash},`).length).toBe(4);
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

  it("is none where a code has the hash as it was read", async () => {
    await client.createQr({
      hash: "lolilool",
      data: { type: "url", url: "https://a.example/" },
    });
    expect(await located("lolilool", new Service())).toBe("https://a.example/");
    expect(await located("LOLILOOL", new Service())).toBe("https://a.example/");
    expect((await service.scan("10111001")).status).toBe(404);
    await foreign.createQr({ hash: "10111001", data: { type: "url", url: "https://b.example/" } });
    // Also in an isolate that remembers the other code.
    const edge = new Service();
    expect(await located("10111001", edge)).toBe("https://b.example/");
    expect(await located("lolilool", edge)).toBe("https://a.example/");
    expect(await located("lollloo1", edge)).toBe("https://b.example/");
    expect(await reportedHash(at, "lolilool")).toBe("lolilool");
    await setSuspension(at, "qr", "lolilool");
    expect(await located("10111001", new Service({ now: clock.now }))).toBe("https://b.example/");
  });

  it("is found for a throttled network, too", async () => {
    const qr = await misreadable();
    const headers = { "cf-connecting-ip": "192.0.2.91" };
    const edge = new Service();
    let status = 0;
    for (let i = 0; status !== 429; i += 1) status = (await edge.scan(`no-such-${i}`, headers)).status;
    expect((await edge.scan(misread(qr.hash), headers)).status).toBe(302);
    expect((await edge.scan("lo-such", headers)).status).toBe(429);
  });
});

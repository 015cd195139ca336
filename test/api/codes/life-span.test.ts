import { beforeAll, describe, expect, it } from "vitest";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import { runs } from "../../support/runner/runs.ts";
import { HeldScans } from "../../support/scans/held-scans.ts";
import { type Client, emittedEvents } from "../../support/service.ts";
import { setSuspension } from "../../support/suspension.ts";
import { expectRefused } from "../../support/types.ts";

const harness = new BulkHarness();
const { clock, service } = harness;
let client: Client;
/** A code that no test changes. */
let unchanged: Qr;

beforeAll(async () => {
  client = await service.workspace();
  unchanged = await client.createQr();
});

const fallbackUrl = "https://example.com/closed";
const inMinutes = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString();
const patch = (id: string, body: object) => client.expect(200, Qr, "PATCH", `/qr/${id}`, body);
const changesOf = (id: string) =>
  emittedEvents().flatMap(({ kind, data }) => (kind === "qr.updated" && data.id === id ? [data] : []));

/** Where a scan is led, or its status. */
async function outcome(hash: string, edge = service) {
  const response = await edge.scan(hash);
  expect(response.headers.get("cache-control")).toBe("no-store");
  return response.headers.get("location") ?? response.status;
}

describe("the life span of a code", () => {
  it("is decided by the clock at the moment of the scan, also in an isolate that remembers the route", async () => {
    const qr = await client.createQr({ startsAt: inMinutes(1), expiresAt: inMinutes(2), fallbackUrl });
    const scans = new HeldScans();
    const edge = harness.isolate({ scanQueue: scans.queue });
    const outcomes = [];
    for (const milliseconds of [0, 59_999, 1, 59_999, 1]) {
      clock.advance(milliseconds);
      outcomes.push(await outcome(qr.hash, edge));
    }
    const open = "https://example.com/";
    expect(outcomes).toEqual([fallbackUrl, fallbackUrl, open, open, fallbackUrl]);
    expect(changesOf(qr.id)).toEqual([]);
    await scans.deliver(service);
    const { stats } = await client.expect(200, ScanListResponse, "GET", `/qr/${qr.id}/scans`);
    expect(stats.total).toBe(2);
  });

  it("leads to a page that says so without a fallback, whose changes scans follow", async () => {
    const qr = await client.createQr({ expiresAt: inMinutes(-1) });
    const edge = harness.isolate();
    expect(await outcome(qr.hash, edge)).toBe(404);
    const steps: [change: object, result: string | number][] = [
      [{ fallbackUrl: "example.com/closed" }, fallbackUrl],
      [{ expiresAt: null }, "https://example.com/"],
      [{ startsAt: inMinutes(5) }, fallbackUrl],
      [{ startsAt: null, status: "paused" }, fallbackUrl],
      [{ fallbackUrl: null }, 404],
      [{ status: "active" }, "https://example.com/"],
    ];
    for (const [change, result] of steps) {
      const changed = await patch(qr.id, change);
      clock.advance(1001);
      expect([change, await outcome(qr.hash, edge)]).toEqual([change, result]);
      expect(changesOf(qr.id).at(-1)).toEqual({ ...changed, changed: expect.anything() });
      expect(new Set(changesOf(qr.id).at(-1)?.changed as string[])).toEqual(new Set(Object.keys(change)));
    }
  });

  it("has no fallback while the code is suspended or after it was deleted", async () => {
    const qr = await client.createQr({ expiresAt: inMinutes(-1), fallbackUrl });
    await setSuspension({ service, clock }, "qr", qr.id, { reason: "Phishing" });
    expect(await outcome(qr.hash, harness.isolate())).toBe(403);
    await client.send("DELETE", `/qr/${qr.id}`);
    expect(await outcome(qr.hash, harness.isolate())).toBe(404);
  });

  it("reads back in UTC; equal values are no change", async () => {
    const qr = await client.createQr({ startsAt: "2031-01-01T01:00:00+01:00", fallbackUrl });
    expect(qr).toMatchObject({ startsAt: "2031-01-01T00:00:00.000Z", expiresAt: null, fallbackUrl });
    expect(await patch(qr.id, { startsAt: "2030-12-31T23:00:00-01:00" })).toEqual(qr);
    expect(await patch(qr.id, qr)).toEqual(qr);
    expect(changesOf(qr.id)).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    [
      "a local time",
      { startsAt: "2030-01-01T00:00:00" },
      /^startsAt must be a date and time with a time zone/,
    ],
    ["a date", { expiresAt: "2030-01-01" }, /^expiresAt must be a date and time/],
    [
      "a time before 1970",
      { startsAt: "1969-12-31T23:59:59Z" },
      /^startsAt must be between the years 1970 and 9999/,
    ],
    [
      "the year 10000 in UTC",
      { startsAt: "9999-12-31T23:59:59-23:59" },
      /^startsAt must be between the years 1970 and 9999/,
    ],
    [
      "an end before the start",
      { startsAt: "2030-01-02T00:00:00Z", expiresAt: "2030-01-01T00:00:00Z" },
      /^expiresAt must be after startsAt\.$/,
    ],
    [
      "an end at the start",
      { startsAt: "2030-01-02T00:00:00Z", expiresAt: "2030-01-02T01:00:00+01:00" },
      /^expiresAt must be after startsAt\.$/,
    ],
    ["a fallback that is no address", { fallbackUrl: "javascript:alert(1)" }, /^fallbackUrl must be an http/],
    ["a fallback to this service", { fallbackUrl: "http://localhost:8787/x" }, /^fallbackUrl can't lead/],
  ])("may not be %s", async (_, body, problem) => {
    const code = { qrType: "url", data: { type: "url", url: "example.com" } };
    await expectRefused(await client.send("POST", "/qr", { ...code, ...body }), problem);
    await expectRefused(await client.send("PATCH", `/qr/${unchanged.id}`, body), problem);
    const job = await harness.accepted(await harness.json(client, [{ ...code, ...body }]));
    expect((await harness.read(client, job.jobId)).items[0]?.error).toMatch(problem);
  });

  it("is judged with the time that stays, also if both are changed at once", async () => {
    for (let round = 0; round < runs(1, 5); round += 1) {
      const { id } = await client.createQr({
        startsAt: "2030-01-01T00:00:00Z",
        expiresAt: "2030-12-01T00:00:00Z",
      });
      const problem = /^expiresAt must be after startsAt\.$/;
      await expectRefused(
        await client.send("PATCH", `/qr/${id}`, { expiresAt: "2029-01-01T00:00:00Z" }),
        problem,
      );
      const sent = await Promise.all(
        [{ startsAt: "2030-08-01T00:00:00Z" }, { expiresAt: "2030-04-01T00:00:00Z" }].map((body) =>
          client.send("PATCH", `/qr/${id}`, body),
        ),
      );
      expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      for (const response of sent) if (!response.ok) await expectRefused(response, problem);
    }
  });

  it("may not have a fallback to a blocked host, also one that was blocked after a bulk job was accepted", async () => {
    const code = { ...item(1), fallbackUrl: "https://a.evil-fallback.example/x" };
    const existing = await client.createQr({ fallbackUrl: code.fallbackUrl });
    const queued = await harness.accepted(await harness.json(client, [code, item(2)]));
    clock.advance(60_000);
    const body = { host: "evil-fallback.example", reason: "phishing" };
    const blocked = await service.operator.send("POST", "/operator/blocked-hosts", body);
    expect(await blocked.json()).toMatchObject({ codes: { found: 1 } });
    clock.advance(60_000);
    await expectRefused(await client.send("POST", "/qr", code), /^fallbackUrl leads to a blocked host\.$/);
    const path = `/qr/${existing.id}`;
    const again = await client.send("PATCH", path, { fallbackUrl: `${code.fallbackUrl}/other` });
    await expectRefused(again, /^fallbackUrl leads to a blocked host\.$/);
    await harness.drain();
    const { items } = await harness.read(client, queued.jobId);
    expect(items.map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });
});

describe("campaign parameters", () => {
  const withUrl = (url: string, utm: object) => client.createQr({ data: { type: "url", url }, utm });

  it.each([
    ["https://example.com", "https://example.com?utm_source=a+b&utm_term=%C3%A4%26"],
    ["https://example.com/?", "https://example.com/?utm_source=a+b&utm_term=%C3%A4%26"],
    [
      "https://example.com/x?y=%20&z#f?g",
      "https://example.com/x?y=%20&z&utm_source=a+b&utm_term=%C3%A4%26#f?g",
    ],
    ["https://example.com/?utm_term=own#f", "https://example.com/?utm_term=own&utm_source=a+b#f"],
    ["https://example.com/?%75tm_source=&utm_term=own", "https://example.com/?%75tm_source=&utm_term=own"],
  ])("are added to %s", async (url, destination) => {
    const qr = await withUrl(url, { term: "ä&", source: "a b" });
    const answer = await outcome(qr.hash, harness.isolate());
    const sorted = (text: unknown) => String(text).split(/[?&#]/).toSorted();
    expect(sorted(answer)).toEqual(sorted(destination));
    expect(new URL(String(answer)).hash).toBe(new URL(destination).hash);
    expect(qr.data).toEqual({ type: "url", url });
  });

  it("are added to every address of an app link, and to no fallback", async () => {
    const data = { type: "applink", ios: "https://a.example/", fallback: "https://b.example/" } as const;
    const qr = await client.createQr({ qrType: "applink", data, utm: { source: "s" }, fallbackUrl });
    expect(await outcome(qr.hash)).toBe("https://a.example/?utm_source=s");
    const other = await service.fetch(`/${qr.hash}`, { headers: { "user-agent": "curl" } });
    expect(other.headers.get("location")).toBe("https://b.example/?utm_source=s");
    await patch(qr.id, { status: "paused" });
    expect(await outcome(qr.hash)).toBe(fallbackUrl);
  });

  it("are merged one by one; an equal value is no change, and scans follow the others", async () => {
    const qr = await withUrl("https://example.com/", { source: "s", medium: "m" });
    const steps: [change: object | null, utm: object | null, query: string][] = [
      [{ medium: "n", source: "s" }, { source: "s", medium: "n" }, "?utm_source=s&utm_medium=n"],
      [{ source: null }, { medium: "n" }, "?utm_medium=n"],
      [{ medium: null, term: null }, null, ""],
      [{ content: "c" }, { content: "c" }, "?utm_content=c"],
      [null, null, ""],
    ];
    const edge = harness.isolate();
    for (const [utm, result, query] of steps) {
      expect((await patch(qr.id, { utm })).utm).toEqual(result);
      clock.advance(1001);
      const parameters = (text: unknown) =>
        new URL(String(text)).searchParams.toString().split("&").toSorted();
      const expected = parameters(`https://example.com/${query}`);
      expect(parameters(await outcome(qr.hash, edge))).toEqual(expected);
      await patch(qr.id, { utm });
    }
    expect(changesOf(qr.id).map(({ changed }) => changed)).toEqual(steps.map(() => ["utm"]));
  });

  it("have at most 100 characters, and only codes that lead to a given address have them", async () => {
    const { id } = await client.createQr();
    const long = await client.send("PATCH", `/qr/${id}`, { utm: { term: "x".repeat(101) } });
    await expectRefused(long, /^utm\.term can have at most 100 characters/);
    const card = { qrType: "vcard", data: { type: "vcard", firstName: "Ada" } } as const;
    const problem = /^utm can be set only for codes of type url or applink\.$/;
    await expectRefused(await client.send("POST", "/qr", { ...card, utm: { term: "x" } }), problem);
    const made = await client.createQr(card);
    await expectRefused(await client.send("PATCH", `/qr/${made.id}`, { utm: { term: "x" } }), problem);
    expect(await patch(made.id, { utm: { term: null } })).toEqual(made);
  });
});

describe("a bulk job", () => {
  it("takes all fields, in JSON and in columns", async () => {
    const fields = {
      startsAt: "2030-01-01T00:00:00.000Z",
      expiresAt: "2031-01-01T00:00:00.000Z",
      fallbackUrl,
      utm: { source: "s", medium: "m", campaign: "c", term: "t", content: "n" },
    };
    const json = await harness.run(client, await harness.json(client, [{ ...item(1), ...fields }]));
    const sheet = await harness.run(
      client,
      await harness.csv(
        client,
        "url,startsAt,expiresAt,fallbackUrl,utmSource,utmMedium,utmCampaign,utmTerm,utmContent\n" +
          `a.example,2030-01-01T01:00:00+01:00,2031-01-01T00:00:00Z,${fallbackUrl},s,m,c,t,n\n` +
          "b.example,,,,,,,,\nc.example,soon,,,,,,,\n" +
          `d.example,,,,${"x".repeat(101)},,,,\n`,
      ),
    );
    for (const job of [json, sheet]) {
      const id = job.items[0]?.createdQrId ?? "";
      const qr = await client.expect(200, Qr, "GET", `/qr/${id}`);
      expect(qr).toMatchObject(fields);
      expect(await outcome(qr.hash, harness.isolate())).toBe(fallbackUrl);
      await client.send("PATCH", `/qr/${id}`, { name: "Forwards the events" });
      const [event] = emittedEvents().filter(({ data }) => data.id === id);
      expect(event?.data).toEqual(qr);
    }
    const [, empty, soon, long] = sheet.items;
    const none = { startsAt: null, expiresAt: null, fallbackUrl: null, utm: null };
    expect(await client.expect(200, Qr, "GET", `/qr/${empty?.createdQrId}`)).toMatchObject(none);
    expect(soon?.error).toMatch(/^line \d+: startsAt must be a date and time/);
    expect(long?.error).toMatch(/^line \d+: utmSource can have at most 100/);
  });
});

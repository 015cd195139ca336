import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { Deleted } from "../../../src/contract/resources/codes/qr.ts";
import { Workspace } from "../../../src/contract/resources/identity/workspace.ts";
import { Analytics } from "../../../src/contract/resources/scans/analytics.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { eraseDeleted } from "../../../src/domain/operations/erasure.ts";
import { expectError } from "../../support/endpoints.ts";
import { runAlarms } from "../../support/scans/archives.ts";
import { EventStream } from "../../support/scans/event-stream.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type ApiClient, FakeClock, phone, Service, type SessionClient } from "../../support/service.ts";
import { ledgerOf } from "../../support/world/watchable.ts";

/** In the future, so that alarms fire only when a test runs them. */
const clock = new FakeClock(Date.UTC(2100, 4, 10));
const service = new Service({ now: clock.now });
type Code = { readonly id: string; readonly hash: string };

/** A workspace with two codes that were scanned, twice the one and once the other, and the messages of these scans. */
async function scanned() {
  const client = await service.workspace();
  const session = await service.sessionIn(client.workspaceId);
  const [a, b] = [await client.createQr(), await client.createQr()];
  const { workspaceId } = client;
  const messages = [a, a, b].map(({ id: qrId, hash }) => ({
    body: { batches: packed(scanRecord({ at: clock.now(), workspaceId, qrId, hash })) },
  }));
  await deliver(messages);
  return { client, session, a, b, messages };
}

/** Delivers messages with scans, each alone. */
async function deliver(messages: readonly { body: object }[]): Promise<void> {
  for (const message of messages) {
    const { outcome } = await service.consume("scans", [message]);
    expect(outcome).toBe("ok");
  }
}

const pathOf = ({ id }: { id: string }, sums: string) => `/developer/qr/${id}/scans?sums=${sums}`;
const erase = async (session: SessionClient, code: Code, sums: "keep" | "erase") =>
  expect(await session.expect(202, Deleted.strict(), "DELETE", pathOf(code, sums))).toEqual({
    success: true,
  });

const list = (client: ApiClient, { id }: Code) =>
  client.expect(200, ScanListResponse.strict(), "GET", `/qr/${id}/scans`);
const exported = async (client: ApiClient, query: string) =>
  (await (await client.send("GET", `/scans/export?format=ndjson${query}`)).text())
    .split("\n")
    .filter((line) => line !== "").length;
const totals = async (client: ApiClient, path: string) => {
  const {
    totals: sums,
    allTime,
    dimensions,
  } = await client.expect(200, Analytics, "GET", `${path}?dimensions=country`);
  const byCountry = dimensions.country?.items.reduce((sum, { scans }) => sum + scans, 0);
  return [sums.scans, allTime.scans, byCountry];
};
/** The values in a ledger's dictionary that contain one of some names. */
const stored = (client: { workspaceId: string }, ...names: string[]) =>
  runInDurableObject(ledgerOf(client), (_, { storage }) =>
    storage.sql
      .exec<{ value: string }>(
        `SELECT value FROM (SELECT user_agent AS value FROM agents UNION SELECT city FROM places
           UNION SELECT host FROM referrers) ORDER BY value`,
      )
      .toArray()
      .map(({ value }) => value)
      .filter((value) => names.some((name) => value.includes(name))),
  );
const usage = async (session: SessionClient) =>
  (await session.expect(200, Workspace.strict(), "GET", "/developer/workspace")).usage;

describe("erasing the scans of a code", () => {
  it("with their sums makes all that is shown of it begin again, and leaves other codes alone", async () => {
    const { client, session, a, b, messages } = await scanned();
    await erase(session, a, "erase");
    expect((await usage(session)).storage.erasures).toBe(1);
    for (let i = 0; i < 2; i += 1) {
      expect(await list(client, a)).toEqual({
        stats: { total: 0, uniqueVisitors: 0 },
        events: [],
        nextCursor: null,
        completeFrom: null,
        closed: { total: 0, reasons: [], days: [] },
      });
      expect((await list(client, b)).events).toHaveLength(1);
      expect(await totals(client, `/qr/${a.id}/analytics`)).toEqual([0, 0, 0]);
      expect(await totals(client, `/qr/${b.id}/analytics`)).toEqual([1, 1, 1]);
      expect(await totals(client, "/analytics")).toEqual([1, 1, 1]);
      expect(await Promise.all(["", `&qrId=${a.id}`].map((query) => exported(client, query)))).toEqual([
        1, 0,
      ]);
      expect((await usage(session)).scans).toBe(1);
      await runAlarms(ledgerOf(client), clock.now());
      await deliver(messages);
    }
    expect((await usage(session)).storage.erasures).toBe(0);
    clock.advance(60_000);
    const next = scanRecord({ at: clock.now(), workspaceId: client.workspaceId, qrId: a.id, hash: a.hash });
    await deliver([{ body: { batches: packed(next) } }]);
    expect((await list(client, a)).stats).toEqual({ total: 1, uniqueVisitors: 1 });
    expect(await totals(client, "/analytics")).toEqual([2, 2, 2]);
  });

  it("without their sums leaves totals and reports as they are", async () => {
    const { client, session, a, messages } = await scanned();
    const paths = [`/qr/${a.id}/analytics`, "/analytics"];
    const before = await Promise.all(paths.map((path) => totals(client, path)));
    await erase(session, a, "keep");
    await runAlarms(ledgerOf(client), clock.now());
    await deliver(messages);
    const { stats, events, completeFrom } = await list(client, a);
    expect([stats, events]).toEqual([{ total: 2, uniqueVisitors: 1 }, []]);
    expect(Date.parse(completeFrom ?? "")).toBe(clock.now() + 1);
    expect(await exported(client, "")).toBe(1);
    expect(await Promise.all(paths.map((path) => totals(client, path)))).toEqual(before);
    expect((await usage(session)).scans).toBe(3);
  });

  it.each(["keep", "erase"] as const)(
    "leaves no user agent, nor with the sums a city or a referrer, that no other scan has (%s)",
    async (sums) => {
      const { client, session, a, b } = await scanned();
      const scan = ({ id: qrId, hash }: Code, name: string) => ({
        body: {
          batches: packed(
            scanRecord({
              at: clock.now(),
              workspaceId: client.workspaceId,
              qrId,
              hash,
              userAgent: `${phone} ${name}`,
              city: name,
              referrer: `${name}.example`,
            }),
          ),
        },
      });
      clock.advance(1000);
      const message = scan(a, "secret");
      await deliver([message, scan(a, "shared"), scan(b, "shared")]);
      await erase(session, a, sums);
      await runAlarms(ledgerOf(client), clock.now());
      // A scan that was on its way, or is sent again, brings nothing back.
      await deliver([message, scan(a, "belated")]);
      expect(await stored(client, "secret", "belated")).toEqual(
        sums === "erase" ? [] : ["belated", "belated.example", "secret", "secret.example"],
      );
      expect(await stored(client, "shared")).toEqual(["shared", "shared.example", `${phone} shared`].sort());
      expect((await list(client, b)).events[0]).toMatchObject({ city: "shared" });
    },
  );

  it.each(["keep", "erase"] as const)(
    "is not undone by a live connection that resumes (%s)",
    async (sums) => {
      const { client, session, a, b } = await scanned();
      await erase(session, a, sums);
      const stream = await EventStream.open(client, "/scans/live", 0);
      const events = await stream.take(3);
      expect(events.filter(({ name }) => name === "scan")).toMatchObject([{ data: { qrId: b.id } }]);
      expect(events.filter(({ name }) => name === "skipped")).toMatchObject([{}, {}]);
      await stream.cancel();
    },
  );

  it("works for a deleted code, and for one that can't be restored any more", async () => {
    const { client, session, a, b } = await scanned();
    for (const { id } of [a, b]) await client.send("DELETE", `/qr/${id}`);
    await erase(session, a, "erase");
    expect((await list(client, a)).stats.total).toBe(0);
    clock.advance(31 * 86_400_000);
    await eraseDeleted(service.deps);
    expect((await list(client, b)).stats.total).toBe(1);
    await erase(await service.sessionIn(client.workspaceId), b, "erase");
    expect((await list(client, b)).stats.total).toBe(0);
  });

  it("requires a choice about the sums", async () => {
    const { client, session, a } = await scanned();
    const answers = await Promise.all(
      ["", "?sums=", "?sums=none", "?sums=keep&sums=erase"].map(async (query) =>
        expectError(
          await session.send("DELETE", `/developer/qr/${a.id}/scans${query}`),
          400,
          "invalid_input",
        ),
      ),
    );
    expect(answers).toEqual([
      "sums is required.",
      "sums must be keep or erase.",
      "sums must be keep or erase.",
      "sums can be given only once.",
    ]);
    expect((await list(client, a)).stats.total).toBe(2);
  });

  it("is refused for a code of another workspace, which keeps its scans", async () => {
    const { client, a } = await scanned();
    const stranger = await service.session();
    for (const sums of ["keep", "erase"]) {
      await expectError(await stranger.send("DELETE", pathOf(a, sums)), 404, "not_found");
    }
    const { stats, events } = await list(client, a);
    expect([stats.total, events.length]).toEqual([2, 2]);
  });
});

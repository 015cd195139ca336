import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sample } from "../../../support/runner/runs.ts";
import { scan } from "../../../support/scans/analytics.ts";
import { archived, archiveKeys, runAlarms, scansFrom, withBucket } from "../../../support/scans/archives.ts";
import {
  archivable,
  archiveOld,
  both,
  erase,
  expectGone,
  exported,
  hash,
  hour,
  idsOf,
  later,
  may,
  modes,
  newLedger,
  now,
  own,
  pending,
  record,
  reports,
} from "../../../support/scans/scan-erasures.ts";

/** Files are treated alike whether the sums are kept or not, so a test of both modes says so itself. */
describe("files of archived scans", () => {
  const archivedLedger = async () => {
    const stub = newLedger();
    const scans = both(archivable);
    await record(stub, may, ...scans);
    await archiveOld(stub);
    const keys = await archiveKeys(stub);
    expect(keys).toHaveLength(1);
    expect((await archived(stub)).filter(({ qrId }) => qrId === "gone")).toHaveLength(20 + 20);
    return { stub, scans, keys };
  };

  it.each(modes)(
    "are rewritten without what is erased, which no export shows in between (sums: %s)",
    async (sums) => {
      const { stub, scans, keys } = await archivedLedger();
      const lines = (await archived(stub)).filter(({ qrId }) => qrId === "stays");
      const before = await reports(stub);
      await erase(stub, "gone", sums);
      const kept = idsOf(own(scans, "stays"));
      expect(await exported(stub)).toEqual(kept);
      expect((await archived(stub)).length).toBeGreaterThan(lines.length);
      await runAlarms(stub, later);
      expect(await exported(stub)).toEqual(kept);
      expect(await archived(stub)).toEqual(lines);
      expect(await archiveKeys(stub)).toHaveLength(1);
      expect(await archiveKeys(stub)).not.toEqual(keys);
      expect((await stub.storage()).archive).toMatchObject({ files: 1, scans: 20 });
      if (sums === "keep") expect(await reports(stub)).toEqual(before);
      else await expectGone(stub);
      // A rebuild reads the new file.
      await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, later);
      await runAlarms(stub, later + hour);
      const { stays, all } = await reports(stub);
      expect(stays.totals).toEqual(before.stays.totals);
      expect(all.totals.scans).toBe((sums === "keep" ? 2 : 1) * archivable);
    },
  );

  it.each(sample(modes, 2, 0))("are deleted if nothing is left of them (sums: %s)", async (sums) => {
    const { stub } = await archivedLedger();
    await erase(stub, "gone", sums);
    await erase(stub, "stays", sums);
    expect(await exported(stub)).toEqual([]);
    await runAlarms(stub, later);
    expect(await archiveKeys(stub)).toEqual([]);
    expect((await stub.storage()).archive).toMatchObject({ files: 0, scans: 0 });
    expect(await pending(stub)).toBe(0);
  });

  it.each(sample(modes, 2, 1))("are left alone if they have nothing of the code (sums: %s)", async (sums) => {
    const { stub, keys } = await archivedLedger();
    await record(stub, now, scan({ at: now - hour, qrId: "other" }));
    await erase(stub, "other", sums);
    await runAlarms(stub, later);
    expect(await archiveKeys(stub)).toEqual(keys);
    expect(await pending(stub)).toBe(0);
  });

  const died = () => Promise.reject(new Error("died"));
  const faults: Record<string, Parameters<typeof withBucket>[1]> = {
    "before it reads": () => ({ get: died }),
    "before it writes": () => ({ put: died }),
    "after it has written": () => ({
      put: async (...args) => {
        await env.FILES.put(...args);
        return died();
      },
    }),
    "before it deletes": () => ({ delete: died }),
    "after it has deleted": () => ({
      delete: async (...args) => {
        await env.FILES.delete(...args);
        return died();
      },
    }),
  };

  const moments = modes.flatMap((sums, i) =>
    sample(Object.keys(faults), 2, i).map((moment) => [moment, sums] as const),
  );
  it.each(moments)("are complete although the object dies %s (sums: %s)", async (moment, sums) => {
    const { stub, scans } = await archivedLedger();
    const lines = (await archived(stub)).filter(({ qrId }) => qrId === "stays");
    await withBucket(stub, faults[moment] ?? (() => ({})));
    await erase(stub, "gone", sums);
    await runAlarms(stub, now);
    expect(await exported(stub)).toEqual(idsOf(own(scans, "stays")));
    expect((await stub.storage()).archive.failingSince).not.toBe(null);
    await evictDurableObject(stub);
    await runAlarms(stub, later);
    expect(await exported(stub)).toEqual(idsOf(own(scans, "stays")));
    expect(await archived(stub)).toEqual(lines);
    expect(await archiveKeys(stub)).toHaveLength(1);
    expect(await pending(stub)).toBe(0);
  });

  it.each(sample(modes, 2, 2))(
    "that are being written while scans are erased are not kept (sums: %s)",
    async (sums) => {
      const stub = newLedger();
      await record(stub, may, ...scansFrom(may, archivable, { qrId: "gone" }));
      let erasures = 0;
      await withBucket(stub, (ledger) => ({
        put: async (...args) => {
          await env.FILES.put(...args);
          if (erasures === 0) await ledger.eraseScans({ qrId: "gone", hash, sums }, now);
          erasures += 1;
        },
      }));
      await archiveOld(stub);
      await runAlarms(stub, later);
      expect(erasures).toBe(1);
      expect(await archiveKeys(stub)).toEqual([]);
      expect(await exported(stub)).toEqual([]);
    },
  );

  it.each(sample(modes, 2, 3))(
    "that are being looked through for a code lose another that is erased in between (sums: %s)",
    async (sums) => {
      const { stub, scans } = await archivedLedger();
      const other = scan({ at: now - hour, qrId: "other" });
      await record(stub, now, other);
      let reads = 0;
      await withBucket(stub, (ledger) => ({
        get: async (...args) => {
          reads += 1;
          if (reads === 1) await ledger.eraseScans({ qrId: "gone", hash, sums }, now);
          return env.FILES.get(...args);
        },
      }));
      await erase(stub, "other", sums);
      await runAlarms(stub, later);
      expect(reads).toBe(2);
      expect((await archived(stub)).filter(({ qrId }) => qrId === "gone")).toEqual([]);
      expect(await exported(stub)).toEqual(idsOf(own(scans, "stays")));
    },
  );

  it.each(sample(modes, 2, 4))(
    "that are being written without a code lose another that is erased in between (sums: %s)",
    async (sums) => {
      const { stub } = await archivedLedger();
      let writes = 0;
      await withBucket(stub, (ledger) => ({
        put: async (...args) => {
          await env.FILES.put(...args);
          writes += 1;
          if (writes === 1) await ledger.eraseScans({ qrId: "stays", hash, sums }, now);
        },
      }));
      await erase(stub, "gone", sums);
      await runAlarms(stub, later);
      expect(writes).toBe(1);
      expect(await archiveKeys(stub)).toEqual([]);
      expect(await exported(stub)).toEqual([]);
      expect(await pending(stub)).toBe(0);
    },
  );
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { migrate, withCatalogue } from "../../../scripts/lib/catalogue.ts";
import { releases } from "../../../scripts/lib/release.ts";
import {
  readState,
  startOnState,
  type StoredState,
  unpackFiles,
  type Version,
} from "../../../scripts/lib/stored-state.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { type Use, Visitor } from "../support/use-service.ts";

describe.each([...releases().keys()])("version %s and the present one", (version) => {
  let state: StoredState;
  let folder: string;

  beforeEach(async () => {
    state = readState(version);
    folder = mkdtempSync(join(tmpdir(), "qr-going-back-"));
    unpackFiles(state.files, folder);
    await withCatalogue(folder, migrate);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs a version of the service with the objects of another, on what the last one left. */
  let minutes = 0;
  async function run<T>(
    service: Version,
    objects: Version,
    visit: (visitor: Visitor) => Promise<T>,
  ): Promise<T> {
    minutes += 2;
    const miniflare = await startOnState(state, folder, service, objects);
    try {
      return await visit(new Visitor(miniflare, state, minutes));
    } finally {
      await miniflare.dispose();
    }
  }

  const list = async (visitor: Visitor, { qr }: Use) =>
    HistoryList.parse(await visitor.expect(200, "GET", `/qr/${qr.id}/history`));
  const history = async (visitor: Visitor, use: Use) =>
    (await list(visitor, use)).items.map(({ action }) => action);

  it("take turns, each also with the objects of the other, as in an upgrade's first minutes: nothing is lost or counted twice", async () => {
    const uses: Use[] = [];
    /** Checks that nothing of the uses so far is lost, and uses everything once more. */
    const go = (service: Version, objects: Version, then: (visitor: Visitor, use: Use) => Promise<void>) =>
      run(service, objects, async (visitor) => {
        for (const use of uses) await visitor.expectUse(use);
        const use = await visitor.useEverything(`use-${uses.length + 1}`);
        await then(visitor, use);
        uses.push(use);
      });

    // Objects keep their code for some minutes after an upgrade, and so does this version after going back.
    await go("present", version, async (visitor, use) => {
      expect(await list(visitor, use)).toMatchObject({ items: [], newestFollow: true });
      for (const path of ["/history", "/bin"]) {
        expect([path, await visitor.open(`/dashboard${path}`)]).toEqual([path, 200]);
      }
    });
    await go("present", "present", async (visitor) => {
      for (const use of uses) expect(await history(visitor, use)).toEqual(["code.updated", "code.created"]);
    });
    await go(version, "present", async () => {});
    await go(version, version, async () => {});
    await go("present", "present", async (visitor, use) => {
      await visitor.expectUse(use);
      const [mixed, first, , older] = uses;
      for (const each of [mixed, first, use]) {
        expect(each && (await history(visitor, each))).toEqual(["code.updated", "code.created"]);
      }
      // The older version keeps none.
      expect(older && (await history(visitor, older))).toEqual([]);
    });
  });
});

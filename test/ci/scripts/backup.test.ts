import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareBackup } from "../../../scripts/backup/compare.ts";
import { Door } from "../../../scripts/backup/door.ts";
import { BackupFolder } from "../../../scripts/backup/folder.ts";
import { finishRestoring, restoreBackup, stay } from "../../../scripts/backup/put.ts";
import { rowsInAnswer } from "../../../scripts/backup/sections.ts";
import { takeBackup, type World } from "../../../scripts/backup/take.ts";
import { verifyBackup } from "../../../scripts/backup/verify.ts";
import { clockHeader } from "../../../scripts/company/protocol.ts";
import { migrate, withCatalogue } from "../../../scripts/lib/catalogue.ts";
import {
  clientOf,
  readEverything,
  readState,
  scanAll,
  startOnState,
  unpackFiles,
} from "../../../scripts/lib/stored-state.ts";
import { runs } from "../../support/runner/runs.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";

/** A company of the last release, with codes, scans, archives, pages, submissions, webhooks and history. */
const stored = readState("1.1.0");
/** Not before the clock of the objects' alarms, which would give up a copy that an earlier clock began. */
const now = Math.max(stored.now, Date.now());
const backupSecret = "a-secret-that-allows-backups-for-tests";
const state = { ...stored, now, variables: { ...stored.variables, BACKUP_SECRET: backupSecret } };

const temporary = mkdtempSync(join(tmpdir(), "qr-backup-"));
const random = new SeededRandom(65);
let source: Miniflare;
let target: Miniflare;

/** Starts the service on an empty data folder, or on the company's. */
async function start(name: string, isFull: boolean): Promise<Miniflare> {
  const folder = join(temporary, name);
  if (isFull) unpackFiles(state.files, folder);
  await withCatalogue(folder, migrate);
  return startOnState(state, folder);
}

beforeAll(async () => {
  [source, target] = [await start("source", true), await start("target", false)];
});
afterAll(async () => {
  await Promise.all([source.dispose(), target.dispose()]);
  rmSync(temporary, { recursive: true });
});

class Killed extends Error {}

/** @param dies how many requests a command makes before it is killed; undefined for one that isn't */
function worldOf(miniflare: Miniflare, dies?: number): World {
  let made = 0;
  return {
    appOrigin: state.origin,
    backupSecret,
    signal: new AbortController().signal,
    patience: 0,
    say: () => {},
    time: () => now,
    fetch: async (url, init) => {
      made += 1;
      if (made > (dies ?? Number.POSITIVE_INFINITY)) throw new Killed();
      const headers = { ...(init?.headers as Record<string, string>), [clockHeader]: String(now) };
      const { method = "GET", body } = init ?? {};
      const response = await miniflare.dispatchFetch(String(url), {
        method,
        headers,
        ...(body === undefined || body === null ? {} : { body: body as string }),
      });
      return response as unknown as Response;
    },
  };
}

/** Runs a command that is killed again and again after a few more requests, until it ends by itself. @returns how often */
async function untilDone(miniflare: Miniflare, command: (world: World) => Promise<unknown>): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const dies = kills === runs(3, 10) ? undefined : 4 + random.below(30);
    const world = worldOf(miniflare, dies);
    const aborted = new AbortController();
    const isDone = await command({
      ...world,
      signal: aborted.signal,
      fetch: (...request) =>
        world.fetch(...request).catch((error: unknown) => {
          aborted.abort(error);
          throw error;
        }),
    }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Killed) return false;
        throw error;
      },
    );
    if (isDone) return kills;
  }
}

/** The API's answers to a key and to the operator, without what is of the moment. */
async function answersOf(miniflare: Miniflare): Promise<unknown> {
  const answers = await readEverything({ ...clientOf(miniflare, state), cookie: "" });
  return JSON.parse(JSON.stringify(answers), (name, value: unknown) =>
    ["requestsThisMinute", "storedBytes", "storage", "lastUsedAt"].includes(name) ? undefined : value,
  );
}

describe("a backup of everything", () => {
  const folder = new BackupFolder(join(temporary, "backup"));
  const paths = Object.keys(state.scans);
  let scanned = 0;

  it("is taken while scans run, by a command that is killed and goes on", async () => {
    let isTaken = false;
    const scanning = (async () => {
      while (!isTaken) {
        await scanAll(clientOf(source, state), paths);
        scanned += 1;
      }
    })();
    const taking = untilDone(source, (world) => takeBackup(folder, world));
    const kills = await taking.finally(() => {
      isTaken = true;
      return scanning;
    });
    expect(kills).toBeGreaterThan(1);
    expect(scanned).toBeGreaterThan(0);
    const manifest = await verifyBackup(folder, () => {});
    expect(manifest.counts).toMatchObject({ webhooks: expect.any(Number), workspaces: expect.any(Number) });
    expect(manifest.about).toContain("personal data");
  });

  it("can be read by its owner only, and has no session, link or challenge", () => {
    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true });
    for (const file of files) {
      const mode = statSync(join(file.parentPath, file.name)).mode & 0o777;
      expect([file.name, mode]).toEqual([file.name, file.isDirectory() ? 0o700 : 0o600]);
    }
    const names = files.map(({ name }) => name.split(".")[0]);
    for (const table of ["sessions", "sign_in_links", "invitations", "spent_challenges"]) {
      expect(names).not.toContain(table);
    }
  });

  it("is brought up to date later, and then equals the installation", async () => {
    await scanAll(clientOf(source, state), paths);
    const before = (await folder.requireManifest()).run;
    await expect
      .poll(async () => {
        const { run } = await takeBackup(folder, worldOf(source));
        expect(run).toBeGreaterThan(before);
        return compareBackup(folder, await folder.requireManifest(), new Door(worldOf(source)));
      })
      .toEqual([]);
  });

  it("is restored into an empty installation, which then answers the same", async () => {
    const kills = await untilDone(target, (world) => restoreBackup(folder, world));
    expect(kills).toBeGreaterThan(1);
    const [one, other] = [await answersOf(source), await answersOf(target)];
    expect(other).toEqual(one);
    expect(Object.keys(one as object).length).toBeGreaterThan(20);
    const answered = await scanAll(clientOf(source, state), paths);
    expect(await scanAll(clientOf(target, state), paths)).toEqual(answered);
  });

  it("is refused by an installation that has anything else", async () => {
    await expect(restoreBackup(folder, worldOf(source))).rejects.toThrow("has data of its own");
    const others = new BackupFolder(join(temporary, "others"));
    await expect(takeBackup(others, worldOf(target))).resolves.toBeDefined();
    await expect(restoreBackup(others, worldOf(target))).rejects.toThrow("of another backup");
  });

  it("is refused by an installation with other secrets", async () => {
    const { installation } = await folder.requireManifest();
    const world = worldOf(target);
    const fetch: typeof world.fetch = async (url, init) => {
      const response = await world.fetch(url, init);
      const described = (await response.json()) as { secrets: object };
      return Response.json({
        ...described,
        secrets: { ...described.secrets, "VISITOR_SECRET 1": "another" },
      });
    };
    expect(Object.keys(installation.secrets)).toEqual(["VISITOR_SECRET 1", "WEBHOOK_SECRET 1"]);
    await expect(restoreBackup(folder, { ...world, fetch })).rejects.toThrow("VISITOR_SECRET");
  });

  it("finds planted differences", async () => {
    const others = new BackupFolder(join(temporary, "others"));
    const manifest = await others.requireManifest();
    const differences = () => compareBackup(others, manifest, new Door(worldOf(target)));
    const db = await target.getD1Database("DB");
    const change =
      "UPDATE qr_codes SET name = name || ? WHERE id = (SELECT min(id) FROM qr_codes WHERE name <> '')";
    await db.prepare(change).bind("!").run();
    await db.prepare("DELETE FROM members WHERE rowid = (SELECT min(rowid) FROM members)").run();
    // The scans were made before this.
    expect(await differences()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^members lacks /),
        expect.stringMatching(/^qr_codes .* differs in name/),
        expect.stringMatching(/^ledger .*: codes .* differs in scans/),
        expect.stringMatching(/^ledger .*: scans has .* besides/),
      ]),
    );
  });

  it("sends webhooks once the restoration is finished", async () => {
    await finishRestoring(folder, worldOf(target));
    await expect(finishRestoring(folder, worldOf(source))).rejects.toThrow("isn't restored there yet");
  });

  it("is found not to be whole if a byte was changed or a file is missing", async () => {
    const { ledgers } = await folder.requireManifest();
    const file = folder.pathOf(ledgers[0]?.path ?? "");
    const bytes = readFileSync(file);
    const at = random.below(bytes.length);
    writeFileSync(file, bytes.with(at, (bytes[at] ?? 0) ^ 1));
    await expect(verifyBackup(folder, () => {})).rejects.toThrow("was changed");
    writeFileSync(file, bytes);
    appendFileSync(file, "1");
    await expect(verifyBackup(folder, () => {})).rejects.toThrow("bytes, not");
    rmSync(file);
    await expect(verifyBackup(folder, () => {})).rejects.toThrow("is missing");
  });
});

describe("a move to another installation", () => {
  const folder = new BackupFolder(join(temporary, "move"));
  const led = Object.entries(state.scans).flatMap(([path, { status }]) => (status === 302 ? [path] : []));
  let moved: Miniflare;
  beforeAll(async () => {
    moved = await start("moved", false);
  });
  afterAll(() => moved.dispose());

  const change = async (miniflare: Miniflare) => {
    const headers = { authorization: `Bearer ${state.apiKey}`, [clockHeader]: String(Date.now()) };
    const answer = await miniflare.dispatchFetch(`${state.origin}/api/v1/folders`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ name: "Later" }),
    });
    return [answer.status, JSON.stringify(await answer.json())] as const;
  };
  const refused = [503, expect.stringContaining("is being moved")];

  /** Counts the scans of all codes. */
  const scansOf = async (miniflare: Miniflare) => {
    const door = new Door(worldOf(miniflare));
    const { id, ledgers } = await folder.requireManifest();
    let scans = 0;
    for (const { workspaceId } of ledgers) {
      await door.beginLedger(workspaceId, id, false);
      const step = { step: "pages", id, table: "codes", after: null, before: "clients" } as const;
      for (const { line, section } of rowsInAnswer(await door.ledger(workspaceId, step))) {
        scans += Number((JSON.parse(line) as unknown[])[section.columns.indexOf("scans")]);
      }
      await door.endLedger(workspaceId, id);
    }
    return scans;
  };

  it("loses no scan and counts none twice, while both refuse changes", async () => {
    expect((await change(source))[0]).toBe(201);
    await takeBackup(folder, worldOf(source), true);
    expect(await change(source)).toEqual(refused);
    await restoreBackup(folder, worldOf(moved));
    expect(await change(moved)).toEqual(refused);
    const before = await scansOf(source);
    // Visitors whose DNS still has the former address, and as many at the new one.
    await scanAll(clientOf(source, state), led);
    await scanAll(clientOf(moved, state), led);
    await expect
      .poll(async () => {
        // Recording again what was carried over has no effect.
        await takeBackup(folder, worldOf(source), true);
        await finishRestoring(folder, worldOf(moved));
        const [former, present] = [await scansOf(source), await scansOf(moved)];
        return former > before && present - former === former - before;
      })
      .toBe(true);
    expect((await change(moved))[0]).toBe(201);
    expect(await change(source)).toEqual(refused);
  });

  it("can be given up", async () => {
    await stay(folder, worldOf(source));
    await expect.poll(async () => (await change(source))[0]).toBe(201);
  });
});

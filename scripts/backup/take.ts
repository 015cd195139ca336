import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { idsFrom, newId } from "../../src/lib/text/ids.ts";
import { backupFormat, filePrefixes, type StoredRows, scanTables } from "../../src/protocol/backup.ts";
import { Failure } from "../lib/failure.ts";
import { readFileIfExists, writeSecretFile } from "../lib/files.ts";
import { Door, GivenUp, type Installation, type Reach } from "./door.ts";
import { about, type BackupFolder, type Manifest, manifestFormat, Pieces, type State } from "./folder.ts";
import { type Foot, footOf, rowsOf, sectionsOf, sectionText } from "./sections.ts";

/** The means to take a backup. */
export interface World extends Reach {
  readonly say: (line: string) => void;
  /** Epoch milliseconds. */
  readonly time: () => number;
}

/** How much earlier than the last backup scans are read again, because they can arrive late. Milliseconds. */
const lateness = 15 * 24 * 60 * 60_000;

/** How often the copy of a ledger is begun before the backup fails. */
const attempts = 3;

/** How often the catalogue is read, at most, until it didn't change in between. */
const passes = 3;

/** How long a backup that was interrupted can go on, milliseconds. An older one begins anew. */
const resumable = 24 * 60 * 60_000;

/** How many times the patience of a request it takes until every isolate knows that changes are refused: 10 s. */
const waits = 20;

/** Rows of a section of a file. */
const sectionRows = 5000;

/** How far the copy of a ledger is. It is stored with each piece of the file. */
const Progress = z.object({
  mark: z.string(),
  /** The file's length. */
  length: z.number(),
  /** Null once all tables are copied, and changes follow. */
  place: z
    .object({ table: z.string(), after: z.array(z.union([z.string(), z.number(), z.null()])).nullable() })
    .nullable(),
  seq: z.number(),
  done: z.boolean(),
});
type Progress = z.infer<typeof Progress>;

type CopiedLedger = Manifest["ledgers"][number];

/**
 * Takes a backup of an installation, or goes on with one that was interrupted. The last backup in the folder stays as it is
 * until this one is complete.
 * @param moving whether the installation refuses changes from now on, and sends no webhooks
 * @throws Failure that says what to do
 */
export async function takeBackup(folder: BackupFolder, world: World, moving = false): Promise<Manifest> {
  const door = new Door(world);
  const installation = await door.describe();
  if (installation.format !== backupFormat) {
    throw new Failure("The installation has another format. Use the checkout that it was deployed from.");
  }
  const last = await folder.manifest();
  if (last !== null && last.installation.appOrigin !== installation.appOrigin) {
    throw new Failure(
      `${folder.path} has a backup of ${last.installation.appOrigin}. Choose another folder.`,
    );
  }
  const found = await folder.state();
  const goesOn = found !== null && found.moving === moving && world.time() - found.begunAt < resumable;
  const state = goesOn
    ? found
    : {
        id: moving && last?.moving === true ? last.id : newId(world.time()),
        run: Math.max(last?.run ?? 0, found?.run ?? 0) + 1,
        moving,
        begunAt: world.time(),
      };
  if (goesOn) world.say("Going on with the backup that was interrupted");
  else await folder.begin(state);
  if (moving) await refuseChanges(door, world);
  await door.begin(state.id);
  return new Taking({ folder, world, door, installation, last, state }).take();
}

/** Waits until every isolate refuses changes, and until no job makes any. */
async function refuseChanges(door: Door, { patience, signal, say }: World): Promise<void> {
  await door.setMoving(true);
  say("The installation refuses changes from now on. Scans and forms go on.");
  await delay(patience * waits, undefined, { signal });
  while ((await door.describe()).unfinishedJobs > 0) await delay(patience * waits, undefined, { signal });
}

interface Parts {
  readonly folder: BackupFolder;
  readonly world: World;
  readonly door: Door;
  readonly installation: Installation;
  readonly last: Manifest | null;
  readonly state: State;
}

/** A backup in progress. */
class Taking {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async take(): Promise<Manifest> {
    const { folder, world, door, installation, state } = this.#parts;
    await this.#table("workspaces");
    const ledgers = await this.#ledgers(new Set());
    const files = await this.#files(ledgers);
    const catalogue = await this.#catalogue();
    // Those of workspaces that were created during the copy.
    ledgers.push(...(await this.#ledgers(new Set(ledgers.map(({ workspaceId }) => workspaceId)))));
    const { version, scanOrigin, appOrigin, secrets } = installation;
    const manifest: Manifest = {
      about,
      format: manifestFormat,
      id: state.id,
      run: state.run,
      moving: state.moving,
      begunAt: new Date(state.begunAt).toISOString(),
      completedAt: new Date(world.time()).toISOString(),
      installation: { version, scanOrigin, appOrigin, secrets },
      counts: await countRows(folder, [...catalogue, ...ledgers]),
      catalogue,
      ledgers,
      files,
    };
    await folder.complete(manifest);
    await door.end(state.id);
    return manifest;
  }

  #tablePath(table: string): string {
    return `catalogue/${table}.${this.#parts.state.run}.ndjson.gz`;
  }

  /** Copies a table of the catalogue anew: it is small beside the ledgers. */
  async #table(table: string): Promise<Manifest["catalogue"][number]> {
    const { folder, door } = this.#parts;
    const name = this.#tablePath(table);
    await using pieces = await Pieces.open(folder.pathOf(name), 0);
    let foot: Foot = { kind: "foot", next: null };
    do {
      const answer = await door.catalogue(table, foot.next ?? null);
      foot = footOf(answer);
      await pieces.add(answer);
    } while (foot.next !== null);
    await pieces.flush();
    return { ...(await folder.describe(name)), table };
  }

  /** Copies the catalogue, and again what changed while it was copied. */
  async #catalogue(): Promise<Manifest["catalogue"]> {
    const { installation, world } = this.#parts;
    let tables: Manifest["catalogue"] = [];
    for (let pass = 1; pass <= passes; pass += 1) {
      const before = new Map(tables.map(({ table, sha256 }) => [table, sha256]));
      tables = [];
      for (const table of installation.tables) tables.push(await this.#table(table));
      if (tables.every(({ table, sha256 }) => before.get(table) === sha256)) break;
    }
    world.say(`  ✓ Catalogue: ${tables.length} tables`);
    return tables;
  }

  /** Copies the ledgers of the workspaces in the catalogue's copy, without those that are copied already. */
  async #ledgers(copied: ReadonlySet<string>): Promise<CopiedLedger[]> {
    const { folder, world } = this.#parts;
    const ledgers: CopiedLedger[] = [];
    for await (const { key } of rowsOf(folder.pathOf(this.#tablePath("workspaces")))) {
      const workspaceId = String(key[0]);
      if (!copied.has(workspaceId)) ledgers.push(await this.#ledger(workspaceId));
    }
    if (ledgers.length > 0)
      world.say(`  ✓ Scans, webhooks, submissions and history: ${ledgers.length} workspaces`);
    return ledgers;
  }

  async #ledger(workspaceId: string): Promise<CopiedLedger> {
    const { folder, state } = this.#parts;
    const name = `ledgers/${workspaceId}.${state.run}.ndjson.gz`;
    const copy = new LedgerCopying({ ...this.#parts, workspaceId, path: folder.pathOf(name) });
    const mark = await copy.copy();
    return { ...(await folder.describe(name)), workspaceId, mark };
  }

  /** Copies the files of R2 that the last backup lacks. */
  async #files(ledgers: readonly CopiedLedger[]): Promise<Manifest["files"]> {
    const { folder, door, installation, last, world } = this.#parts;
    if (!installation.hasFiles) return [];
    const archives = new Set<string>();
    for (const { path } of ledgers)
      for await (const key of archivesIn(folder.pathOf(path))) archives.add(key);
    const known = new Map((last?.files ?? []).map((file) => [`${file.key} ${file.etag}`, file]));
    const files: Manifest["files"] = [];
    for (const prefix of filePrefixes) {
      for await (const { key, etag } of door.files(prefix)) {
        // An archive that no ledger has may hold scans that were erased.
        if (prefix === "archives/" && !archives.delete(key)) continue;
        const copied = known.get(`${key} ${etag}`);
        if (copied !== undefined) files.push(copied);
        else {
          const response = await door.file(key);
          const path = `files/${key}.${etag}`;
          await folder.write(path, await response.bytes());
          const contentType = response.headers.get("x-content-type") ?? "";
          files.push({ ...(await folder.describe(path)), key, etag, contentType });
        }
      }
    }
    if (archives.size > 0) {
      throw new Failure(
        `Archives changed while they were copied: ${[...archives][0]}. Run the same command in another folder.`,
      );
    }
    world.say(`  ✓ Files: ${files.length}`);
    return files;
  }
}

/** The copy of one ledger. */
class LedgerCopying {
  readonly #parts: Parts & { readonly workspaceId: string; readonly path: string };

  constructor(parts: Parts & { readonly workspaceId: string; readonly path: string }) {
    this.#parts = parts;
  }

  get #progressFile(): string {
    return `${this.#parts.path}.json`;
  }

  /** Copies the ledger as it was at one moment. @returns its mark */
  async copy(): Promise<string> {
    const stored = await readFileIfExists(this.#progressFile);
    let progress = stored === "" ? null : Progress.parse(JSON.parse(stored));
    for (let attempt = 1; ; attempt += 1) {
      try {
        progress ??= await this.#begin();
        if (!progress.done) await this.#goOn(progress);
        return progress.mark;
      } catch (error) {
        if (!(error instanceof GivenUp) || attempt === attempts) throw error;
        progress = null;
      }
    }
  }

  async #begin(): Promise<Progress> {
    const { door, workspaceId, state, path } = this.#parts;
    const { tables, mark } = await door.beginLedger(workspaceId, state.id, state.moving);
    const [table] = tables;
    await using _emptied = await Pieces.open(path, 0);
    const progress = { mark, length: 0, seq: 0 };
    return table === undefined
      ? { ...progress, place: null, done: true }
      : { ...progress, place: { table, after: null }, done: false };
  }

  async #goOn(progress: Progress): Promise<void> {
    const { door, workspaceId, state, path } = this.#parts;
    const { id } = state;
    await using pieces = await Pieces.open(path, progress.length);
    let { place, seq } = progress;
    const save = async (length: number | null, done = false) => {
      if (length === null) return;
      const now: Progress = { mark: progress.mark, length, place, seq, done };
      await writeSecretFile(this.#progressFile, JSON.stringify(now));
    };
    const earlier = await this.#earlier(progress.mark);
    while (place !== null) {
      const { table } = place;
      if (earlier !== null && scanTables.includes(table) && place.after === null) {
        for await (const text of earlier.rowsOf(table)) await pieces.add(text);
        place = { table, after: [earlier.until] };
      }
      const before = earlier === null ? null : (scanTables[scanTables.indexOf(table) + 1] ?? null);
      const answer = await door.ledger(workspaceId, { step: "pages", id, before, ...place });
      place = footOf(answer).place ?? null;
      await save(await pieces.add(answer));
    }
    for (let complete = false; !complete; ) {
      const answer = await door.ledger(workspaceId, { step: "changes", id, after: seq });
      const foot = footOf(answer);
      seq = foot.seq ?? seq;
      complete = foot.complete === true;
      await save(await pieces.add(answer));
    }
    await save(await pieces.flush(), true);
    await door.endLedger(workspaceId, id);
  }

  /** Returns the scans that the last backup has and that are still as it has them; null if there may be none. */
  async #earlier(mark: string) {
    const { last, folder, workspaceId, installation } = this.#parts;
    const copied = last?.ledgers.find((ledger) => ledger.workspaceId === workspaceId);
    if (last === null || copied === undefined || copied.mark !== mark) return null;
    if (last.installation.version !== installation.version) return null;
    const until = idsFrom(Math.max(0, Date.parse(last.begunAt) - lateness)).toUpperCase();
    const file = folder.pathOf(copied.path);
    return { until, rowsOf: (table: string) => rowsUntil(file, table, until) };
  }
}

/** Reads the rows of a table up to an id, as sections. */
async function* rowsUntil(file: string, table: string, until: string): AsyncGenerator<string> {
  let [lines, described]: [string[], StoredRows | null] = [[], null];
  for await (const { key, line, section } of rowsOf(file, table)) {
    if (String(key[0]) > until) break;
    described = section;
    lines.push(line);
    if (lines.length < sectionRows) continue;
    yield sectionText(section, lines);
    lines = [];
  }
  if (described !== null && lines.length > 0) yield sectionText(described, lines);
}

/** Reads the keys of the archives that a ledger has. */
async function* archivesIn(file: string): AsyncGenerator<string> {
  for await (const { line, section } of rowsOf(file, "archives")) {
    yield String((JSON.parse(line) as unknown[])[section.columns.indexOf("key")]);
  }
}

/** Counts the rows in files, by table. */
async function countRows(
  folder: BackupFolder,
  files: readonly { path: string }[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { path } of files) {
    for await (const section of sectionsOf(folder.pathOf(path))) {
      if (section.kind === "rows") counts[section.table] = (counts[section.table] ?? 0) + section.count;
    }
  }
  return counts;
}

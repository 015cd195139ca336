import { concurrently } from "../../src/lib/concurrently.ts";
import { backupFormat, type StoredRows } from "../../src/protocol/backup.ts";
import { Failure } from "../lib/failure.ts";
import { compareBackup } from "./compare.ts";
import { Door, type Installation } from "./door.ts";
import type { BackupFolder, Manifest } from "./folder.ts";
import { recordLater } from "./later.ts";
import { sectionsOf } from "./sections.ts";
import type { World } from "./take.ts";
import { verifyBackup } from "./verify.ts";

/** Rows and characters of one request. */
const batch = { rows: 5000, characters: 1_000_000 };

/** Requests with rows of a ledger that are made at once: the next ones travel while it stores one. */
const requestsAtOnce = 4;

/**
 * Restores a backup into an empty installation, or goes on with one that was interrupted, and compares the two.
 * @throws Failure that says what to do
 */
export async function restoreBackup(folder: BackupFolder, world: World): Promise<void> {
  const manifest = await verifyBackup(folder, world.say);
  const door = new Door(world);
  const installation = await door.describe();
  requireFit(manifest, installation);
  if (installation.restored?.id === manifest.id && installation.restored.isComplete) {
    return world.say("  ✓ This backup was restored before");
  }
  await door.beginRestoring(manifest.id);
  await storeFiles(folder, manifest, door, installation);
  world.say(`  ✓ Files: ${manifest.files.length}`);
  for (const { workspaceId, path } of manifest.ledgers) {
    await storeLedger(folder.pathOf(path), workspaceId, manifest.id, door);
  }
  world.say(`  ✓ Scans, webhooks, submissions and history: ${manifest.ledgers.length} workspaces`);
  for (const { path } of manifest.catalogue) await storeTable(folder.pathOf(path), door, false);
  const workspaces = manifest.catalogue.find(({ table }) => table === "workspaces");
  if (workspaces !== undefined) await storeTable(folder.pathOf(workspaces.path), door, true);
  world.say(`  ✓ Catalogue: ${manifest.catalogue.length} tables`);
  const differences = await compareBackup(folder, manifest, door);
  if (differences.length > 0) {
    throw new Failure(
      `The installation differs from the backup:\n${differences.map((each) => `  ${each}`).join("\n")}`,
    );
  }
  await door.endRestoring(manifest.id);
  world.say("  ✓ Compared: the installation has what the backup has");
}

/**
 * Takes a restored installation into use: records what the other one got since, if it was moved, accepts changes, and sends
 * webhooks.
 * @throws Failure if this backup isn't restored there
 */
export async function finishRestoring(folder: BackupFolder, world: World): Promise<void> {
  const manifest = await verifyBackup(folder, world.say);
  const { id, ledgers } = manifest;
  const door = new Door(world);
  const { restored } = await door.describe();
  if (restored?.id !== id || !restored.isComplete) {
    throw new Failure(
      `This backup isn't restored there yet. Restore it: npm run restore -- ${folder.path} INSTALLATION`,
    );
  }
  if (manifest.moving) await recordLater(folder, manifest, door);
  for (const { workspaceId } of ledgers) await door.restoreLedger(workspaceId, { step: "release", id });
  await door.finishRestoring(id);
  world.say("  ✓ The installation accepts changes and sends webhooks from now on");
}

/**
 * Ends a move: the installation that was copied accepts changes and sends webhooks again.
 * @throws Failure if the folder has no backup of a move
 */
export async function stay(folder: BackupFolder, world: World): Promise<void> {
  const { id, ledgers, moving } = await folder.requireManifest();
  if (!moving) throw new Failure(`${folder.path} has no backup that was taken with --move.`);
  const door = new Door(world);
  for (const { workspaceId } of ledgers) await door.restoreLedger(workspaceId, { step: "release", id });
  await door.setMoving(false);
  world.say("  ✓ The installation accepts changes and sends webhooks again");
}

/** @throws Failure if the installation can't use the backup */
function requireFit(manifest: Manifest, installation: Installation): void {
  if (installation.format !== backupFormat)
    throw new Failure("The installation has another format of backups.");
  const missing = Object.entries(manifest.installation.secrets)
    .filter(([name, digest]) => installation.secrets[name] !== digest)
    .map(([name]) => name.replace(/ 1$/, "").replace(" ", "_"));
  if (missing.length > 0) {
    throw new Failure(`These secrets differ from those of the backup: ${missing.join(", ")}.
Store the same values first: npx wrangler secret put NAME. They travel by hand, because a backup has none.`);
  }
  if (manifest.files.length > 0 && !installation.hasFiles) {
    throw new Failure(
      "The backup has files, and the installation has no bucket. Run npm run setup with R2 first.",
    );
  }
}

async function storeFiles(
  folder: BackupFolder,
  manifest: Manifest,
  door: Door,
  { hasFiles }: Installation,
): Promise<void> {
  if (!hasFiles) return;
  const stored = new Map<string, string>();
  for (const prefix of new Set(manifest.files.map(({ key }) => key.slice(0, key.indexOf("/") + 1)))) {
    for await (const { key, etag } of door.files(prefix)) stored.set(key, etag);
  }
  for (const { key, etag, path, contentType } of manifest.files) {
    if (stored.get(key) !== etag)
      await door.storeFile(key, new Uint8Array(await folder.read(path)), contentType);
  }
}

async function storeTable(file: string, door: Door, isFinal: boolean): Promise<void> {
  for await (const section of sectionsOf(file)) {
    if (section.kind === "rows")
      for (const part of partsOf(section)) await door.storeCatalogue(part, isFinal);
  }
}

async function storeLedger(file: string, workspaceId: string, id: string, door: Door): Promise<void> {
  if (await door.restoreLedger(workspaceId, { step: "begin", id })) return;
  const store = (step: "rows" | "remove", rows: StoredRows) =>
    door.restoreLedger(workspaceId, { step, id, rows });
  await concurrently(rowsIn(file), requestsAtOnce, async (rows) => void (await store("rows", rows)));
  // Changes follow in the order in which they were made.
  let values: Readonly<Record<string, unknown>> = {};
  for await (const section of sectionsOf(file)) {
    if (section.kind === "values") ({ values } = section);
    if (section.kind !== "changed" && section.kind !== "removed") continue;
    const step = section.kind === "removed" ? "remove" : "rows";
    for (const rows of partsOf(section)) await store(step, rows);
  }
  await door.restoreLedger(workspaceId, { step: "complete", id, values });
}

/** Reads the rows of a file as they were first copied. */
async function* rowsIn(file: string): AsyncGenerator<StoredRows> {
  for await (const section of sectionsOf(file)) if (section.kind === "rows") yield* partsOf(section);
}

/** Divides a section into what one request takes. */
function* partsOf({ table, columns, key, blobs, lines }: StoredRows): Generator<StoredRows> {
  let [part, rows] = ["", 0];
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    part += `${line}\n`;
    rows += 1;
    if (rows < batch.rows && part.length < batch.characters) continue;
    yield { table, columns, key, blobs, lines: part };
    [part, rows] = ["", 0];
  }
  if (rows > 0) yield { table, columns, key, blobs, lines: part };
}

import { equalInConstantTime } from "../../lib/crypto/constant-time.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import type { Keyring } from "../../lib/crypto/keyring.ts";
import { log } from "../../lib/log.ts";
import { version } from "../../lib/version.ts";
import { bearerOf } from "../../lib/web/bearer.ts";
import {
  type BackupKey,
  backupFormat,
  filePrefixes,
  type LedgerCopyAnswer,
  type LedgerCopyRequest,
  type LedgerRestoreAnswer,
  type LedgerRestoreRequest,
  type StoredRows,
  type TablePage,
} from "../../protocol/backup.ts";
import type { LaterRecords } from "../../protocol/workspace-ledger.ts";
import * as records from "../../store/backup/records.ts";
import { finishWorkspaces, isInUse, readPage, storeRows } from "../../store/backup/rows.ts";
import { copiedTables } from "../../store/backup/tables.ts";
import type { Deps } from "../deps.ts";
import { minSecretLength } from "../identity/ways.ts";

/** Returns whether a request may read and restore everything. Nobody may while no BACKUP_SECRET is set. */
export async function mayBackUp({ settings }: Deps, authorization: string | undefined): Promise<boolean> {
  const { backupSecret } = settings;
  const given = bearerOf(authorization) ?? "";
  return backupSecret.length >= minSecretLength && (await equalInConstantTime(given, backupSecret));
}

/** Returns whether a backup has the file with this key. */
export const isCopiedFile = (key: string): boolean => filePrefixes.some((prefix) => key.startsWith(prefix));

/** The facts that tell whether another installation can use a backup. */
export interface Installation {
  readonly format: number;
  readonly version: string;
  readonly scanOrigin: string;
  readonly appOrigin: string;
  /** SHA-256 of the secrets that travel by hand, by their names with key ids. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The tables of the catalogue that a backup has, in the order in which they are restored. */
  readonly tables: readonly string[];
  readonly hasFiles: boolean;
  /** Bulk jobs that aren't done. */
  readonly unfinishedJobs: number;
  /** The backup that was restored into it, or is being restored; null if none. */
  readonly restored: records.RestoredBackup | null;
}

/** Describes this installation. */
export async function describeInstallation(deps: Deps): Promise<Installation> {
  const { db, files, settings } = deps;
  const digests = (name: string, keyring: Keyring) =>
    keyring.map(
      async ({ id, secret }) => [`${name} ${id}`, await sha256Hex(`backup ${name} ${secret}`)] as const,
    );
  const secrets = await Promise.all([
    ...digests("VISITOR_SECRET", settings.visitorSecrets),
    ...digests("WEBHOOK_SECRET", settings.webhookSecrets),
  ]);
  return {
    format: backupFormat,
    version,
    scanOrigin: settings.scanOrigin,
    appOrigin: settings.appOrigin,
    secrets: Object.fromEntries(secrets),
    tables: [...copiedTables.keys()],
    hasFiles: files !== undefined,
    unfinishedJobs: await records.countUnfinishedJobs(db),
    restored: await records.findRestored(db),
  };
}

/** Records that a backup begins, or goes on. */
export async function beginBackup({ db, now }: Deps, id: string): Promise<void> {
  log("warn", "backup begun", { backupId: id });
  await records.noteBackupBegun(db, id, now());
}

/** Begins to refuse changes, because the installation is being moved, or accepts them again. */
export async function setMoving({ db, now }: Deps, isMoving: boolean): Promise<void> {
  log("warn", isMoving ? "changes refused for a move" : "changes accepted again");
  await records.noteMoving(db, isMoving, now());
}

/** Records that a backup is complete. */
export async function endBackup({ db, now }: Deps, id: string): Promise<void> {
  log("info", "backup ended", { backupId: id });
  await records.noteBackupEnded(db, now());
}

/** Reads a page of a table of the catalogue; null for a table that backups don't have. */
export async function readCatalogue(
  { db }: Deps,
  table: string,
  after: BackupKey | null,
): Promise<TablePage | null> {
  const copied = copiedTables.get(table);
  return copied === undefined ? null : readPage(db, table, copied, after);
}

/** Copies a workspace's ledger, a step at a time. */
export const copyLedger = (
  deps: Deps,
  workspaceId: string,
  request: LedgerCopyRequest,
): Promise<LedgerCopyAnswer> => deps.ledger(workspaceId).copyStep(request, deps.now());

/** Begins to restore a backup, or goes on. @returns false if the installation has data of its own, or of another backup */
export async function beginRestoring({ db, now }: Deps, id: string): Promise<boolean> {
  const restored = await records.findRestored(db);
  if (restored !== null) return restored.id === id;
  if (await isInUse(db)) return false;
  log("warn", "restoring begun", { backupId: id });
  await records.noteRestoring(db, id, now());
  return true;
}

/** Records that a backup is restored. Until then, the sweep rests. */
export async function endRestoring({ db, now }: Deps, id: string): Promise<void> {
  log("warn", "restored", { backupId: id });
  await records.noteRestored(db, id, now());
}

/**
 * Stores rows of the catalogue.
 * @param isFinal for workspaces whose rows are all stored
 * @returns false for a table that backups don't have
 */
export async function storeCatalogue({ db }: Deps, rows: StoredRows, isFinal: boolean): Promise<boolean> {
  if (!copiedTables.has(rows.table)) return false;
  if (isFinal && rows.table === "workspaces") await finishWorkspaces(db, rows);
  else await storeRows(db, rows);
  return true;
}

/** Restores a workspace's ledger, a step at a time. */
export const restoreLedger = (
  deps: Deps,
  workspaceId: string,
  request: LedgerRestoreRequest,
): Promise<LedgerRestoreAnswer> => deps.ledger(workspaceId).restoreStep(request, deps.now());

/** Records scans and submissions that the copied installation got later. Those that are known already change nothing. */
export async function recordLater(
  deps: Deps,
  workspaceId: string,
  { batch, submissions }: LaterRecords,
): Promise<void> {
  const ledger = deps.ledger(workspaceId);
  await ledger.recordScans([batch], deps.now());
  for (const submission of submissions) await ledger.submit(submission, deps.now());
}

/** Records that this installation is in use. */
export async function finishRestoring({ db }: Deps, id: string): Promise<void> {
  log("warn", "restored installation in use", { backupId: id });
  await records.noteFinished(db, id);
}

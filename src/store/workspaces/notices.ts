import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import { presentQr, qrRows } from "../codes/columns.ts";
import { type ListedList, namedListsSql } from "../codes/saved-lists.ts";
import { waitingSql } from "../proposals.ts";
import { readSuspension } from "../routing/route-sources.ts";

/**
 * The problems that a workspace's members should know about. Each list is limited to the requested number of entries.
 */
export interface NoticedRows {
  /** Codes that the operator has suspended. */
  readonly codes: readonly Qr[];
  /** Codes whose design phones can't read. */
  readonly unreadable: readonly Qr[];
  /** Hosted pages that the operator has suspended, or whose form is closed. */
  readonly pages: readonly NoticedPage[];
  /** Names of keys refused at their daily cap today. */
  readonly keys: readonly string[];
  /** Keys that expire soon and have not been rotated. */
  readonly expiringKeys: readonly {
    readonly id: string;
    readonly name: string;
    readonly expiresAt: number;
  }[];
  /** Recently added passkeys that the person hasn't acknowledged in their session. */
  readonly newPasskeys: readonly {
    readonly id: string;
    readonly name: string;
    readonly createdAt: number;
  }[];
  /** The first saved lists of the workspace and of the person, by name. */
  readonly lists: readonly ListedList[];
  /** Changes that wait for confirmation, up to `waitingCounted`. */
  readonly waitingChanges: number;
}

/** How many saved lists the navigation shows; one more is read. */
export const shownLists = 8;

/** Waiting changes are counted up to this many. */
export const waitingCounted = 100;

interface NoticedPage {
  readonly id: string;
  readonly title: string;
  readonly formClosed: boolean;
  readonly suspended: Suspension | null;
}

/**
 * Returns these problems, in one call.
 * @param sessionId of the person who gets the notices; empty for none
 * @param options `since`: when the day began; `now` and `soon`: between which a key expires soon;
 * `news`: from when on a passkey is new. Epoch milliseconds
 */
export async function findNoticed(
  db: D1Database,
  workspaceId: string,
  sessionId: string,
  { since, now, soon, news, userId, limit, scanOrigin }: NoticeOptions,
): Promise<NoticedRows> {
  const [codes, unreadable, pages, keys, expiring, passkeys, waiting, lists] = await db.batch<
    Record<string, unknown>
  >([
    db.prepare(codesSql).bind(workspaceId, limit),
    db.prepare(unreadableSql).bind(workspaceId, limit),
    db.prepare(pagesSql).bind(workspaceId, limit),
    db.prepare(keysSql).bind(workspaceId, since, limit),
    db.prepare(expiringKeysSql).bind(workspaceId, now, soon, limit),
    db.prepare(newPasskeysSql).bind(sessionId, news, limit),
    db.prepare(waitingSql).bind(workspaceId, now, waitingCounted),
    db.prepare(namedListsSql).bind(workspaceId, userId, shownLists + 1),
  ]);
  return {
    codes: (codes?.results ?? []).map((row) => presentQr(qrRows.read(row), scanOrigin)),
    unreadable: (unreadable?.results ?? []).map((row) => presentQr(qrRows.read(row), scanOrigin)),
    pages: (pages?.results ?? []).map(({ id, title, formClosed, suspended }) => ({
      id: String(id),
      title: String(title),
      formClosed: formClosed === 1,
      suspended: readSuspension(suspended as string | null),
    })),
    keys: (keys?.results ?? []).map(({ name }) => String(name)),
    expiringKeys: (expiring?.results ?? []).map(({ id, name, expiresAt }) => ({
      id: String(id),
      name: String(name),
      expiresAt: Number(expiresAt),
    })),
    newPasskeys: (passkeys?.results ?? []).map(({ id, name, createdAt }) => ({
      id: String(id),
      name: String(name),
      createdAt: Number(createdAt),
    })),
    lists: (lists?.results ?? []).map(({ id, name }) => ({ id: String(id), name: String(name) })),
    waitingChanges: Number(waiting?.results[0]?.waiting ?? 0),
  };
}

interface NoticeOptions {
  readonly since: number;
  readonly now: number;
  readonly soon: number;
  readonly userId: string;
  readonly news: number;
  readonly limit: number;
  readonly scanOrigin: string;
}

const codesSql = `
  SELECT ${qrRows.columns("c")} FROM qr_codes c
  WHERE c.workspace_id = ? AND c.suspended IS NOT NULL AND c.deleted_at IS NULL ORDER BY c.id LIMIT ?`;

const unreadableSql = `
  SELECT ${qrRows.columns("c")} FROM qr_codes c
  WHERE c.workspace_id = ? AND c.readable = 0 AND c.deleted_at IS NULL ORDER BY c.id LIMIT ?`;

const pagesSql = `
  SELECT p.id, p.content->>'title' AS title, p.form_closed AS formClosed, p.suspended FROM pages p
  WHERE p.workspace_id = ? AND (p.form_closed OR p.suspended IS NOT NULL) AND p.deleted_at IS NULL
  ORDER BY p.id LIMIT ?`;

const keysSql = `
  SELECT k.name FROM api_keys k
  WHERE k.workspace_id = ? AND k.capped_at >= ? AND k.revoked_at IS NULL ORDER BY k.capped_at LIMIT ?`;

const expiringKeysSql = `
  SELECT k.id, k.name, k.expires_at AS expiresAt FROM api_keys k
  WHERE k.workspace_id = ? AND k.expires_at > ? AND k.expires_at <= ? AND k.revoked_at IS NULL
    AND k.replaced_by IS NULL
  ORDER BY k.expires_at LIMIT ?`;

/** The passkey that a person joined with is older than their row, and needs no notice. */
const newPasskeysSql = `
  SELECT p.id, p.name, p.created_at AS createdAt
  FROM sessions s JOIN users u ON u.id = s.user_id JOIN passkeys p ON p.user_id = u.id
  WHERE s.id = ? AND p.created_at > max(u.created_at, coalesce(s.passkeys_seen_at, 0), ?)
  ORDER BY p.id DESC LIMIT ?`;

import { env } from "cloudflare:workers";

/** The result of a scan: a destination, a page's title, `suspended` for a 403, or null for a 404. */
export type ScanOutcome = string | null;

export const suspended = "(suspended)";

interface State {
  readonly version: number;
  /**
   * The outcome of scans while the workspace isn't suspended and a shown code is open. For a workspace, `suspended` or null.
   */
  readonly outcome: ScanOutcome;
  readonly isDeleted: boolean;
  readonly lifeSpan: LifeSpan;
}

interface LifeSpan {
  /** Whether scans get the target while it is open: it is neither paused, suspended nor deleted. */
  readonly isShown: boolean;
  /** Epoch milliseconds. */
  readonly startsAt: number | null;
  readonly expiresAt: number | null;
  readonly fallback: string | null;
  readonly utmSource: string | null;
}

export const unlimited: LifeSpan = {
  isShown: true,
  startsAt: null,
  expiresAt: null,
  fallback: null,
  utmSource: null,
};

/** Returns a destination as scans get it. */
export const tagged = (url: string, { utmSource }: LifeSpan): string =>
  utmSource === null ? url : `${url}?utm_source=${utmSource}`;

export interface Version extends State {
  /** Infinity if the request of its change was never answered. */
  readonly answeredAt: number;
}

/** A code, a hosted page, or their workspace. */
export interface Resource {
  readonly kind: "code" | "page" | "workspace";
  readonly id: string;
  /** Its key in KV and in the feeds. */
  readonly key: string;
  /** In the order their changes were answered. */
  readonly versions: Version[];
}

/**
 * Returns what scans of a code or page in a state get while their workspace is in another. @param now by the edge's
 * clock
 */
export function outcomeIn(state: State, workspace: State, now: number): ScanOutcome {
  if (workspace.outcome === suspended && !state.isDeleted) return suspended;
  const { isShown, startsAt, expiresAt, fallback } = state.lifeSpan;
  const isClosed = (startsAt !== null && now < startsAt) || (expiresAt !== null && now >= expiresAt);
  return isShown && isClosed ? fallback : state.outcome;
}

const statements = {
  code: `SELECT version, iif(status = 'active', data->>'url', NULL) AS target, suspended, deleted_at AS deletedAt,
           starts_at AS startsAt, expires_at AS expiresAt, fallback_url AS fallback, utm->>'source' AS utmSource
         FROM qr_codes WHERE id = ?`,
  page: `SELECT version, content->>'title' AS target, suspended, deleted_at AS deletedAt FROM pages WHERE id = ?`,
  workspace: `SELECT suspension_version AS version, NULL AS target, suspended, NULL AS deletedAt
              FROM workspaces WHERE id = ?`,
};

/** Returns a resource's state in the catalogue, which scans must eventually follow. */
export async function catalogueState({ kind, id }: Resource): Promise<State> {
  const row = await env.DB.prepare(statements[kind]).bind(id).first<{
    version: number;
    target: string | null;
    suspended: string | null;
    deletedAt: number | null;
    startsAt?: number | null;
    expiresAt?: number | null;
    fallback?: string | null;
    utmSource?: string | null;
  }>();
  if (row === null) throw new Error(`no ${kind} ${id}`);
  const { version, target, startsAt = null, expiresAt = null, fallback = null, utmSource = null } = row;
  const isDeleted = row.deletedAt !== null;
  const isShown = !isDeleted && row.suspended === null && target !== null;
  const lifeSpan = { isShown, startsAt, expiresAt, fallback, utmSource };
  if (isDeleted) return { version, outcome: null, isDeleted, lifeSpan };
  if (row.suspended !== null) return { version, outcome: suspended, isDeleted, lifeSpan };
  return { version, outcome: target === null ? fallback : tagged(target, lifeSpan), isDeleted, lifeSpan };
}

/** Returns whether no publication of a resource is pending. */
export async function isPublished({ key }: Resource): Promise<boolean> {
  const sql = "SELECT 1 FROM pending_publications WHERE key = ?";
  return (await env.DB.prepare(sql).bind(key).first()) === null;
}

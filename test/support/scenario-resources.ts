import { env } from "cloudflare:workers";

/** The result of a scan: a destination, a page's title, `suspended` for a 403, or null for a 404. */
export type ScanOutcome = string | null;

export const suspended = "(suspended)";

interface State {
  readonly version: number;
  /** What scans get while the workspace is not suspended; for a workspace, `suspended` or null. */
  readonly outcome: ScanOutcome;
  readonly isDeleted: boolean;
}

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
  /** In the order in which their changes were answered. */
  readonly versions: Version[];
}

/** What scans get of a code or page in a state, while their workspace is in another. */
export function outcomeIn(state: State, workspace: State): ScanOutcome {
  return workspace.outcome === suspended && !state.isDeleted ? suspended : state.outcome;
}

const statements = {
  code: `SELECT version, iif(status = 'active', data->>'url', NULL) AS target, suspended, deleted_at AS deletedAt
         FROM qr_codes WHERE id = ?`,
  page: `SELECT version, content->>'title' AS target, suspended, deleted_at AS deletedAt FROM pages WHERE id = ?`,
  workspace: `SELECT suspension_version AS version, NULL AS target, suspended, NULL AS deletedAt
              FROM workspaces WHERE id = ?`,
};

/** What the catalogue says of a resource: what scans must come to follow. */
export async function catalogueState({ kind, id }: Resource): Promise<State> {
  const row = await env.DB.prepare(statements[kind]).bind(id).first<{
    version: number;
    target: string | null;
    suspended: string | null;
    deletedAt: number | null;
  }>();
  if (row === null) throw new Error(`no ${kind} ${id}`);
  const { version, target } = row;
  if (row.deletedAt !== null) return { version, outcome: null, isDeleted: true };
  return { version, outcome: row.suspended === null ? target : suspended, isDeleted: false };
}

/** Whether no publication of a resource is pending. */
export async function isPublished({ key }: Resource): Promise<boolean> {
  const sql = "SELECT 1 FROM pending_publications WHERE key = ?";
  return (await env.DB.prepare(sql).bind(key).first()) === null;
}

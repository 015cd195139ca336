import { env } from "cloudflare:workers";

/** The result of a scan: a destination, a page's title, or null for a 404. */
export type ScanOutcome = string | null;

interface Version {
  readonly version: number;
  readonly outcome: ScanOutcome;
  /** Infinity if the request of its change was never answered. */
  readonly answeredAt: number;
}

/** A code or a hosted page. */
export interface Resource {
  readonly kind: "code" | "page";
  readonly id: string;
  /** Its key in KV and in the feeds. */
  readonly key: string;
  /** In the order in which their changes were answered. */
  readonly versions: Version[];
}

/** What the catalogue says of a resource: what scans must come to follow. */
export async function catalogueState({
  kind,
  id,
}: Resource): Promise<{ version: number; outcome: ScanOutcome }> {
  const sql =
    kind === "code"
      ? "SELECT version, status, data->>'url' AS target, deleted_at AS deletedAt FROM qr_codes WHERE id = ?"
      : "SELECT version, 'active' AS status, content->>'title' AS target, deleted_at AS deletedAt FROM pages WHERE id = ?";
  const row = await env.DB.prepare(sql)
    .bind(id)
    .first<{ version: number; status: string; target: string; deletedAt: number | null }>();
  if (row === null) throw new Error(`no ${kind} ${id}`);
  const isActive = row.status === "active" && row.deletedAt === null;
  return { version: row.version, outcome: isActive ? row.target : null };
}

/** Whether no publication of a resource is pending. */
export async function isPublished({ key }: Resource): Promise<boolean> {
  const sql = "SELECT 1 FROM pending_publications WHERE key = ?";
  return (await env.DB.prepare(sql).bind(key).first()) === null;
}

import type { QrRow } from "./columns.ts";

/** A code by what names it. */
export type NamedCode = Pick<QrRow, "id" | "hash" | "externalId" | "qrType">;

/** Codes by each of their names. */
export interface NamedCodes {
  readonly byId: ReadonlyMap<string, NamedCode>;
  readonly byHash: ReadonlyMap<string, NamedCode>;
  readonly byOwnId: ReadonlyMap<string, NamedCode>;
}

/** Returns the workspace's codes, except deleted ones, that have one of these ids, hashes or own ids. */
export async function findNamedCodes(
  db: D1Database,
  workspaceId: string,
  names: Readonly<Record<"ids" | "hashes" | "externalIds", readonly string[]>>,
): Promise<NamedCodes> {
  const { results } = await db
    .prepare(namedSql)
    .bind(workspaceId, ...[names.ids, names.hashes, names.externalIds].map((list) => JSON.stringify(list)))
    .all<NamedCode>();
  return {
    byId: new Map(results.map((code) => [code.id, code])),
    byHash: new Map(results.map((code) => [code.hash, code])),
    byOwnId: new Map(results.flatMap((code) => (code.externalId === null ? [] : [[code.externalId, code]]))),
  };
}

const select = "SELECT c.id, c.hash, c.external_id AS externalId, c.qr_type AS qrType FROM";
const isLive = "c.workspace_id = ?1 AND c.deleted_at IS NULL";

const namedSql = `
  ${select} json_each(?2) n CROSS JOIN qr_codes c ON c.id = n.value WHERE ${isLive}
  UNION ${select} json_each(?3) n CROSS JOIN qr_codes c ON c.hash = n.value WHERE ${isLive}
  UNION ${select} json_each(?4) n CROSS JOIN qr_codes c ON c.external_id = n.value AND c.workspace_id = ?1
    WHERE ${isLive}`;

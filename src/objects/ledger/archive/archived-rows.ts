import { idFromHex, timeOfId } from "../../../lib/text/ids.ts";
import type { ArchivedScan } from "../../../protocol/archives.ts";
import { LedgerPart } from "../part.ts";
import type { IdRange, ScanFacts } from "../scans/raw-scans.ts";

/** A raw scan as a row of the ledger and as a line of a file. */
export interface ArchivableScan {
  /** 32 hex digits. */
  readonly digits: string;
  readonly code: number;
  readonly isBot: boolean;
  /** The file's line, including its line feed. */
  readonly line: string;
}

type ArchivableRow = {
  digits: string;
  ref: number;
  qr_id: string;
  hash: string;
  device: string;
  os: string;
  browser: string;
  user_agent: string;
};
type ArchivableBotRow = ArchivableRow & { rule: string | null };
type ArchivableHumanRow = ArchivableRow & {
  country: string;
  city: string;
  host: string | null;
  via: string | null;
  visitor: string | null;
  first: number;
};

const shared = "lower(hex(s.id)) AS digits, c.ref, c.qr_id, c.hash, k.device, k.os, k.browser, a.user_agent";
const joins = `JOIN codes c ON c.ref = s.code JOIN agents a ON a.ref = s.agent JOIN clients k ON k.ref = a.client`;
const range = "WHERE s.id > unhex(?) AND s.id < unhex(?) ORDER BY s.id LIMIT ?";

/** Converts raw scans into lines of files, and such lines into scans that rollups count. */
export class ArchivedRows extends LedgerPart<{ sql: SqlStorage }> {
  /** Returns human scans by ascending id. @param limit maximum number of scans */
  humans({ after, before }: IdRange, limit: number): ArchivableScan[] {
    return this.parts.sql
      .exec<ArchivableHumanRow>(
        `SELECT ${shared}, p.country, p.city, r.host, v.address AS via, lower(hex(s.visitor)) AS visitor, s.first
         FROM scans s ${joins} JOIN places p ON p.ref = s.place LEFT JOIN referrers r ON r.ref = s.referrer
           LEFT JOIN vias v ON v.ref = s.via ${range}`,
        after,
        before,
        limit,
      )
      .toArray()
      .map((row) => archivable(row, row));
  }

  /** Returns scans by bots and prefetches by ascending id. @param limit maximum number of scans */
  bots({ after, before }: IdRange, limit: number): ArchivableScan[] {
    return this.parts.sql
      .exec<ArchivableBotRow>(
        `SELECT ${shared}, b.name AS rule FROM bot_scans s ${joins} LEFT JOIN bot_rules b ON b.ref = s.rule ${range}`,
        after,
        before,
        limit,
      )
      .toArray()
      .map((row) => archivable(row, null, row.rule));
  }

  /** Returns a function that looks up the references of archived scans and caches them. */
  reader(): (scan: ArchivedScan) => ScanFacts {
    const refs = new Map<string, number>();
    const refOf = (sql: string, ...values: string[]): number => {
      const key = [sql, ...values].join("\n");
      const ref = refs.get(key) ?? this.parts.sql.exec<{ ref: number }>(sql, ...values).one().ref;
      refs.set(key, ref);
      return ref;
    };
    return (scan) => {
      const code = refOf("SELECT ref FROM codes WHERE qr_id = ?", scan.qrId);
      const identity = { id: scan.id.replaceAll("-", ""), time: timeOfId(scan.id), code };
      if (scan.bot) {
        return { ...identity, isBot: true, client: 0, place: 0, referrer: 0, visitor: null, isFirst: false };
      }
      const { device, os, browser, country, city, referrer, visitor } = scan;
      return {
        ...identity,
        isBot: false,
        client: refOf(
          "SELECT ref FROM clients WHERE device = ? AND os = ? AND browser = ?",
          device ?? "",
          os ?? "",
          browser ?? "",
        ),
        place: refOf("SELECT ref FROM places WHERE country = ? AND city = ?", country ?? "", city ?? ""),
        referrer: referrer === null ? 0 : refOf("SELECT ref FROM referrers WHERE host = ?", referrer),
        visitor: visitor === null ? null : Uint8Array.fromHex(visitor),
        isFirst: scan.first,
      };
    };
  }
}

function archivable(
  row: ArchivableRow,
  human: ArchivableHumanRow | null,
  botRule: string | null = null,
): ArchivableScan {
  const scan: ArchivedScan = {
    id: idFromHex(row.digits),
    qrId: row.qr_id,
    hash: row.hash,
    country: human?.country || null,
    city: human?.city || null,
    device: row.device || null,
    os: row.os || null,
    browser: row.browser || null,
    userAgent: row.user_agent || null,
    referrer: human?.host ?? null,
    ...(human !== null && human.via !== null && { via: human.via }),
    visitor: human?.visitor || null,
    first: human?.first === 1,
    bot: human === null,
    ...(botRule !== null && { botRule }),
  };
  return { digits: row.digits, code: row.ref, isBot: scan.bot, line: `${JSON.stringify(scan)}\n` };
}

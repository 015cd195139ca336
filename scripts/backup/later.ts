import { idFromHex, idsFrom } from "../../src/lib/text/ids.ts";
import type { LaterRecords } from "../../src/protocol/workspace-ledger.ts";
import type { Door } from "./door.ts";
import type { BackupFolder, Manifest } from "./folder.ts";
import { type FileRow, rowsOf } from "./sections.ts";

/** Scans and submissions of one request. */
const batchSize = { scans: 2000, submissions: 20 };

/** How far back scans are recorded again, milliseconds. Later than that, none arrives. */
const lateness = 15 * 24 * 60 * 60_000;

/** The values of the tables that scans refer to, by their references. */
type Values = ReadonlyMap<number, readonly (string | null)[]>;

/** The columns of these tables that scans are recorded with. */
const referred: Readonly<Record<string, readonly string[]>> = {
  codes: ["qr_id", "hash"],
  agents: ["user_agent"],
  places: ["country", "city"],
  referrers: ["host"],
  vias: ["address"],
  bot_rules: ["name"],
};

/**
 * Records the scans and submissions of a backup in an installation that an earlier one was restored into. The service ignores
 * those that it has.
 */
export async function recordLater(folder: BackupFolder, manifest: Manifest, door: Door): Promise<void> {
  const from = idsFrom(Math.max(0, Date.parse(manifest.begunAt) - lateness)).toUpperCase();
  for (const { workspaceId, path } of manifest.ledgers) {
    const values = new Map<string, Map<number, readonly (string | null)[]>>();
    let scans = new Batch(workspaceId);
    let submissions: LaterRecords["submissions"][number][] = [];
    const send = async () => {
      await door.recordLater(workspaceId, { batch: scans.batch, submissions });
      [scans, submissions] = [new Batch(workspaceId), []];
    };
    for await (const row of rowsOf(folder.pathOf(path))) {
      const { table } = row.section;
      const of = valuesOf(row);
      const columns = referred[table];
      if (columns !== undefined) {
        const ofTable = values.get(table) ?? new Map<number, readonly (string | null)[]>();
        values.set(table, ofTable);
        ofTable.set(
          Number(of("ref")),
          columns.map((name) => text(of(name))),
        );
      } else if (table === "submissions") submissions.push(submissionOf(of));
      else if ((table === "scans" || table === "bot_scans") && String(of("id")) >= from) {
        scans.add(of, (name) => values.get(name) ?? new Map());
      }
      if (scans.size === batchSize.scans || submissions.length === batchSize.submissions) await send();
    }
    if (scans.size > 0 || submissions.length > 0) await send();
  }
}

type Value = (column: string) => string | number | null;

function valuesOf({ line, section }: FileRow): Value {
  const values = JSON.parse(line) as (string | number | null)[];
  return (column) => values[section.columns.indexOf(column)] ?? null;
}

const text = (value: string | number | null): string | null => (value === null ? null : String(value));

function submissionOf(of: Value): LaterRecords["submissions"][number] {
  const id = String(of("id"));
  const fields = JSON.parse(String(of("fields"))) as Record<string, string | boolean>;
  // Its sender has been counted where it was sent.
  return { id, pageId: String(of("page_id")), fingerprint: String(of("fingerprint")), sender: id, fields };
}

/** Scans as they travel from the edge, made of rows. */
class Batch {
  readonly #workspaceId: string;
  readonly #codes = new Listed<{ qrId: string; hash: string }>();
  readonly #userAgents = new Listed<string | null>();
  readonly #places = new Listed<{ country: string | null; city: string | null; isMailNetwork: boolean }>();
  readonly #referrers = new Listed<string | null>();
  readonly #vias = new Listed<string>();
  readonly #scans: LaterRecords["batch"]["scans"][number][] = [];

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
  }

  get size(): number {
    return this.#scans.length;
  }

  /** Adds a row of `scans` or `bot_scans`, unless its code's sums were erased. */
  add(of: Value, valuesIn: (table: string) => Values): void {
    const find = (table: string, column: string) => valuesIn(table).get(Number(of(column))) ?? [];
    const [qrId, hash] = find("codes", "code");
    if (qrId === undefined || qrId === null || hash === undefined || hash === null) return;
    const [rule = null] = find("bot_rules", "rule");
    const [country = null, city = null] = find("places", "place");
    const [address] = find("vias", "via");
    const userAgent = find("agents", "agent")[0] || null;
    const place = { country: country || null, city: city || null, isMailNetwork: rule === "mail-scanner" };
    const scan = [
      idFromHex(String(of("id"))),
      (text(of("visitor")) ?? "").toLowerCase().padStart(16, "0"),
      this.#codes.indexOf({ qrId, hash }),
      this.#userAgents.indexOf(userAgent),
      this.#places.indexOf(place),
      rule === "prefetch" ? 1 : 0,
      this.#referrers.indexOf(find("referrers", "referrer")[0] ?? null),
    ] as const;
    this.#scans.push(
      address === undefined || address === null ? scan : [...scan, this.#vias.indexOf(address)],
    );
  }

  get batch(): LaterRecords["batch"] {
    return {
      workspaceId: this.#workspaceId,
      codes: this.#codes.items,
      userAgents: this.#userAgents.items,
      places: this.#places.items,
      referrers: this.#referrers.items,
      vias: this.#vias.items,
      scans: this.#scans,
    };
  }
}

/** A list whose items are in it once. */
class Listed<Item> {
  readonly items: Item[] = [];
  readonly #indexes = new Map<string, number>();

  indexOf(item: Item): number {
    const key = JSON.stringify(item);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#indexes.set(key, this.items.length);
    return this.items.push(item) - 1;
  }
}

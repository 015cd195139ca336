import { DaySums, packedColumns, type RollupRow } from "./day-sums.ts";
import type { LedgerGenerations } from "./generations.ts";
import { workspaceCode } from "./rollups.ts";

type Row = RollupRow & { day: number };

const columns = ["visitors", "visitor_set", ...packedColumns] as const;

/** Removes the sums of a code from the rollups of the active generation, from those of the workspace too. */
export function removeSums(sql: SqlStorage, generations: LedgerGenerations, code: number): void {
  const { active } = generations;
  const rows = sql.exec<Row>(
    `SELECT day, ${columns.join(", ")} FROM rollups WHERE generation = ? AND code = ?`,
    active.ref,
    code,
  );
  let humans = 0;
  for (const { day, ...row } of rows.toArray()) {
    const sums = new DaySums();
    sums.addRow(row);
    humans += sums.hours.total(0);
    const key = [active.ref, workspaceCode, day] as const;
    const whole = new DaySums();
    whole.addRow(
      sql.exec<RollupRow>(`SELECT ${columns.join(", ")} FROM rollups WHERE ${byKey}`, ...key).one(),
    );
    whole.subtractCode(code, sums);
    const left = whole.toRow();
    sql.exec(
      `UPDATE rollups SET ${columns.map((name) => `${name} = ?`).join(", ")} WHERE ${byKey}`,
      ...columns.map((name) => left[name]),
      ...key,
    );
  }
  sql.exec("DELETE FROM rollups WHERE generation = ? AND code = ?", active.ref, code);
  generations.addScans(active, -humans);
}

const byKey = "generation = ? AND code = ? AND day = ?";

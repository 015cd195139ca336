import type { ReportingChanges, ReportingState } from "../../../protocol/analytics.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import type { ScanErasures } from "../scans/scan-erasures.ts";
import type { LedgerGenerations } from "./generations.ts";
import type { LedgerReport } from "./report.ts";

/** How a workspace's scans are reported and kept. */
export class LedgerReporting {
  readonly #history: RawHistory;
  readonly #generations: LedgerGenerations;
  readonly #report: LedgerReport;
  readonly #erasures: ScanErasures;

  constructor(
    history: RawHistory,
    generations: LedgerGenerations,
    report: LedgerReport,
    erasures: ScanErasures,
  ) {
    this.#history = history;
    this.#generations = generations;
    this.#report = report;
    this.#erasures = erasures;
  }

  get state(): ReportingState {
    return {
      timeZone: this.#generations.active.zoneName,
      keepScansDays: this.#history.keptDays,
      rebuilding: this.#report.rebuilding(),
    };
  }

  /** Changes settings. Rollups of another time zone are built in the background; reports keep the old one until then. */
  change({ timeZone, keepScansDays }: ReportingChanges): void {
    if (keepScansDays !== undefined) this.#history.keptDays = keepScansDays;
    if (timeZone !== undefined) this.#changeZone(timeZone);
  }

  #changeZone(timeZone: string): void {
    const { timeZone: current, rebuilding } = this.state;
    if (timeZone === rebuilding?.timeZone) return;
    if (timeZone === current) this.#generations.cancel();
    else this.#generations.begin(timeZone, this.#erasures.rawSince);
  }
}

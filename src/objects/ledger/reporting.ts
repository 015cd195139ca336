import type { ReportingChanges, ReportingState } from "../../protocol/analytics.ts";
import type { LedgerGenerations } from "./generations.ts";
import type { LedgerReport } from "./report.ts";

/** The storage key of the days for which raw scans are kept. */
const keptDaysKey = "keep_scans_days";

/** How a workspace's scans are reported and kept. */
export class LedgerReporting {
  readonly #storage: DurableObjectStorage;
  readonly #generations: LedgerGenerations;
  readonly #report: LedgerReport;

  constructor(storage: DurableObjectStorage, generations: LedgerGenerations, report: LedgerReport) {
    this.#storage = storage;
    this.#generations = generations;
    this.#report = report;
  }

  get state(): ReportingState {
    return {
      timeZone: this.#generations.active.zoneName,
      keepScansDays: this.#storage.kv.get<30 | 90 | 365>(keptDaysKey) ?? null,
      rebuilding: this.#report.rebuilding(),
    };
  }

  /** Changes settings. Rollups of another time zone are built in the background; reports keep the old one until then. */
  change({ timeZone, keepScansDays }: ReportingChanges): void {
    if (keepScansDays !== undefined) this.#storage.kv.put(keptDaysKey, keepScansDays);
    if (timeZone !== undefined) this.#changeZone(timeZone);
  }

  #changeZone(timeZone: string): void {
    const { timeZone: current, rebuilding } = this.state;
    if (timeZone === rebuilding?.timeZone) return;
    if (timeZone === current) this.#generations.cancel();
    else this.#generations.begin(timeZone);
  }
}

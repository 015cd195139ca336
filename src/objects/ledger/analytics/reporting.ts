import type { ReportingChanges, ReportingStatus } from "../../../protocol/analytics.ts";
import { LedgerPart } from "../part.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import type { ScanErasures } from "../scans/scan-erasures.ts";
import type { LedgerGenerations } from "./generations.ts";
import type { LedgerReport } from "./report.ts";

/** How a workspace's scans are reported and kept. */
export class LedgerReporting extends LedgerPart<{
  rawHistory: RawHistory;
  generations: LedgerGenerations;
  report: LedgerReport;
  scanErasures: ScanErasures;
}> {
  get state(): ReportingStatus {
    return {
      timeZone: this.parts.generations.active.zoneName,
      keepScansDays: this.parts.rawHistory.keptDays,
      rebuilding: this.parts.report.rebuilding(),
    };
  }

  /** The settings as they were last chosen, in effect or not. */
  get chosen(): Pick<ReportingStatus, "timeZone" | "keepScansDays"> {
    const { timeZone, keepScansDays, rebuilding } = this.state;
    return { timeZone: rebuilding?.timeZone ?? timeZone, keepScansDays };
  }

  /**
   * Changes settings. Rollups for another time zone are built in the background; reports use the old zone until then.
   */
  change({ timeZone, keepScansDays }: ReportingChanges): void {
    if (keepScansDays !== undefined) this.parts.rawHistory.keptDays = keepScansDays;
    if (timeZone !== undefined) this.#changeZone(timeZone);
  }

  #changeZone(timeZone: string): void {
    const { timeZone: current, rebuilding } = this.state;
    if (timeZone === rebuilding?.timeZone) return;
    if (timeZone === current) this.parts.generations.cancel();
    else this.parts.generations.begin(timeZone, this.parts.scanErasures.rawSince);
  }
}

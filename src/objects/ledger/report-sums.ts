import type { AnalyticsSums, DistinctVisitors } from "../../contract/resources/analytics.ts";
import { Distinct, sketchError } from "../../lib/packed/distinct.ts";

/** Visitors of a union that are counted exactly, 8 bytes each. Above, they are estimated. */
const exactVisitors = 20_000;

/** The sums over a period or a step of it. */
export class PeriodSums {
  #scans = 0;
  #newVisitors = 0;
  #botScans = 0;
  #lacksVisitors = false;
  readonly #visitors = new Distinct({ exactLimit: exactVisitors });

  addScans(scans: number, newVisitors: number, botScans: number): void {
    this.#scans += scans;
    this.#newVisitors += newVisitors;
    this.#botScans += botScans;
  }

  /** Adds a packed set of visitors. @param isComplete whether it has the visitors of all scans */
  addVisitors(packed: Uint8Array, isComplete: boolean): void {
    if (!isComplete) this.#lacksVisitors = true;
    this.#visitors.addPacked(packed);
  }

  /** The sums. @param withVisitors false where visitors are not known at this resolution */
  present(withVisitors = true): AnalyticsSums {
    return {
      scans: this.#scans,
      newVisitors: this.#newVisitors,
      visitors: withVisitors && !this.#lacksVisitors ? presentVisitors(this.#visitors) : null,
      botScans: this.#botScans,
    };
  }
}

function presentVisitors(visitors: Distinct): DistinctVisitors {
  const { count, exact } = visitors.count();
  return { count, exact, error: exact ? null : sketchError };
}

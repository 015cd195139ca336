/** When versions arrived at locations: at keys of KV, or at keys of a region's feed. */
export class Arrivals {
  readonly #arrived = new Map<string, { version: number; at: number }[]>();
  readonly #withheld = new Map<string, Set<number>>();

  record(location: string, version: number, at: number): void {
    this.#arrived.set(location, [...(this.#arrived.get(location) ?? []), { version, at }]);
  }

  /** A fault kept a version from its location. */
  withhold(location: string, version: number): void {
    this.#withheld.set(location, (this.#withheld.get(location) ?? new Set()).add(version));
  }

  /**
   * The time by which a version is at a location: when its change was answered, or, if a fault withheld it or a newer
   * one that was published in its place, when one of them got there. Infinity if none has.
   */
  arrivedAt(location: string, version: number, answeredAt: number): number {
    const withheld = [...(this.#withheld.get(location) ?? [])];
    if (!withheld.some((each) => each >= version)) return answeredAt;
    return Math.max(answeredAt, Math.min(Number.POSITIVE_INFINITY, ...this.#times(location, version)));
  }

  /** When a version or a newer one arrived at a location last; minus infinity if none has. */
  lastAt(location: string, version: number): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...this.#times(location, version));
  }

  #times(location: string, version: number): number[] {
    return (this.#arrived.get(location) ?? []).filter((each) => each.version >= version).map(({ at }) => at);
  }
}

/** Records when versions arrived at locations: keys of KV, or keys of a region's feed. */
export class Arrivals {
  readonly #arrived = new Map<string, { version: number; at: number }[]>();
  readonly #withheld = new Map<string, Set<number>>();

  record(location: string, version: number, at: number): void {
    this.#arrived.set(location, [...(this.#arrived.get(location) ?? []), { version, at }]);
  }

  /** Records that a fault kept a version from its location. */
  withhold(location: string, version: number): void {
    this.#withheld.set(location, (this.#withheld.get(location) ?? new Set()).add(version));
  }

  /**
   * Returns the time by which a version is at a location: when its change was answered, or, if a fault withheld it or a
   * newer one published in its place, when one of them arrived. Infinity if none has.
   */
  arrivedAt(location: string, version: number, answeredAt: number): number {
    const withheld = [...(this.#withheld.get(location) ?? [])];
    if (!withheld.some((each) => each >= version)) return answeredAt;
    return Math.max(answeredAt, Math.min(Number.POSITIVE_INFINITY, ...this.#times(location, version)));
  }

  /** Returns when a version or a newer one last arrived at a location; minus infinity if none has. */
  lastAt(location: string, version: number): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...this.#times(location, version));
  }

  #times(location: string, version: number): number[] {
    return (this.#arrived.get(location) ?? []).filter((each) => each.version >= version).map(({ at }) => at);
  }
}

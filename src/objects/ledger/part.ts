/** A part of a ledger. It reaches the parts it needs through the record of all parts, by name. */
export abstract class LedgerPart<Needs extends object> {
  protected readonly parts: Readonly<Needs>;

  constructor(parts: Readonly<Needs>) {
    this.parts = parts;
  }
}

/** Runs a change in a transaction. */
export type Transact = <T>(change: () => T) => Promise<T>;

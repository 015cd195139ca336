/** A part of a ledger. It finds the parts that it needs in the record of all of them, by their names there. */
export abstract class LedgerPart<Needs extends object> {
  protected readonly parts: Readonly<Needs>;

  constructor(parts: Readonly<Needs>) {
    this.parts = parts;
  }
}

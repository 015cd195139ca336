/** The header with the rows that a request read of the catalogue. */
export const ofCatalogueHeader = "x-rows-of-catalogue";

/** The header with the name of the ledger whose rows are counted; in the response, with their number. */
export const ofLedgerHeader = "x-rows-of-ledger";

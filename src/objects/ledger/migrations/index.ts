import { tables } from "./0001-tables.ts";

/** The schema versions of a WorkspaceLedger, in order. */
export const ledgerMigrations: readonly string[] = [tables];

import { tables } from "./0001-tables.ts";
import { history } from "./0002-history.ts";

/** The schema versions of a WorkspaceLedger, in order. */
export const ledgerMigrations: readonly string[] = [tables, history];

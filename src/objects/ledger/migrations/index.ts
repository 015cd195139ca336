import type { ObjectMigration } from "../../migrations.ts";
import { tables } from "./0001-tables.ts";
import { history } from "./0002-history.ts";
import { historyOfKinds } from "./0003-history-of-kinds.ts";
import { keysOfWebhooks } from "./0004-keys-of-webhooks.ts";
import { vias } from "./0005-vias.ts";
import { headersOfWebhooks } from "./0006-headers-of-webhooks.ts";
import { botRules } from "./0007-bot-rules.ts";
import { closedScans } from "./0008-closed-scans.ts";
import { copiedTotals } from "./0009-copied-totals.ts";

/** The migrations of a WorkspaceLedger, in order. */
export const ledgerMigrations: readonly ObjectMigration[] = [
  { sql: tables, additive: false },
  { sql: history, additive: true },
  { sql: historyOfKinds, additive: true },
  { sql: keysOfWebhooks, additive: true },
  { sql: vias, additive: true },
  { sql: headersOfWebhooks, additive: true },
  { sql: botRules, additive: true },
  { sql: closedScans, additive: true },
  { sql: copiedTotals, additive: true },
];

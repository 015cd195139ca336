import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { ReportingSettings } from "../../../src/contract/resources/scans/analytics.ts";
import type { SessionClient } from "../service.ts";

export const settingsPath = "/developer/analytics";

/** Returns the reporting settings once no change of time zone is in progress. Folds all existing scans. */
export async function settledReporting(session: SessionClient): Promise<ReportingSettings> {
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(session.workspaceId));
  for (;;) {
    const settings = await session.expect(200, ReportingSettings.strict(), "GET", settingsPath);
    if (settings.rebuilding === null) return settings;
    await runDurableObjectAlarm(ledger);
  }
}

import type { ReportingSettings, ReportingSettingsInput } from "../../contract/resources/scans/analytics.ts";
import { canonicalTimeZone } from "../../lib/time/zone-name.ts";
import { findWorkspace } from "../../store/workspaces/workspaces.ts";
import type { Member } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound } from "../errors.ts";

/** Returns how the member's workspace reports and keeps its scans. */
export async function getReporting(deps: Deps, member: Member): Promise<ReportingSettings> {
  return deps.ledger(member.workspaceId).reportingStatus();
}

/**
 * Changes the given settings. Reports use the old time zone until `rebuilding` is null again.
 * @throws invalid_input for an unknown time zone
 */
export async function changeReporting(
  deps: Deps,
  member: Member,
  { timeZone, keepScansDays }: ReportingSettingsInput,
): Promise<ReportingSettings> {
  requirePermission(member, "settings");
  const changes = {
    ...(timeZone === undefined ? {} : { timeZone: requireTimeZone(timeZone) }),
    ...(keepScansDays === undefined ? {} : { keepScansDays }),
  };
  const { actor, workspaceId } = member;
  const { name: workspaceName } = requireFound(await findWorkspace(deps.db, workspaceId), "Workspace");
  return deps.ledger(workspaceId).changeReporting(changes, deps.now(), { actor, workspaceName });
}

/** Returns the zone's current IANA name. @throws invalid_input */
function requireTimeZone(name: string): string {
  const zone = canonicalTimeZone(name);
  if (zone === null) throw invalid("timeZone", "must be an IANA time zone such as Europe/Berlin");
  return zone;
}

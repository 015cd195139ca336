import { endedReasons } from "../../contract/resources/waiting.ts";
import { listStillScanned } from "../../domain/scans/closed.ts";
import { Notice } from "../../ui/notice.tsx";
import { dateLocale, formatNumber } from "../../ui/values/format.ts";
import type { DashboardRequest } from "../frame/request.ts";

const adjectives = { deleted: "deleted", paused: "paused", expired: "ended" } as const;
const listOf = new Intl.ListFormat(dateLocale);

/** Says on the overview how many codes are still scanned. */
export async function StillScannedNotice({ deps, context }: Pick<DashboardRequest, "deps" | "context">) {
  const codes = (await listStillScanned(deps, context))?.codes ?? [];
  const groups = endedReasons
    .map((reason) => [adjectives[reason], codes.filter((code) => code.reason === reason).length] as const)
    .filter(([, count]) => count > 0);
  const [, last = 0] = groups.at(-1) ?? [];
  if (last === 0) return null;
  const words = listOf.format(groups.map(([adjective, count]) => `${formatNumber(count)} ${adjective}`));
  const isOne = groups.length === 1 && last === 1;
  return (
    <Notice kind="info">
      <p>
        <a href="/dashboard/codes/still-scanned">
          {words} {isOne ? "code is" : "codes are"} still scanned
        </a>
        .
      </p>
    </Notice>
  );
}

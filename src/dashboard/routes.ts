import { endShare, saveShareCode, saveShareTag, shareCode, shareTag } from "./analytics/share-page.tsx";
import { codePage } from "./analytics/code-page.tsx";
import { testPage } from "./analytics/test-page.tsx";
import { reportSettings, saveReportSettings } from "./settings/reports.tsx";
import type { Route } from "./frame/visit.ts";
import { overview } from "./overview/overview.tsx";
import { saveSettings, settings } from "./settings/settings.tsx";

/** Every page of the dashboard for signed-in users, and every form. Paths are below /dashboard. */
export const routes: readonly Route[] = [
  ["GET", "/", overview],

  ["GET", "/codes/:id", codePage],
  ["GET", "/codes/:id/test", testPage],
  ["GET", "/codes/:id/share", shareCode],
  ["POST", "/codes/:id/share", saveShareCode],
  ["GET", "/share", shareTag],
  ["POST", "/share", saveShareTag],
  ["POST", "/shared/:shared/end", endShare],

  ["GET", "/settings", settings],
  ["POST", "/settings", saveSettings],
  ["GET", "/settings/reports", reportSettings],
  ["POST", "/settings/reports", saveReportSettings],
];

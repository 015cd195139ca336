import { analyticsRoutes } from "./analytics/routes.ts";
import { binRoutes } from "./bin/routes.ts";
import { brandRoutes } from "./brand/routes.ts";
import { bulkRoutes } from "./bulk/routes.ts";
import { choiceRoutes } from "./choices/routes.ts";
import { codeRoutes } from "./codes/routes.ts";
import { developerRoutes } from "./developer/routes.ts";
import { domainRoutes } from "./domains/routes.ts";
import { folderRoutes } from "./folders/routes.ts";
import type { Route } from "./frame/request.ts";
import { historyRoutes } from "./history/routes.ts";
import { importRoutes } from "./imports/routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { labelRoutes } from "./labels/routes.ts";
import { savedListRoutes } from "./lists/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { pageRoutes } from "./pages/routes.ts";
import { paletteRoutes } from "./palette/routes.ts";
import { proposalRoutes } from "./proposals/routes.ts";
import { settingsRoutes } from "./settings/routes.ts";
import { tagRoutes } from "./tags/routes.ts";
import { templateRoutes } from "./templates/routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/**
 * Every page and form of the dashboard for signed-in users, with what their role must allow. Paths are below
 * /dashboard, and the first row that fits answers: `/codes/bulk` and `/codes/import` come before `/codes/:id`. A request
 * counts on the user's meter unless its row says otherwise.
 */
export const routes: readonly Route[] = [
  ...overviewRoutes,
  ...jobRoutes,
  ...paletteRoutes,
  ...bulkRoutes,
  ...importRoutes,
  ...codeRoutes,
  ...savedListRoutes,
  ...analyticsRoutes,
  ...labelRoutes,
  ...folderRoutes,
  ...binRoutes,
  ...tagRoutes,
  ...choiceRoutes,
  ...pageRoutes,
  ...templateRoutes,
  ...domainRoutes,
  ...historyRoutes,
  ...proposalRoutes,
  ...developerRoutes,
  ...workspaceRoutes,
  ...settingsRoutes,
  ...brandRoutes,
];

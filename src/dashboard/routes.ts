import type { Route } from "./frame/visit.ts";
import { overview } from "./overview/overview.tsx";
import { saveSettings, settings } from "./settings/settings.tsx";

/** Every page of the dashboard for signed-in users, and every form. Paths are below /dashboard. */
export const routes: readonly Route[] = [
  ["GET", "/", overview],

  ["GET", "/settings", settings],
  ["POST", "/settings", saveSettings],
];

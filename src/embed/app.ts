import { Hono } from "hono/tiny";
import type { Deps } from "../domain/deps.ts";
import { widgetScript } from "./script.ts";

/** Serves the script of the embed widget. */
export function createEmbed(deps: Deps): Hono {
  const app = new Hono();
  const script = widgetScript(deps.settings.appOrigin);

  app.get("/embed.js", (c) =>
    c.body(script, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    }),
  );
  return app;
}

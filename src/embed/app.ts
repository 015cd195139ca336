import { Hono } from "hono/tiny";
import type { Deps } from "../domain/deps.ts";
import { widgetScript } from "./script.ts";

/** Serves the script of the embed widget and, in local development, a demo page. */
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

  app.get("/embed/demo", (c) => {
    if (deps.settings.embedDemoKey === "") return c.notFound();
    const policy = `default-src 'none'; script-src 'self'; connect-src ${deps.settings.appOrigin}; img-src ${deps.settings.scanOrigin}`;
    return c.html(demoPage(deps.settings.embedDemoKey), 200, {
      "content-security-policy": policy,
      "cache-control": "no-store",
    });
  });
  return app;
}

const demoPage = (key: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Embed widget demo</title>
<main>
<h1>Embed widget demo</h1>
<p>This page embeds it with one line: <code>&lt;script src="/embed.js" data-key="pk_live_…"&gt;&lt;/script&gt;</code></p>
<script src="/embed.js" data-key="${key}"></script>
</main>
</html>
`;

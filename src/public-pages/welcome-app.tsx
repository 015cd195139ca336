import { Hono } from "hono/tiny";
import type { Deps } from "../domain/deps.ts";
import { canNewcomersJoin } from "../domain/identity/ways.ts";
import { serviceNameOf } from "../domain/service-name.ts";
import { hostPattern } from "../lib/web/origin.ts";
import { answerWith, showMissing } from "../ui/visitors/document.tsx";
import { welcomeFiles } from "./welcome/files.ts";
import { welcomeDocument } from "./welcome/page.tsx";
import { widgetDemo } from "./welcome/widget-demo.tsx";

/** For how long browsers may show the page again without asking. At other hosts, which may become domains, not at all. */
const cacheControl = "public, max-age=300";

/**
 * Answers the root of the scan host, which no code uses, with a welcome page or a redirect to a configured URL; and shows
 * the embed widget in local development.
 */
export function createWelcome(deps: Deps): Hono {
  const app = new Hono();
  const { homeUrl, appOrigin, scanOrigin } = deps.settings;
  const scanHost = hostPattern(scanOrigin);
  const name = serviceNameOf(deps);

  app.get("/", async (c) => {
    if (homeUrl !== "") {
      return new Response(null, {
        status: 302,
        headers: { location: homeUrl, "cache-control": "no-store" },
      });
    }
    const page = await welcomeDocument(name, appOrigin, canNewcomersJoin(deps));
    const headers = scanHost.test(c.req.url) ? { "cache-control": cacheControl } : {};
    return answerWith(c.req.raw, page, 200, headers);
  });

  app.all("/", (c) => c.text("Only GET and HEAD are allowed here.\n", 405, { allow: "GET, HEAD" }));

  app.get("/embed/demo", async (c) => {
    const { embedDemoKey } = deps.settings;
    if (embedDemoKey === "") return showMissing(c.req.raw);
    return answerWith(c.req.raw, await widgetDemo(name, appOrigin, scanOrigin, embedDemoKey));
  });

  app.get("/assets/:file", async (c) => (await welcomeFiles.answer(c.req.path)) ?? showMissing(c.req.raw));
  app.notFound((c) => showMissing(c.req.raw));
  return app;
}

import type { Hono } from "hono";
import type { Deps } from "../../domain/deps.ts";
import { sessionCookie } from "../../domain/identity/sessions.ts";
import type { ApiEnv } from "../context.ts";

/** The same for everyone, and it changes with a deployment at most. */
const forEveryone = { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" };

/** The interface, for programs and for people. Both need no key, and load only when someone asks. */
export function docsRoutes(app: Hono<ApiEnv>): void {
  const documentOf = async (deps: Deps) => {
    const { openApiDocument } = await import("../openapi.ts");
    return openApiDocument(deps.scanOrigin, sessionCookie(deps));
  };

  app.get("/openapi.json", async (c) => c.json(await documentOf(c.get("deps")), 200, forEveryone));

  app.get("/docs", async (c) => {
    const { DocsPage, docsPolicy } = await import("../docs/page.tsx");
    return c.html(<DocsPage document={await documentOf(c.get("deps"))} />, 200, {
      ...forEveryone,
      "content-security-policy": await docsPolicy(),
      "referrer-policy": "no-referrer",
    });
  });
}

import type { Hono } from "hono";
import type { Deps } from "../../domain/deps.ts";
import { sessionCookie } from "../../domain/identity/sessions.ts";
import type { ApiEnv } from "../context.ts";

/** The same for all clients; changes only with a deployment. */
const publicHeaders = { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" };

/** The OpenAPI document and the reference page. Both are public, and built on their first request. */
export function docsRoutes(app: Hono<ApiEnv>): void {
  const documentOf = async (deps: Deps) => {
    const { openApiDocument } = await import("../openapi.ts");
    return openApiDocument(deps.settings.appOrigin, sessionCookie(deps));
  };

  app.get("/openapi.json", async (c) => c.json(await documentOf(c.get("deps")), 200, publicHeaders));

  app.get("/docs", async (c) => {
    const { DocsPage, docsPolicy } = await import("../docs/page.tsx");
    return c.html(<DocsPage document={await documentOf(c.get("deps"))} />, 200, {
      ...publicHeaders,
      "content-security-policy": await docsPolicy(),
      "referrer-policy": "no-referrer",
    });
  });

  app.get("/docs/:file{[\\w-]+\\.(?:js|woff2)}", async (c) => {
    const { files } = await import("../docs/files.ts");
    const file = files[c.req.param("file")];
    if (file === undefined) return c.notFound();
    return c.body(file.content, 200, {
      ...publicHeaders,
      "cache-control": `public, max-age=${file.maxAge}`,
      "content-type": file.type,
    });
  });
}

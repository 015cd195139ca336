import type { Context, Hono } from "hono";
import { etag } from "hono/etag";
import type { Deps } from "../../domain/deps.ts";
import { sessionCookie } from "../../domain/identity/sessions.ts";
import { basePath } from "../authentication.ts";
import type { ApiEnv } from "../context.ts";

/** The same for all clients; changes only with a deployment. */
const publicHeaders = { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" };

/** The OpenAPI document, the reference page and the guides as Markdown. All are public, and loaded on their first request. */
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

  // Under their paths in the repository, so that the links between them work.
  const page = async (c: Context<ApiEnv>) => {
    const { markdownPage } = await import("../docs/markdown.ts");
    const text = markdownPage(c.req.path.slice(`${basePath}/`.length));
    if (text === undefined) return c.notFound();
    return c.body(text, 200, { ...publicHeaders, "content-type": "text/markdown; charset=utf-8" });
  };
  app.get("/README.md", etag(), page);
  app.get("/docs/:page{[\\w/-]+\\.md}", etag(), page);
}

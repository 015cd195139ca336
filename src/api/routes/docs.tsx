import type { Context, Hono } from "hono";
import { etag } from "hono/etag";
import type { Deps } from "../../domain/deps.ts";
import { sessionCookie } from "../../domain/identity/sessions.ts";
import { fullName, serviceNameOf } from "../../domain/service-name.ts";
import { sha256Hex } from "../../lib/crypto/digest.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { basePath } from "../authentication.ts";
import type { ApiEnv } from "../context.ts";
import type { openApiDocument } from "../openapi.ts";

/** The same for all clients; changes only with a deployment. */
const publicHeaders = { "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" };

const memory = perIsolate((): { document?: ReturnType<typeof openApiDocument> } => ({}));

/** Returns the OpenAPI document, which every page is drawn from. An isolate builds it once. */
async function documentOf(deps: Deps) {
  const { openApiDocument } = await import("../openapi.ts");
  const kept = memory(deps);
  // The document is kept rather than its promise, which belongs to one request and may fail with it.
  kept.document ??= openApiDocument(
    deps.settings.appOrigin,
    sessionCookie(deps),
    serviceNameOf(deps, fullName),
  );
  return kept.document;
}

const rendered = perIsolate(() => new Map<string, { readonly body: string; readonly etag: string }>());

/** Answers with a document that an isolate renders once, by its path, since anybody may ask for it at any rate. */
async function answerOnce(
  c: Context<ApiEnv>,
  type: string,
  render: () => Promise<string>,
): Promise<Response> {
  const documents = rendered(c.get("deps"));
  let document = documents.get(c.req.path);
  if (document === undefined) {
    const body = await render();
    document = { body, etag: `"${(await sha256Hex(body)).slice(0, 32)}"` };
    documents.set(c.req.path, document);
  }
  const headers = { ...publicHeaders, etag: document.etag };
  if (c.req.header("if-none-match")?.includes(document.etag) === true) return c.body(null, 304, headers);
  return c.body(document.body, 200, { ...headers, "content-type": type });
}

/** The OpenAPI document, the reference page and the guides as Markdown. All are public, and loaded on their first request. */
export function docsRoutes(app: Hono<ApiEnv>): void {
  app.get("/openapi.json", (c) =>
    answerOnce(c, "application/json", async () => JSON.stringify(await documentOf(c.get("deps")))),
  );

  app.on("GET", ["/docs", "/docs/:part{[a-z-]+}"], async (c) => {
    const { DocsPage, docsPolicy, partAt } = await import("../docs/page.tsx");
    const document = await documentOf(c.get("deps"));
    const part = partAt(document, c.req.path);
    if (part === undefined) return c.notFound();
    c.header("content-security-policy", await docsPolicy());
    c.header("referrer-policy", "no-referrer");
    return answerOnce(c, "text/html; charset=utf-8", async () => {
      const page = <DocsPage document={document} part={part} />;
      return String(await page);
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
  app.on("GET", ["/README.md", "/docs/:page{[\\w/-]+\\.md}"], etag(), async (c) => {
    const { markdownPage } = await import("../docs/markdown.ts");
    const text = markdownPage(c.req.path.slice(`${basePath}/`.length));
    if (text === undefined) return c.notFound();
    return c.body(text, 200, { ...publicHeaders, "content-type": "text/markdown; charset=utf-8" });
  });
}

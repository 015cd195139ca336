import { Hono } from "hono/tiny";
import { limits } from "../../contract/limits.ts";
import { Scope } from "../../contract/resources/enums.ts";
import type { Deps } from "../../domain/deps.ts";
import { fullName, serviceNameOf } from "../../domain/service-name.ts";
import { describePage } from "./markdown.ts";
import { groups } from "./pages.ts";

/** Serves `/llms.txt`, the index of the documentation for programs, in the form that llmstxt.org describes. */
export function createLlmsText(deps: Deps): Hono {
  const app = new Hono();
  app.get("/llms.txt", (c) =>
    c.text(llmsText(deps), 200, {
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    }),
  );
  return app;
}

function llmsText(deps: Deps): string {
  const { appOrigin, scanOrigin } = deps.settings;
  const base = `${appOrigin}/api/v1`;
  const scopes = Scope.options.map((scope) => `\`${scope}\``).join(", ");
  const pages = Object.entries(groups).map(([group, files]) => {
    const links = Object.entries(files).map(([path, file]) => {
      const { title, about } = describePage(file);
      return `- [${title}](${base}/${path}): ${about}`;
    });
    return `## ${group}\n\n${links.join("\n")}`;
  });
  return `# ${serviceNameOf(deps, fullName)}

> Dynamic QR codes: print a code once, change its destination whenever you like. This is the installation at ${appOrigin}. The short links in its printed codes begin with ${scanOrigin}/.

Before the first request:

- **Base address:** \`${base}\`. Requests and responses are JSON in UTF-8. The OpenAPI document describes every field.
- **Key:** send \`Authorization: Bearer sk_live_…\` with every request. A key works in one workspace, and a person creates it at ${appOrigin}/dashboard/developer/keys. \`GET /me\` returns the key's scopes, its workspace and the plan's limits.
- **Scopes:** ${scopes}. An endpoint whose scope the key lacks returns 403.
- **Agents:** an MCP server is at \`${appOrigin}/mcp\`, over Streamable HTTP and with the same keys.
- **Dry runs:** \`dryRun\` shows what a bulk creation or a bulk change would do, and changes nothing: \`"dryRun": true\` in the body of \`POST /qr/bulk-update\`, otherwise \`?dryRun=true\`.
- **Undo:** \`POST /developer/history/{id}/revert\` undoes a change, and with \`?scope=job\` everything that its bulk job did. \`GET /developer/history\` lists the changes.
- **Your own ids:** \`PUT /qr/by-external-id/{externalId}\` creates a code or changes the one that has your id, so you don't have to store ours.
- **Versions:** send a resource's \`ETag\` as \`If-Match\`, and your change is refused if it has changed since you read it.
- **Retries:** after a 429 or 503, wait the seconds in \`retry-after\`; without it 1 s, then 2 s, 4 s and so on up to 30 s. GET, PUT and PATCH can be sent again as they are.
- **Idempotency:** send an \`Idempotency-Key\` with \`POST /qr\` and with every POST that starts a job. For ${limits.idempotency.milliseconds / 3_600_000} hours, the same request gets the first response again.
- **Errors:** \`{"error": "…", "code": "…"}\`; \`error\` names the field. Quote the header \`x-request-id\` when you report a problem.

## API

- [OpenAPI document](${base}/openapi.json): Every endpoint, field and error, as OpenAPI 3.1.
- [API reference](${base}/docs): The same as a web page, with examples.

${pages.join("\n\n")}
`;
}

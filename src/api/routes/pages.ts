import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { createPage, deletePage, getPage, listPages, updatePage } from "../../domain/pages/pages.ts";
import { deleteSubmission, exportSubmissions, listSubmissions } from "../../domain/pages/submissions.ts";
import { bind, bindStream, exported } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function pageRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createPage, ({ deps, caller, body }) => createPage(deps, caller, body));
  bind(app, endpoints.listPages, ({ deps, caller, query }) => listPages(deps, caller, query));
  bind(app, endpoints.getPage, ({ deps, caller, id }) => getPage(deps, caller, id));
  bind(app, endpoints.updatePage, ({ deps, caller, id, body }) => updatePage(deps, caller, id, body));
  bind(app, endpoints.deletePage, ({ deps, caller, id }) => deletePage(deps, caller, id));
  bind(app, endpoints.listSubmissions, ({ deps, caller, id, query }) =>
    listSubmissions(deps, caller, id, query),
  );
  bindStream(app, endpoints.exportSubmissions, async ({ deps, caller, id, query: { format } }) =>
    exported("submissions", format, await exportSubmissions(deps, caller, id, format)),
  );
  bind(app, endpoints.deleteSubmission, ({ deps, caller, id, subId }) =>
    deleteSubmission(deps, caller, id, subId),
  );
}

import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  createPage,
  deletePage,
  getPage,
  listPages,
  restorePage,
  updatePage,
} from "../../domain/pages/pages.ts";
import { eraseSubmission, exportSubmissions, listSubmissions } from "../../domain/pages/submission-list.ts";
import { bind, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { exported } from "../streams.ts";

export function pageRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createPage, ({ deps, caller, body }) => createPage(deps, caller, body));
  bind(app, endpoints.listPages, ({ deps, caller, query }) => listPages(deps, caller, query));
  bind(app, endpoints.getPage, ({ deps, caller, params }) => getPage(deps, caller, params.id));
  bind(app, endpoints.updatePage, ({ deps, caller, params, body }) =>
    updatePage(deps, caller, params.id, body),
  );
  bind(app, endpoints.deletePage, ({ deps, caller, params }) => deletePage(deps, caller, params.id));
  bind(app, endpoints.restorePage, ({ deps, caller, params }) => restorePage(deps, caller, params.id));
  bind(app, endpoints.listSubmissions, ({ deps, caller, params, query }) =>
    listSubmissions(deps, caller, params.id, query),
  );
  bindStream(app, endpoints.exportSubmissions, async ({ deps, caller, params, query }) =>
    exported("submissions", query.format, await exportSubmissions(deps, caller, params.id, query)),
  );
  bind(app, endpoints.deleteSubmission, ({ deps, caller, params }) =>
    eraseSubmission(deps, caller, params.id, params.submissionId),
  );
}

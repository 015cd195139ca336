import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { addPageImage, getPageImage } from "../../domain/pages/image-uploads.ts";
import {
  createPage,
  deletePage,
  getVersionedPage,
  listPages,
  restorePage,
  updatePage,
  type VersionedPage,
} from "../../domain/pages/pages.ts";
import { eraseSubmission, exportSubmissions, listSubmissions } from "../../domain/pages/submission-list.ts";
import { bind, bindFile, bindStream, bindVersioned, type Call, created } from "../bind.ts";
import type { ApiEnv } from "../context.ts";
import { exported } from "../streams.ts";

export function pageRoutes(app: Hono<ApiEnv>): void {
  bindVersioned(app, endpoints.createPage, async ({ deps, caller, body }) =>
    created(await createPage(deps, caller, body)),
  );
  bind(app, endpoints.listPages, ({ deps, caller, query }) => listPages(deps, caller, query));
  bindVersioned(app, endpoints.getPage, read, read);
  bindVersioned(
    app,
    endpoints.updatePage,
    async ({ deps, caller, params, body, versions }) =>
      versioned(await updatePage(deps, caller, params.id, body, versions)),
    read,
  );
  bindVersioned(
    app,
    endpoints.deletePage,
    async ({ deps, caller, params, versions }) => ({
      response: await deletePage(deps, caller, params.id, versions),
    }),
    read,
  );
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
  bind(app, endpoints.createPageImage, ({ deps, caller, body }) => addPageImage(deps, caller, body.image));
  bindFile(app, endpoints.getPageImage, ({ deps, caller, params }) => getPageImage(deps, caller, params.id));
}

const versioned = ({ page, version }: VersionedPage) => ({ response: page, version });

const read = async ({ deps, caller, params }: Omit<Call<typeof endpoints.getPage>, "body">) =>
  versioned(await getVersionedPage(deps, caller, params.id));

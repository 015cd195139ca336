import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { measureDesign } from "../../domain/designing/scannability.ts";
import { getTemplateLogo } from "../../domain/logos/logos.ts";
import {
  createTemplate,
  deleteTemplate,
  getVersionedTemplate,
  listTemplates,
  restoreTemplate,
  updateTemplate,
  type VersionedTemplate,
} from "../../domain/templates/templates.ts";
import { bind, bindFile, bindVersioned, type Call, created } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function templateRoutes(app: Hono<ApiEnv>): void {
  bindVersioned(app, endpoints.createTemplate, async ({ deps, caller, body }) =>
    created(await createTemplate(deps, caller, body)),
  );
  bind(app, endpoints.listTemplates, ({ deps, caller }) => listTemplates(deps, caller));
  bindVersioned(app, endpoints.getTemplate, read, read);
  bindFile(app, endpoints.getTemplateLogo, ({ deps, caller, params }) =>
    getTemplateLogo(deps, caller, params.id),
  );
  bindVersioned(
    app,
    endpoints.updateTemplate,
    async ({ deps, caller, params, body, versions }) =>
      versioned(await updateTemplate(deps, caller, params.id, body, undefined, versions)),
    read,
  );
  bind(app, endpoints.measureDesign, ({ deps, caller, body }) => measureDesign(deps, caller, body));
  bindVersioned(
    app,
    endpoints.deleteTemplate,
    async ({ deps, caller, params, versions }) => ({
      response: await deleteTemplate(deps, caller, params.id, versions),
    }),
    read,
  );
  bind(app, endpoints.restoreTemplate, ({ deps, caller, params }) =>
    restoreTemplate(deps, caller, params.id),
  );
}

const versioned = ({ template, version }: VersionedTemplate) => ({ response: template, version });

const read = async ({ deps, caller, params }: Omit<Call<typeof endpoints.getTemplate>, "body">) =>
  versioned(await getVersionedTemplate(deps, caller, params.id));

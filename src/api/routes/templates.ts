import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { measureDesign } from "../../domain/designing/scannability.ts";
import { getTemplateLogo } from "../../domain/logos/logos.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  restoreTemplate,
  updateTemplate,
} from "../../domain/templates/templates.ts";
import { bind, bindFile } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function templateRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createTemplate, ({ deps, caller, body }) => createTemplate(deps, caller, body));
  bind(app, endpoints.listTemplates, ({ deps, caller }) => listTemplates(deps, caller));
  bind(app, endpoints.getTemplate, ({ deps, caller, params }) => getTemplate(deps, caller, params.id));
  bindFile(app, endpoints.getTemplateLogo, ({ deps, caller, params }) =>
    getTemplateLogo(deps, caller, params.id),
  );
  bind(app, endpoints.updateTemplate, ({ deps, caller, params, body }) =>
    updateTemplate(deps, caller, params.id, body),
  );
  bind(app, endpoints.measureDesign, ({ deps, caller, body }) => measureDesign(deps, caller, body));
  bind(app, endpoints.deleteTemplate, ({ deps, caller, params }) => deleteTemplate(deps, caller, params.id));
  bind(app, endpoints.restoreTemplate, ({ deps, caller, params }) =>
    restoreTemplate(deps, caller, params.id),
  );
}

import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  updateTemplate,
} from "../../domain/images/templates.ts";
import { templateLogo } from "../../domain/images/logos.ts";
import { bind, bindFile } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function templateRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.createTemplate, ({ deps, caller, body }) => createTemplate(deps, caller, body));
  bind(app, endpoints.listTemplates, ({ deps, caller }) => listTemplates(deps, caller));
  bind(app, endpoints.getTemplate, ({ deps, caller, id }) => getTemplate(deps, caller, id));
  bindFile(app, endpoints.getTemplateLogo, ({ deps, caller, id }) => templateLogo(deps, caller, id));
  bind(app, endpoints.updateTemplate, ({ deps, caller, id, body }) => updateTemplate(deps, caller, id, body));
  bind(app, endpoints.deleteTemplate, ({ deps, caller, id }) => deleteTemplate(deps, caller, id));
}

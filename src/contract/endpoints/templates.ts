import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";
import { LogoType } from "../resources/enums.ts";
import { Image } from "../resources/images.ts";
import { Deleted } from "../resources/qr.ts";
import { Scannability, ScannabilityInput } from "../resources/scannability.ts";
import { Template, TemplateInput, TemplateList, TemplateUpdate } from "../resources/templates.ts";

/** Design templates. */
export const templateEndpoints = {
  createTemplate: {
    method: "post",
    path: "/developer/templates",
    tag: "Templates",
    summary: "Create a design template: apply it to QR codes with `templateId`",
    auth: "session",
    body: TemplateInput,
    status: 201,
    response: Template,
    errors: [...bodyErrors, 402],
  },
  listTemplates: {
    method: "get",
    path: "/developer/templates",
    tag: "Templates",
    summary: "List design templates, oldest first",
    auth: "session",
    status: 200,
    response: TemplateList,
    errors: [],
  },
  getTemplate: {
    method: "get",
    path: "/developer/templates/{id}",
    tag: "Templates",
    summary: "Retrieve a design template",
    auth: "session",
    status: 200,
    response: Template,
    errors: [404],
  },
  getTemplateLogo: {
    method: "get",
    path: "/developer/templates/{id}/logo",
    tag: "Templates",
    summary: "Download the logo of a design template",
    auth: "session",
    status: 200,
    response: Image,
    stream: LogoType.options,
    tagged: true,
    errors: [404],
  },
  updateTemplate: {
    method: "patch",
    path: "/developer/templates/{id}",
    tag: "Templates",
    summary: "Update a design template; QR codes it was applied to keep their design",
    auth: "session",
    body: TemplateUpdate,
    status: 200,
    response: Template,
    errors: [...bodyErrors, 402, 404],
  },
  deleteTemplate: {
    method: "delete",
    path: "/developer/templates/{id}",
    tag: "Templates",
    summary: "Delete a design template; QR codes it was applied to keep their design",
    auth: "session",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  measureDesign: {
    method: "post",
    path: "/developer/scannability",
    tag: "Templates",
    summary: "Measure how well codes with an unsaved design would scan",
    auth: "session",
    body: ScannabilityInput,
    status: 200,
    response: Scannability,
    errors: [...bodyErrors, 402],
  },
} as const satisfies Record<string, SessionEndpoint>;

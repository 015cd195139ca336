import { Shape } from "../../contract/resources/enums.ts";
import { type Template, TemplateInput, TemplateUpdate } from "../../contract/resources/templates.ts";
import { listLogos } from "../../domain/brand/logos.ts";
import { previewTemplate } from "../../domain/images/preview.ts";
import {
  createTemplate as create,
  getTemplate,
  getTemplateLogoId,
  updateTemplate as update,
} from "../../domain/templates/templates.ts";
import { planOf } from "../../domain/identity/caller.ts";
import { keepUpload, uploadProblem } from "../brand/upload.ts";
import type { FormState } from "../components/forms/form.ts";
import { Head } from "../components/head.tsx";
import { colorChanges, colorsOf, readColors } from "../design/colors.ts";
import { PreviewImage, type PreviewState, previewState } from "../design/preview.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { DashboardResponse, Fragment, PageResponse, DashboardRequest } from "../frame/request.ts";
import { TemplateForm } from "./form.tsx";
import { TemplatesLacking } from "./list.tsx";

const list = { path: "/dashboard/templates", name: "Templates" } as const;

/** The form of a new template. */
export async function newTemplate(request: DashboardRequest): Promise<PageResponse> {
  if (planOf(request.context).fullDesign) return show(request, request.query);
  return {
    title: "New template",
    content: (
      <>
        <Head title="New template" back={list} />
        <TemplatesLacking request={request} />
      </>
    ),
  };
}

/** Creates the template; shows the form again if that fails. */
export async function createTemplate(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context } = request;
  const outcome = await submit(request, (form, logo) => {
    const input = {
      name: form.get("name") ?? "",
      colorConfig: readColors(form),
      ...shapeOfForm(form, undefined),
    };
    return submitForm(TemplateInput, input, (checked) => create(deps, context, checked, logo ?? undefined));
  });
  if (outcome.done === undefined) return show(request, outcome.form, outcome);
  return { seeOther: list.path, flash: "templateCreated" };
}

/** The form of a template. @throws not_found */
export async function editTemplate(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, param } = request;
  const template = await getTemplate(deps, context, param("id"));
  const logo = await getTemplateLogoId(deps, context, template.id);
  const { name, shape } = template;
  const values = { name, shape: shape ?? "", logoId: logo ?? "", ...colorsOf(template) };
  return show(request, new URLSearchParams(values), { template });
}

/** Changes the template; shows the form again if that fails. @throws not_found */
export async function saveTemplate(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param } = request;
  const template = await getTemplate(deps, context, param("id"));
  const before = await getTemplateLogoId(deps, context, template.id);
  const outcome = await submit(request, (form, logo) => {
    const input = {
      name: form.get("name") ?? "",
      ...colorsAfter(form, template),
      ...shapeOfForm(form, null),
    };
    const changed = (logo?.id ?? null) === before ? undefined : logo;
    return submitForm(TemplateUpdate, input, (checked) =>
      update(deps, context, template.id, checked, changed),
    );
  });
  if (outcome.done === undefined) return show(request, outcome.form, { ...outcome, template });
  return { seeOther: list.path, flash: "templateSaved" };
}

/** Colours that the form shows exactly replace those of the template; others and further properties stay. */
function colorsAfter(form: URLSearchParams, template: Template) {
  const changes = colorChanges(form, template);
  if (changes === undefined) return {};
  const colors = Object.entries({ ...template.colorConfig, ...changes }).filter(
    ([, value]) => value !== null,
  );
  return { colorConfig: colors.length === 0 ? null : Object.fromEntries(colors) };
}

/** @param none stands for the standard shape */
function shapeOfForm(form: URLSearchParams, none: null | undefined) {
  const shape = form.get("shape") ?? "";
  return { shape: shape === "" ? none : shape };
}

/** A submitted form, shown again (also to update its preview) unless it is done. */
interface Submitted {
  readonly form: URLSearchParams;
  readonly rejection?: Rejection;
  readonly done?: Template;
}

/** Stores a form's file before the form is validated, so that it needn't be chosen again. */
async function submit(
  request: DashboardRequest,
  verb: (
    form: URLSearchParams,
    logo: { readonly id: string } | null,
  ) => Promise<{ readonly done: Template } | { readonly rejection: Rejection }>,
): Promise<Submitted> {
  const upload = await keepUpload(request);
  if (upload !== undefined && "rejection" in upload)
    return { form: request.form, rejection: upload.rejection };
  const form = new URLSearchParams(request.form);
  if (upload !== undefined) form.set("logoId", upload.done.id);
  if (form.has("change")) return { form };
  const id = form.get("logoId") ?? "";
  return { form, ...(await verb(form, id === "" ? null : { id })) };
}

interface Shown {
  /** The template that is edited; undefined for a new one. */
  readonly template?: Template;
  readonly rejection?: Rejection;
}

async function show(
  request: DashboardRequest,
  values: URLSearchParams,
  { template, rejection }: Shown = {},
): Promise<PageResponse> {
  const { deps, context } = request;
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const [logos, preview] = await Promise.all([listLogos(deps, context), draw(request, values)]);
  const title = template === undefined ? "New template" : `Edit ${template.name}`;
  return {
    title: rejection === undefined ? title : `Problem: ${title}`,
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title={title} back={list} />
        {rejection?.status === 402 && (
          <p>
            <UpgradeLink url={deps.settings.upgradeUrl} />
          </p>
        )}
        <TemplateForm
          request={request}
          form={form}
          logos={logos}
          preview={preview}
          isNew={template === undefined}
        />
      </>
    ),
  };
}

/** Draws a sample code as the fields of a form say. @param file a logo that was chosen but not stored */
function draw(
  { deps, context }: DashboardRequest,
  fields: URLSearchParams,
  file?: Uint8Array<ArrayBuffer>,
): Promise<PreviewState> {
  return previewState(() =>
    previewTemplate(deps, context, {
      colorConfig: readColors(fields),
      shape: Shape.safeParse(fields.get("shape")).data,
      logo: file ?? (fields.get("logoId") || null),
    }),
  );
}

/** Redraws the preview while a form is filled in. */
export async function templatePreview(request: DashboardRequest): Promise<Fragment> {
  const file = request.files.get("logo");
  const state =
    file?.isCut === true
      ? { problem: `The logo ${uploadProblem}.` }
      : await draw(request, request.form, file?.bytes);
  return { fragment: <PreviewImage state={state} /> };
}

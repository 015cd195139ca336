import { Shape } from "../../contract/resources/enums.ts";
import { type Template, TemplateInput, TemplateUpdate } from "../../contract/resources/templates.ts";
import { listLogos } from "../../domain/templates/logo-library.ts";
import { previewTemplate } from "../../domain/images/preview.ts";
import {
  createTemplate as create,
  getTemplate,
  getTemplateLogoId,
  updateTemplate as update,
} from "../../domain/templates/templates.ts";
import type { FormState } from "../components/forms/form.ts";
import { Head } from "../components/head.tsx";
import { colorChanges, colorsOf, readColors } from "../design/colors.ts";
import { PreviewImage, type PreviewState, previewState } from "../design/preview.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { Answer, Fragment, PageAnswer, Visit } from "../frame/visit.ts";
import { TemplateForm } from "./form.tsx";
import { keepUpload, uploadProblem } from "./upload.ts";

const list = { path: "/dashboard/templates", name: "Templates" } as const;

/** The form of a new template. */
export const newTemplate = (visit: Visit): Promise<PageAnswer> => show(visit, visit.query);

/** Creates the template; shows the form again if that fails. */
export async function createTemplate(visit: Visit): Promise<Answer> {
  const { deps, owner } = visit;
  const outcome = await submit(visit, (form, logo) => {
    const input = {
      name: form.get("name") ?? "",
      colorConfig: readColors(form),
      ...shapeOf(form, undefined),
    };
    return submitForm(TemplateInput, input, (checked) => create(deps, owner, checked, logo ?? undefined));
  });
  if ("rejection" in outcome) return show(visit, outcome.form, { rejection: outcome.rejection });
  return { seeOther: list.path, flash: "templateCreated" };
}

/** The form of a template. @throws not_found */
export async function editTemplate(visit: Visit): Promise<PageAnswer> {
  const { deps, owner, param } = visit;
  const template = await getTemplate(deps, owner, param("id"));
  const logo = await getTemplateLogoId(deps, owner, template.id);
  const { name, shape } = template;
  const values = { name, shape: shape ?? "", logoId: logo ?? "", ...colorsOf(template) };
  return show(visit, new URLSearchParams(values), { template });
}

/** Changes the template; shows the form again if that fails. @throws not_found */
export async function saveTemplate(visit: Visit): Promise<Answer> {
  const { deps, owner, param } = visit;
  const template = await getTemplate(deps, owner, param("id"));
  const before = await getTemplateLogoId(deps, owner, template.id);
  const outcome = await submit(visit, (form, logo) => {
    const input = { name: form.get("name") ?? "", ...colorsAfter(form, template), ...shapeOf(form, null) };
    const changed = (logo?.id ?? null) === before ? undefined : logo;
    return submitForm(TemplateUpdate, input, (checked) => update(deps, owner, template.id, checked, changed));
  });
  if ("rejection" in outcome) return show(visit, outcome.form, { template, rejection: outcome.rejection });
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
function shapeOf(form: URLSearchParams, none: null | undefined) {
  const shape = form.get("shape") ?? "";
  return { shape: shape === "" ? none : shape };
}

type Submitted = { readonly form: URLSearchParams } & (
  | { readonly rejection: Rejection }
  | { readonly done: Template }
);

/** Stores the file of a form before the form is checked, so that it need not be chosen again. */
async function submit(
  visit: Visit,
  verb: (
    form: URLSearchParams,
    logo: { readonly id: string } | null,
  ) => Promise<{ readonly done: Template } | { readonly rejection: Rejection }>,
): Promise<Submitted> {
  const upload = await keepUpload(visit);
  if (upload !== undefined && "rejection" in upload) return { form: visit.form, rejection: upload.rejection };
  const form = new URLSearchParams(visit.form);
  if (upload !== undefined) form.set("logoId", upload.done.id);
  const id = form.get("logoId") ?? "";
  return { form, ...(await verb(form, id === "" ? null : { id })) };
}

interface Shown {
  /** The template that is edited; undefined for a new one. */
  readonly template?: Template;
  readonly rejection?: Rejection;
}

async function show(
  visit: Visit,
  values: URLSearchParams,
  { template, rejection }: Shown = {},
): Promise<PageAnswer> {
  const { deps, owner } = visit;
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const [logos, preview] = await Promise.all([listLogos(deps, owner), draw(visit, values)]);
  const title = template === undefined ? "New template" : `Edit ${template.name}`;
  return {
    title: rejection === undefined ? title : `Problem: ${title}`,
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title={title} back={list} />
        {rejection?.status === 402 && (
          <p>
            <UpgradeLink url={deps.upgradeUrl} />
          </p>
        )}
        <TemplateForm
          visit={visit}
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
  { deps, owner }: Visit,
  fields: URLSearchParams,
  file?: Uint8Array<ArrayBuffer>,
): Promise<PreviewState> {
  return previewState(() =>
    previewTemplate(deps, owner, {
      colorConfig: readColors(fields),
      shape: Shape.safeParse(fields.get("shape")).data,
      logo: file ?? (fields.get("logoId") || null),
    }),
  );
}

/** Redraws the preview while a form is filled in. */
export async function templatePreview(visit: Visit): Promise<Fragment> {
  const file = visit.files.get("logo");
  const state =
    file?.isCut === true
      ? { problem: `The logo ${uploadProblem}.` }
      : await draw(visit, visit.form, file?.bytes);
  return { fragment: <PreviewImage state={state} /> };
}

import { type Template, TemplateInput, TemplateUpdate } from "../../contract/resources/images/templates.ts";
import { brandOf } from "../../domain/brand/brand.ts";
import { listLogos } from "../../domain/brand/logos.ts";
import { planOf } from "../../domain/context/plan.ts";
import { drawUnsaved } from "../../domain/designing/preview.ts";
import { noStyle } from "../../domain/templates/styles.ts";
import { createTemplate as create, updateTemplate as update } from "../../domain/templates/templates.ts";
import { mergePatch } from "../../lib/text/json.ts";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { keepUpload } from "../brand/upload.ts";
import {
  designValues,
  type StyleChanges,
  styleChanges,
  withDesign,
  withoutNullColors,
} from "../design/fields.ts";
import { filled } from "../design/fill.ts";
import { isAsked, pictureState } from "../design/preview.tsx";
import { rate } from "../design/score.tsx";
import { formPage } from "../frame/form-page.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Outcome, type Rejection, submitForm } from "../frame/submit-form.ts";
import { TemplateForm } from "./form.tsx";
import { TemplatesLacking } from "./list.tsx";
import { apart, type Edited, findEdited, styleOf } from "./preview.tsx";

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
  const outcome = await submit(request, (form) => {
    const { advanced = {}, ...changes } = withoutNullColors(styleChanges(form, noStyle), form);
    const [logo, placed] = apart(advanced);
    const given = Object.keys(placed).length > 0 && { advanced: mergePatch({}, placed) };
    const input = { name: form.get("name") ?? "", ...changes, ...given };
    return submitForm(TemplateInput, input, (checked) => create(deps, context, checked, logo ?? undefined));
  });
  if (outcome.done === undefined) return show(request, outcome.form, outcome);
  return { seeOther: list.path, flash: "templateCreated" };
}

/** The form of a template. @throws not_found */
export async function editTemplate(request: DashboardRequest): Promise<PageResponse> {
  const edited = await findEdited(request, request.param("id"));
  const values = { name: edited.template.name, ...designValues(edited.style) };
  return show(request, new URLSearchParams(values), { edited });
}

/** Changes the template; shows the form again if that fails. @throws not_found */
export async function saveTemplate(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param } = request;
  const edited = await findEdited(request, param("id"));
  const { template, style } = edited;
  const outcome = await submit(request, (form) => {
    const { colorConfig, shape, advanced } = styleChanges(form, style);
    const [logo, placed] = apart(advanced ?? {});
    const input = {
      name: form.get("name") ?? "",
      ...colorsAfter(template, colorConfig),
      ...(shape !== undefined && { shape }),
      ...(Object.keys(placed).length > 0 && { advanced: placed }),
    };
    return submitForm(TemplateUpdate, input, (checked) => update(deps, context, template.id, checked, logo));
  });
  if (outcome.done === undefined) return show(request, outcome.form, { ...outcome, edited });
  return { seeOther: list.path, flash: "templateSaved", subject: template.id };
}

/** Colours that the form shows replace those of the template; further properties stay. */
function colorsAfter(template: Template, changes: StyleChanges["colorConfig"]) {
  if (changes === undefined) return {};
  const colors = mergePatch({ ...template.colorConfig }, changes);
  return { colorConfig: Object.keys(colors).length === 0 ? null : colors };
}

/** A submitted form, shown again (also to update its preview) unless it is done. */
interface Submitted {
  readonly form: URLSearchParams;
  readonly rejection?: Rejection;
  readonly done?: unknown;
}

/** Stores a form's file before the form is validated, so that it needn't be chosen again. */
async function submit(
  request: DashboardRequest,
  verb: (form: URLSearchParams) => Promise<Outcome<unknown>>,
): Promise<Submitted> {
  const upload = await keepUpload(request);
  if (upload !== undefined && "rejection" in upload)
    return { form: request.form, rejection: upload.rejection };
  const form = new URLSearchParams(request.form);
  if (upload !== undefined) form.set("advanced.logo.id", upload.done.id);
  if (form.has("change")) return { form: filled(form) };
  return { form, ...(await verb(form)) };
}

interface Shown {
  /** The template that is edited; undefined for a new one. */
  readonly edited?: Edited;
  readonly rejection?: Rejection;
}

async function show(
  request: DashboardRequest,
  values: URLSearchParams,
  { edited, rejection }: Shown = {},
): Promise<PageResponse> {
  const { deps, context } = request;
  const form: FormState = {
    values: withDesign(values, edited?.style ?? noStyle),
    problems: rejection?.problems ?? {},
  };
  const style = () => styleOf(request, form.values, edited);
  const mode = isAsked(request.form, form.problems) ? "measure" : "at once";
  const [logos, { colors }, picture, rating] = await Promise.all([
    listLogos(deps, context),
    brandOf(deps, context),
    pictureState(form.values, async () => drawUnsaved(deps, context, await style())),
    rate(deps, context, style, mode),
  ]);
  const title = edited === undefined ? "New template" : `Edit ${edited.template.name}`;
  return formPage(
    title,
    rejection,
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
        colors={colors}
        preview={{ picture, rating }}
        id={edited?.template.id}
      />
    </>,
  );
}

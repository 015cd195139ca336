import type { ColorChanges, ColorConfig } from "../../contract/resources/qr.ts";
import type { Shape } from "../../contract/resources/enums.ts";
import type { Template, TemplateInput, TemplateUpdate } from "../../contract/resources/templates.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import { mergePatch } from "../../lib/text/json.ts";
import * as store from "../../store/templates/templates.ts";
import { notInPlanError, type WorkspaceContext, planCapError, planOf } from "../identity/caller.ts";
import { invalid, notFound, requireFound } from "../errors.ts";
import { definedFields } from "../defined-fields.ts";
import { reuseLogo, saveLogo, type SavedLogo } from "./logos.ts";
import { requireNotSuspended } from "../workspaces/suspended.ts";
import { assertScannable } from "../images/design.ts";

/** A logo as a data URI, or the id of one that the workspace has already. */
export type LogoSource = string | { readonly id: string };

const saveSource = (deps: Deps, context: WorkspaceContext, source: LogoSource): Promise<SavedLogo> =>
  typeof source === "string" ? saveLogo(deps, context, source) : reuseLogo(deps, context, source.id);

/**
 * Creates a template.
 * @param source of its logo; by default that of the input
 * @throws plan_limit on a plan without templates, or without more of them; invalid_input for colours that phones can't
 *   scan, or an invalid logo
 */
export async function createTemplate(
  deps: Deps,
  context: WorkspaceContext,
  input: TemplateInput,
  source: LogoSource | undefined = input.logo,
): Promise<Template> {
  requireTemplatesInPlan(context);
  assertScannable({ colorConfig: input.colorConfig ?? null });
  const logo = source === undefined ? undefined : await saveSource(deps, context, source);
  const now = deps.now();
  const row = {
    id: newId(now),
    workspaceId: context.workspaceId,
    name: input.name,
    colorConfig: input.colorConfig ?? null,
    shape: input.shape ?? null,
    createdAt: now,
    logoId: logo?.id ?? null,
  };
  const cap = planOf(context).templates;
  if (!(await store.insertTemplate(deps.db, row, cap))) {
    await requireNotSuspended(deps, context);
    throw planCapError(context, `${cap} templates`, "delete some or upgrade to create more");
  }
  return store.presentTemplate({
    ...row,
    logoType: logo?.mediaType ?? null,
    logoBytes: logo?.bytes ?? null,
  });
}

/** The workspace's templates, oldest first. */
export async function listTemplates(
  deps: Deps,
  context: WorkspaceContext,
): Promise<{ templates: Template[] }> {
  return { templates: await store.listTemplates(deps.db, context.workspaceId) };
}

/** @throws not_found */
export async function getTemplate(deps: Deps, context: WorkspaceContext, id: string): Promise<Template> {
  return store.presentTemplate(await requireTemplate(deps, context, id));
}

/** The id of a template's logo; null for none. @throws not_found */
export const getTemplateLogoId = async (
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<string | null> => (await requireTemplate(deps, context, id)).logoId;

/** The template's row. @throws not_found */
export async function requireTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<store.TemplateRow> {
  const templates = await store.findTemplates(deps.db, context.workspaceId, [id]);
  return requireFound(templates.get(id), "Template");
}

/**
 * Changes the fields that are given. Codes it was applied to keep their design.
 * @param source of its logo; by default that of the input
 * @throws not_found, invalid_input
 */
export async function updateTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: TemplateUpdate,
  source: LogoSource | null | undefined = input.logo,
): Promise<Template> {
  const { name, colorConfig, shape } = input;
  if (colorConfig) assertScannable({ colorConfig });
  const template = await getTemplate(deps, context, id);
  const logoId = source ? (await saveSource(deps, context, source)).id : source;
  const changes = definedFields({ name, colorConfig, shape, logoId });
  if (Object.keys(changes).length === 0) return template;
  if (!(await store.updateTemplate(deps.db, context.workspaceId, id, changes))) throw notFound("Template");
  return getTemplate(deps, context, id);
}

/** Deletes a template. Codes it was applied to keep their design. @throws not_found */
export async function deleteTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  if (!(await store.deleteTemplate(deps.db, context.workspaceId, id))) throw notFound("Template");
  return { success: true };
}

/** The fields of a request that set a code's style. */
interface StyleInput {
  readonly templateId?: string | null | undefined;
  readonly colorConfig?: ColorChanges | null | undefined;
  readonly shape?: Shape | null | undefined;
}

/** The templates that the inputs refer to, by id. */
export async function findAppliedTemplates(
  deps: Deps,
  context: WorkspaceContext,
  inputs: readonly StyleInput[],
): Promise<ReadonlyMap<string, store.TemplateRow>> {
  const ids = inputs.flatMap(({ templateId }) => templateId ?? []);
  return store.findTemplates(deps.db, context.workspaceId, [...new Set(ids)]);
}

/** Input with what the template that was applied adds to it. */
export type WithTemplate<T> = T & {
  /** All colors of the code, if the template has any: its own, changed by those of the input. */
  readonly templateColors?: ColorConfig;
  /** Null where the template has none. */
  readonly logoId?: string | null;
};

/**
 * Input completed with the values of its template; values of the input itself take precedence.
 * @throws plan_limit on a plan without templates; invalid_input for an unknown template, or for colours of input and
 *   template that phones can't scan together
 */
export function applyTemplate<T extends StyleInput>(
  context: WorkspaceContext,
  input: T,
  templates: ReadonlyMap<string, store.TemplateRow>,
): WithTemplate<T> {
  if (!input.templateId) return input;
  requireTemplatesInPlan(context);
  const template = templates.get(input.templateId);
  if (template === undefined) throw invalid("templateId", "is not a template of this workspace");
  const templateColors: ColorConfig | null =
    template.colorConfig && mergePatch(mergePatch({}, template.colorConfig), { ...input.colorConfig });
  // Input and template may each be scannable, but not their combination.
  if (templateColors !== null) assertScannable({ colorConfig: templateColors });
  return {
    ...input,
    ...(templateColors === null ? {} : { templateColors }),
    ...(input.shape === undefined && template.shape !== null ? { shape: template.shape } : {}),
    logoId: template.logoId,
  };
}

/** @throws plan_limit on a plan without templates */
export function requireTemplatesInPlan(context: WorkspaceContext): void {
  if (!planOf(context).fullDesign) {
    throw notInPlanError(context, "design templates", "upgrade to use them");
  }
}

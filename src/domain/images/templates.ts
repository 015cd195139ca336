import { limits } from "../../contract/limits.ts";
import type { ColorConfig } from "../../contract/resources/qr.ts";
import type { Shape } from "../../contract/resources/enums.ts";
import type { Template, TemplateInput, TemplateUpdate } from "../../contract/resources/templates.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import * as store from "../../store/templates.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { invalid, notFound, ServiceError } from "../errors.ts";
import { saveLogo } from "./logos.ts";
import { type Look, requireLook } from "./design.ts";

/**
 * Saves a look.
 * @throws plan_limit on a plan without templates; invalid_input for colours that phones can't read, a bad logo, or one
 *   template more than a workspace may have
 */
export async function createTemplate(deps: Deps, owner: Owner, input: TemplateInput): Promise<Template> {
  requireTemplates(owner);
  requireLook({ colorConfig: input.colorConfig ?? null });
  const logo = input.logo === undefined ? undefined : await saveLogo(deps, owner, input.logo);
  const now = deps.now();
  const row = {
    id: newId(now),
    workspaceId: owner.workspaceId,
    name: input.name,
    colorConfig: input.colorConfig ?? null,
    shape: input.shape ?? null,
    createdAt: now,
    logoId: logo?.id ?? null,
  };
  if (!(await store.insertTemplate(deps.db, row, limits.templates))) {
    throw new ServiceError(
      "invalid_input",
      `A workspace has at most ${limits.templates} templates; delete some first`,
    );
  }
  return store.presentTemplate({
    ...row,
    logoType: logo?.mediaType ?? null,
    logoBytes: logo?.bytes ?? null,
  });
}

/** The workspace's templates, oldest first. */
export async function listTemplates(deps: Deps, owner: Owner): Promise<{ templates: Template[] }> {
  return { templates: await store.listTemplates(deps.db, owner.workspaceId) };
}

/** @throws not_found */
export async function getTemplate(deps: Deps, owner: Owner, id: string): Promise<Template> {
  const row = (await store.ownTemplates(deps.db, owner.workspaceId, [id])).get(id);
  if (row === undefined) throw notFound("Template");
  return store.presentTemplate(row);
}

/** Changes what is given. Codes it was applied to keep their look. @throws not_found, invalid_input */
export async function updateTemplate(
  deps: Deps,
  owner: Owner,
  id: string,
  input: TemplateUpdate,
): Promise<Template> {
  const { name, colorConfig, shape } = input;
  if (colorConfig) requireLook({ colorConfig });
  const template = await getTemplate(deps, owner, id);
  const logoId = input.logo ? (await saveLogo(deps, owner, input.logo)).id : input.logo;
  const given = Object.entries({ name, colorConfig, shape, logoId }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length === 0) return template;
  const changes = Object.fromEntries(given);
  if (!(await store.updateTemplate(deps.db, owner.workspaceId, id, changes))) throw notFound("Template");
  return getTemplate(deps, owner, id);
}

/** Deletes a template. Codes it was applied to keep their look: its values are theirs. @throws not_found */
export async function deleteTemplate(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  if (!(await store.deleteTemplate(deps.db, owner.workspaceId, id))) throw notFound("Template");
  return { success: true };
}

/** What a request says of a code's look. */
interface LookInput extends Look {
  readonly templateId?: string | undefined;
  readonly colorConfig?: ColorConfig | undefined;
  readonly shape?: Shape | undefined;
}

/** The templates that these inputs apply, by id. */
export async function readTemplates(
  deps: Deps,
  owner: Owner,
  inputs: readonly LookInput[],
): Promise<ReadonlyMap<string, store.TemplateRow>> {
  const wanted = inputs.flatMap(({ templateId }) => templateId ?? []);
  return store.ownTemplates(deps.db, owner.workspaceId, [...new Set(wanted)]);
}

/** Input that says which logo its code has from now on: the template's, or null for none. */
export type Applied<T> = T & { readonly logoId?: string | null };

/**
 * Input with its template's values copied in, beneath those that it gives itself.
 * @throws plan_limit on a plan without templates; invalid_input for a template that is not among them, or for colours
 *   that phones can't read together
 */
export function applyTemplate<T extends LookInput>(
  owner: Owner,
  input: T,
  templates: ReadonlyMap<string, store.TemplateRow>,
): Applied<T> {
  if (input.templateId === undefined) return input;
  requireTemplates(owner);
  const template = templates.get(input.templateId);
  if (template === undefined) throw invalid("templateId", "is not a template of this workspace");
  const colorConfig = template.colorConfig && { ...template.colorConfig, ...input.colorConfig };
  // Each may be readable, and both together not.
  if (colorConfig !== null) requireLook({ colorConfig });
  return {
    ...input,
    ...(colorConfig === null ? {} : { colorConfig }),
    ...(input.shape === undefined && template.shape !== null ? { shape: template.shape } : {}),
    logoId: template.logoId,
  };
}

function requireTemplates(owner: Owner): void {
  const { title, fullDesign } = planOf(owner);
  if (!fullDesign) {
    throw new ServiceError("plan_limit", `Your plan ${title} has no design templates; upgrade to use them`);
  }
}

import { limits } from "../../contract/limits.ts";
import type { Advanced } from "../../contract/resources/images/design.ts";
import type { Template, TemplateInput, TemplateUpdate } from "../../contract/resources/images/templates.ts";
import { newId } from "../../lib/text/ids.ts";
import { keptLogosQuery } from "../../store/logos/logos.ts";
import { answer } from "../../store/queries.ts";
import * as store from "../../store/templates/templates.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { suspensionError } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { notFound, requireFound, requireVersion, type Versions } from "../errors.ts";
import { requireScannable, requireScannableChange } from "../images/design.ts";
import { judgeDesign } from "../images/judging.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { requireLogo, saveLogo } from "../logos/logos.ts";
import { definedFields, mergeFreeForm } from "../partial-updates.ts";
import { changeResource, createResource } from "../resources/change.ts";
import {
  deleteResource,
  logoGone,
  type Reversible,
  requireRestorable,
  restoreResource,
} from "../resources/revert.ts";
import type { Edited } from "../resources/rules.ts";
import {
  applyStyle,
  findStyleLogo,
  loadStyleReferences,
  requireDesignInPlan,
  requireTemplatesInPlan,
  withoutLogoId,
} from "./styles.ts";

/** Templates as resources. */
export const templateResource: Reversible<store.StoredTemplate> = {
  kind: store.templateKind,
  object: "template",
  noun: "Template",
  nameOf: ({ name }) => name,
  fieldsOf: ({ name, colorConfig, shape, advanced, logoId }) => ({
    ...{ name, colorConfig, shape, advanced },
    logo: logoId,
  }),
  capsOf: ({ templates }) => ({ templates }),
  refusalOf: async (deps, context) =>
    (await suspensionError(deps, context)) ??
    planCapError(
      context,
      `${planOf(context).templates} templates`,
      "Delete some, or upgrade to create more.",
    ),
  deleted: (deps, _, row) => ({ ...row, deletedAt: deps.now() }),
  rules: [
    { columns: ["deletedAt"], check: (_, __, context) => requireTemplatesInPlan(context) },
    {
      columns: ["advanced"],
      check: ({ before, after }, _, context) =>
        requireDesignInPlan(context, after.advanced, before?.advanced ?? null),
    },
    { columns: ["colorConfig", "shape", "advanced", "logoId"], check: requireReadable },
  ],
  restored(deps, _, row) {
    requireRestorable(deps, "Template", row);
    return { ...row, deletedAt: null };
  },
  async putBack(deps, { workspaceId }, row, { logo, ...values }) {
    if (logo === undefined) return { ...row, ...values };
    const logoId = logo as string | null;
    if (logoId !== null && logoId !== row.logoId) {
      const kept = keptLogosQuery(deps.db, workspaceId, [logoId], deps.now(), "stored");
      if ((await answer(kept)).length === 0) throw logoGone();
    }
    return { ...row, ...values, logoId };
  },
};

/** @throws invalid_input for a template whose codes phones can't read */
async function requireReadable(
  { before, after }: Edited<store.StoredTemplate>,
  deps: Deps,
  context: WorkspaceContext,
): Promise<void> {
  if (before === null) requireScannable(after);
  else requireScannableChange(before, after);
  const sample = { ...after, hash: sampleHash };
  requireLogoFits(deps, context, sample, await findStyleLogo(deps, context, after.logoId));
  await judgeDesign(deps, context, sample);
}

/** A logo as a data URI, or the id of a logo that the workspace already has. */
export type LogoSource = string | { readonly id: string };

/** @returns the logo's id */
const saveSource = async (deps: Deps, context: WorkspaceContext, source: LogoSource): Promise<string> =>
  typeof source === "string"
    ? (await saveLogo(deps, context, source, null)).id
    : requireLogo(deps, context, source.id);

/**
 * Creates a template.
 * @param source of its logo; the input's by default
 * @throws plan_limit on a plan without templates, or at its limit; invalid_input for colours that phones can't scan, or
 * an invalid logo
 */
export async function createTemplate(
  deps: Deps,
  context: WorkspaceContext,
  input: TemplateInput,
  source: LogoSource | undefined = input.logo,
): Promise<Template> {
  requirePermission(context, "codes.write");
  requireTemplatesInPlan(context);
  const { colorConfig = null, shape = null } = input;
  const references = await loadStyleReferences(deps, context, input);
  const styled = applyStyle(context, input, references);
  const logoId = source === undefined ? (styled.logoId ?? null) : await saveSource(deps, context, source);
  const now = deps.now();
  const row = {
    id: newId(now),
    workspaceId: context.workspaceId,
    name: input.name,
    colorConfig,
    shape,
    advanced: designWith(logoId, input.advanced ?? null),
    createdAt: now,
    logoId,
    deletedAt: null,
    version: 1,
  };
  await createResource(deps, context, templateResource, row);
  return getTemplate(deps, context, row.id);
}

/** Templates are measured with addresses of the usual length. */
const sampleHash = "x".repeat(limits.scannability.hashLength.default);

/** Returns `advanced` of a template with this logo and no other. */
const designWith = (logoId: string | null | undefined, advanced: Advanced | null): Advanced | null =>
  advanced?.logo?.id === undefined || advanced.logo.id === logoId ? advanced : withoutLogoId(advanced);

/** Returns the workspace's templates, oldest first. */
export async function listTemplates(
  deps: Deps,
  context: WorkspaceContext,
): Promise<{ templates: Template[] }> {
  return { templates: await store.listTemplates(deps.db, context.workspaceId) };
}

/** @throws not_found */
export const getTemplate = async (deps: Deps, context: WorkspaceContext, id: string): Promise<Template> =>
  (await getVersionedTemplate(deps, context, id)).template;

/** A template with its version, which changes with everything that is stored of it, and the id of its logo. */
export interface VersionedTemplate {
  readonly template: Template;
  readonly version: number;
  readonly logoId: string | null;
}

/** Returns a template with its version. @throws not_found */
export async function getVersionedTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<VersionedTemplate> {
  const row = await requireTemplate(deps, context, id);
  return { template: store.presentTemplate(row), version: row.version, logoId: row.logoId };
}

/** Returns the template's row. @throws not_found */
export async function requireTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<store.TemplateRow> {
  return requireFound(await store.findTemplate(deps.db, context.workspaceId, id), "Template");
}

/**
 * Changes the given fields. Codes that the template was applied to keep their design.
 * @param source of its logo; the input's by default
 * @throws not_found; invalid_input, also (412) if the template has none of the versions
 */
export async function updateTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: TemplateUpdate,
  source: LogoSource | null | undefined = input.logo,
  versions?: Versions,
): Promise<VersionedTemplate> {
  requirePermission(context, "codes.write");
  const { name, colorConfig, shape } = input;
  const references = await loadStyleReferences(deps, context, input);
  const saved = source && (await saveSource(deps, context, source));
  await changeResource(deps, context, templateResource, id, async (before) => {
    if (before.deletedAt !== null) throw notFound("Template");
    requireVersion(before, versions);
    const styled = applyStyle(context, input, references, before.advanced);
    const logoId = saved === undefined ? styled.logoId : saved;
    const merged: Advanced | null =
      input.advanced === undefined
        ? before.advanced
        : mergeFreeForm("advanced", before.advanced, input.advanced);
    const advanced = designWith(logoId === undefined ? before.logoId : logoId, merged);
    return { ...before, ...definedFields({ name, colorConfig, shape, advanced, logoId }) };
  });
  return getVersionedTemplate(deps, context, id);
}

/** Deletes a template. Codes that it was applied to keep their design and its id. @throws as deleteResource */
export const deleteTemplate = (
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  versions?: Versions,
): Promise<{ success: true }> => deleteResource(deps, context, templateResource, id, versions);

/** Restores a deleted template as it was. @throws as restoreResource; plan_limit on a plan without templates */
export async function restoreTemplate(deps: Deps, context: WorkspaceContext, id: string): Promise<Template> {
  requirePermission(context, "codes.write");
  requireTemplatesInPlan(context);
  await restoreResource(deps, context, templateResource, id);
  return getTemplate(deps, context, id);
}

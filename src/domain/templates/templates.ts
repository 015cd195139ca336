import { limits } from "../../contract/limits.ts";
import type { Advanced } from "../../contract/resources/images/design.ts";
import type { Template, TemplateInput, TemplateUpdate } from "../../contract/resources/images/templates.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import { creationOf } from "../../store/history.ts";
import * as store from "../../store/templates/templates.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { notFound, requireFound } from "../errors.ts";
import { definedFields, mergeFreeForm } from "../partial-updates.ts";
import { requireLogo, saveLogo } from "../logos/logos.ts";
import { isRestorable, restorableAfter } from "../restorable.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import { hasSameLook, requireScannable, requireScannableChange } from "../images/design.ts";
import { judgeDesign } from "../images/judging.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { newEntry } from "../history/entries.ts";
import { changesBetween } from "../../lib/changes.ts";
import { changedFields, fieldsBefore, logoGone, undoingOf } from "../history/revertible.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { keepLogos } from "../../store/logos/logos.ts";
import { untilStored } from "../lost-races.ts";
import {
  applyStyle,
  findStyleLogo,
  findStyleLookups,
  requireTemplatesInPlan,
  withoutLogoId,
} from "./styles.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { requirePermission } from "../context/permissions.ts";

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
  requireScannable({ colorConfig, advanced: input.advanced ?? null });
  const lookups = await findStyleLookups(deps, context, [input]);
  const styled = applyStyle(context, input, lookups);
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
  };
  const sample = { ...row, hash: sampleHash };
  requireLogoFits(deps, context, sample, await findStyleLogo(deps, context, logoId, lookups));
  await judgeDesign(deps, context, sample);
  const cap = planOf(context).templates;
  const entry = newEntry(deps, context, "template.created", { ...row, changes: creationOf(fieldsOf(row)) });
  if (!(await store.insertTemplate(deps.db, row, cap, entry))) {
    await requireNotSuspended(deps, context);
    throw templateCapError(context);
  }
  return getTemplate(deps, context, row.id);
}

const templateCapError = (context: WorkspaceContext) =>
  planCapError(context, `${planOf(context).templates} templates`, "Delete some, or upgrade to create more.");

/** Returns the fields of a template that its history tells. */
const fieldsOf = ({ name, colorConfig, shape, advanced, logoId }: store.NewTemplate) => ({
  name,
  colorConfig,
  shape,
  advanced,
  logo: logoId,
});

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
export async function getTemplate(deps: Deps, context: WorkspaceContext, id: string): Promise<Template> {
  return store.presentTemplate(await requireTemplate(deps, context, id));
}

/** Returns the id of a template's logo; null for none. @throws not_found */
export const getTemplateLogoId = async (
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<string | null> => (await requireTemplate(deps, context, id)).logoId;

/** Returns the template's row. @throws not_found */
export async function requireTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<store.TemplateRow> {
  const templates = await store.findTemplates(deps.db, context.workspaceId, [id]);
  return requireFound(templates.get(id), "Template");
}

/**
 * Changes the given fields. Codes that the template was applied to keep their design.
 * @param source of its logo; the input's by default
 * @throws not_found, invalid_input
 */
export async function updateTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: TemplateUpdate,
  source: LogoSource | null | undefined = input.logo,
): Promise<Template> {
  requirePermission(context, "codes.write");
  const { name, colorConfig, shape } = input;
  const lookups = await findStyleLookups(deps, context, [input]);
  const saved = source && (await saveSource(deps, context, source));
  const attempt = async () => {
    const before = await requireTemplate(deps, context, id);
    const styled = applyStyle(context, input, lookups, before.advanced);
    const logoId = saved === undefined ? styled.logoId : saved;
    const merged: Advanced | null =
      input.advanced === undefined
        ? before.advanced
        : mergeFreeForm("advanced", before.advanced, input.advanced);
    const advanced = designWith(logoId === undefined ? before.logoId : logoId, merged);
    const after = { ...before, ...definedFields({ name, colorConfig, shape, advanced, logoId }) };
    requireScannableChange(before, after, Object.keys(input.advanced ?? {}));
    if (!hasSameLook(before, after)) {
      const sample = { ...after, hash: sampleHash };
      requireLogoFits(deps, context, sample, await findStyleLogo(deps, context, after.logoId, lookups));
      await judgeDesign(deps, context, sample);
    }
    const changes = changesBetween(fieldsOf(before), fieldsOf(after));
    if (Object.keys(changes).length === 0) return "unchanged";
    const entry = newEntry(deps, context, "template.updated", { id: before.id, name: after.name, changes });
    return (await store.updateTemplate(deps.db, before, after, entry)) ? "stored" : "lost";
  };
  await untilStored(deps, "Template", attempt);
  return getTemplate(deps, context, id);
}

/**
 * Deletes a template. Codes that it was applied to keep their design and its id. It can be restored for 30 days. @throws
 * not_found
 */
export async function deleteTemplate(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  requirePermission(context, "codes.write");
  return untilStored(deps, "template", async () =>
    remove(deps, context, await requireTemplate(deps, context, id)),
  );
}

/** @returns `lost` if the template has changed since it was read */
async function remove(
  deps: Deps,
  context: WorkspaceContext,
  before: store.NewTemplate,
): Promise<{ success: true } | "lost"> {
  const { id, name } = before;
  const entry = newEntry(deps, context, "template.deleted", { id, name, changes: {} });
  return (await store.deleteTemplate(deps.db, before, deps.now(), entry)) ? { success: true } : "lost";
}

/**
 * Restores a deleted template as it was. One that isn't deleted stays as it is.
 * @throws not_found, also 30 days after the deletion; plan_limit on a plan without templates, or at its cap; forbidden in a
 * suspended workspace
 */
export async function restoreTemplate(deps: Deps, context: WorkspaceContext, id: string): Promise<Template> {
  requirePermission(context, "codes.write");
  requireTemplatesInPlan(context);
  await untilStored(deps, "template", async () => {
    const found = await store.findAnyTemplate(deps.db, context.workspaceId, id);
    const template = requireFound(found, "Template");
    return template.deletedAt === null ? "present" : restore(deps, context, template);
  });
  return getTemplate(deps, context, id);
}

/** @returns `lost` if the template isn't deleted any more */
async function restore(
  deps: Deps,
  context: WorkspaceContext,
  { id, name }: Pick<store.NewTemplate, "id" | "name">,
): Promise<"restored" | "lost"> {
  requireTemplatesInPlan(context);
  const { workspaceId } = context;
  const now = deps.now();
  const cap = planOf(context).templates;
  const entry = newEntry(deps, context, "template.restored", { id, name, changes: {} });
  if (await store.restoreTemplate(deps.db, workspaceId, id, restorableAfter(now), cap, entry))
    return "restored";
  const found = await store.findAnyTemplate(deps.db, workspaceId, id);
  if (found?.deletedAt === null) return "lost";
  if (found === undefined || !isRestorable(found.deletedAt, now)) throw notFound("Template");
  await requireNotSuspended(deps, context);
  throw templateCapError(context);
}

/** Undoes a change of a template. @throws not_found; invalid_input if it has changed since; errors of the change */
export async function revertTemplate(
  deps: Deps,
  context: WorkspaceContext,
  entry: HistoryEntry,
): Promise<void> {
  const { workspaceId } = context;
  const { id } = entry.object;
  const attempt = async () => {
    const found = requireFound(await store.findAnyTemplate(deps.db, workspaceId, id), "Template");
    if (found.deletedAt !== null) {
      undoingOf(entry, true, []);
      return restore(deps, context, found);
    }
    const before = (await store.findTemplates(deps.db, workspaceId, [id])).get(id);
    if (before === undefined) return "lost";
    const undoing = undoingOf(entry, false, changedFields(fieldsOf(before), entry.changes));
    if (undoing === "delete") return remove(deps, context, before);
    const { logo, ...values } = fieldsBefore(entry.changes);
    const logoId = logo === undefined ? before.logoId : (logo as string | null);
    const after: store.TemplateRow = { ...before, ...values, logoId };
    requireTemplatesInPlan(context);
    const logoIds = logoId === null ? [] : [logoId];
    const logos = await keepLogos(deps.db, workspaceId, logoIds, deps.now(), "stored");
    if (logos.length === 0 && logoId !== null && logoId !== before.logoId) throw logoGone();
    requireScannableChange(before, after, Object.keys(after.advanced ?? {}));
    if (!hasSameLook(before, after)) {
      const sample = { ...after, hash: sampleHash };
      requireLogoFits(deps, context, sample, logos[0]);
      await judgeDesign(deps, context, sample);
    }
    const changes = changesBetween(fieldsOf(before), fieldsOf(after));
    const updated = newEntry(deps, context, "template.updated", { id, name: after.name, changes });
    return (await store.updateTemplate(deps.db, before, after, updated)) ? "stored" : "lost";
  };
  await untilStored(deps, "template", attempt);
}

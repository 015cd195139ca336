import type { QrCreateInput, QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import {
  type ChangeableField,
  enteredFields,
  type MergedField,
  type PlainField,
  qrFields,
} from "../../contract/resources/codes/qr-fields.ts";
import { foldHash, newHash } from "../../lib/text/hash.ts";
import { newId } from "../../lib/text/ids.ts";
import { sameJson } from "../../lib/text/json.ts";
import { foldedName } from "../../store/codes/codes.ts";
import { type QrRow, rowWith } from "../../store/codes/columns.ts";
import { shownData } from "../../store/codes/stored-data.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { usesPublishableKey } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { hasSameLook } from "../images/design.ts";
import { judgeDesign } from "../images/judging.ts";
import { definedFields, mergeFreeForm, withoutNulls } from "../partial-updates.ts";
import { folderGone, logoGone, requireRestorable } from "../resources/revert.ts";
import { applyStyle } from "../templates/styles.ts";
import { addressColumns, defaultDomainOf } from "./addresses.ts";
import { requireInPlan } from "./caps.ts";
import { normaliseLinks } from "./data.ts";
import { type CodeReferences, folderColumns } from "./references.ts";
import { requireValid } from "./rules.ts";

/**
 * Returns a new code from a request's input, with a new id, and a new hash unless one was chosen.
 * @throws plan_limit; invalid_input
 */
export async function newCode(
  deps: Deps,
  context: WorkspaceContext,
  input: QrCreateInput,
  references: CodeReferences,
): Promise<QrRow> {
  requireInPlan(context, input.qrType, input.hash !== undefined);
  const styled = applyStyle(context, input, references);
  const linked = await normaliseLinks(deps, styled, references);
  const hash = input.hash ?? newHash();
  const now = deps.now();
  const scanOriginOnly = usesPublishableKey(context) && !context.usesDomains ? true : null;
  const { domain = scanOriginOnly ? null : defaultDomainOf(references), aliases, query } = linked;
  const at = domain === null ? undefined : references.domains.get(domain);
  const hasQuery = qrFields.query.types.some((type) => type === input.qrType);
  const after = rowWith(
    {
      ...definedFields(plainValues(linked)),
      query: query ?? (hasQuery ? (at?.query ?? "off") : "off"),
      ...addressColumns({ domain, aliases }, references),
      scanOriginOnly,
      tags: linked.tags ?? [],
      id: newId(now),
      hash,
      hashFolded: foldHash(hash),
      qrType: input.qrType,
      nameFolded: foldedName(input.name ?? null),
      data: linked.data,
      colorConfig: withoutNulls(linked.templateColors ?? linked.colorConfig),
      logoId: linked.logoId ?? null,
      advanced: withoutNulls(linked.templateAdvanced ?? linked.advanced),
      utm: withoutNulls(linked.utm),
    },
    { workspaceId: context.workspaceId, version: 1, createdAt: now, updatedAt: now },
  );
  await requireValid(deps, context, { before: null, after }, references);
  return after;
}

/** Returns a code with a request's changes. @throws plan_limit; invalid_input */
export async function changedCode(
  deps: Deps,
  context: WorkspaceContext,
  before: QrRow,
  input: QrUpdateInput,
  references: CodeReferences,
): Promise<QrRow> {
  requireSameType(before, input);
  // A code keeps the id of a deleted template, so that it can be sent back as it was read.
  const isGone = input.templateId === before.templateId && !references.templates.has(before.templateId ?? "");
  const styled = applyStyle(
    context,
    isGone ? { ...input, templateId: undefined } : input,
    references,
    before.advanced,
  );
  const linked = await normaliseLinks(deps, styled, references, before);
  const { templateColors, templateAdvanced, logoId } = linked;
  // A code that an earlier release stored isn't changed by what this one stores besides.
  const isSameData = linked.data !== undefined && sameJson(shownData(linked.data), shownData(before.data));
  const data = isSameData ? before.data : linked.data;
  const given = definedFields({
    ...plainValues(linked),
    ...{ data, logoId, colorConfig: templateColors, advanced: templateAdvanced },
  });
  const merged = mergedFields.flatMap((field) => {
    const changes = linked[field];
    return changes === undefined || field in given
      ? []
      : [[field, mergeFreeForm(field, before[field], changes)]];
  });
  const { domain, aliases } = linked;
  const addresses = addressColumns({ domain, aliases }, references);
  const after = withComputedColumns(before, { ...given, ...Object.fromEntries(merged), ...addresses });
  await requireValid(deps, context, { before, after }, references);
  return after;
}

/** Returns a code with earlier values of columns. @throws invalid_input if it can't have them any more; plan_limit */
export async function withRestoredValues(
  deps: Deps,
  context: WorkspaceContext,
  before: QrRow,
  values: Partial<QrRow>,
  references: CodeReferences,
): Promise<QrRow> {
  const { folders, logos } = references;
  const { folderId, advanced, logoId } = values;
  const linked = await normaliseLinks(deps, values, references, values);
  if (folderId != null && !folders.has(folderId)) throw folderGone();
  if (advanced !== undefined) applyStyle(context, { advanced }, references, before.advanced);
  if (logoId != null && !logos.has(logoId)) throw logoGone();
  const after = withComputedColumns(before, {
    ...linked,
    ...addressColumns(values, references),
    ...(folderId !== undefined && folderColumns(folderId, folders)),
  });
  await requireValid(deps, context, { before, after }, references);
  return after;
}

/** Returns a deleted code after its restoration. @throws not_found; why no more can be restored; invalid_input if it leads to a blocked host */
export async function restoredCode(
  deps: Deps,
  context: WorkspaceContext,
  before: QrRow,
  references: CodeReferences,
): Promise<QrRow> {
  requireRestorable(deps, "QR code", before);
  const folder = folderColumns(before.folderId ?? before.deletedFolderId, references.folders);
  const after = { ...before, ...folder, deletedAt: null };
  await requireValid(deps, context, { before, after }, references);
  return after;
}

/** Returns a code whose design has been measured, if it is new. @throws invalid_input if phones can't read it */
export async function withReadability(
  deps: Deps,
  context: WorkspaceContext,
  before: QrRow | null,
  after: QrRow,
): Promise<QrRow> {
  if (before !== null && hasSameLook(before, after) && before.activeDomain === after.activeDomain)
    return after;
  return { ...after, readable: await judgeDesign(deps, context, after) };
}

/** Returns the row with these values and those that follow from them. */
function withComputedColumns(before: QrRow, values: Partial<QrRow>): QrRow {
  const after = {
    ...before,
    ...values,
    ...(values.name !== undefined && { nameFolded: foldedName(values.name) }),
    ...(values.folderId && { deletedFolderId: null }),
    // Whoever changes the domain decides where the code answers.
    ...(values.domain !== undefined && values.domain !== before.domain && { scanOriginOnly: null }),
  };
  // A design that has changed is measured again.
  const isSame = hasSameLook(before, after) && before.activeDomain === after.activeDomain;
  return isSame ? after : { ...after, readable: null, measureAt: null };
}

type PlainChange = Extract<PlainField, ChangeableField>;

const plainChanges = enteredFields.filter(({ part, set }) => part === undefined && set === "always");

/** Returns the columns of the given fields that are entered as a single text, with times in epoch milliseconds. */
function plainValues(input: { readonly [Name in PlainChange]?: QrUpdateInput[Name] }): {
  [Name in PlainChange]?: QrRow[Name] | undefined;
} {
  const values = plainChanges.map(({ field, kind }): [string, unknown] => {
    const value = input[field as PlainChange];
    return [field, kind === "time" && typeof value === "string" ? Date.parse(value) : value];
  });
  return Object.fromEntries(values);
}

const mergedFields = Object.entries(qrFields).flatMap(([name, described]) =>
  described?.kind === "merged" ? [name as MergedField] : [],
);

/** @throws invalid_input for an input of another type, or with another hash, than the code's */
function requireSameType({ qrType, hash }: QrRow, input: QrUpdateInput): void {
  const problem = `can't be changed. It is ${qrType}.`;
  if (input.qrType !== undefined && input.qrType !== qrType) throw invalid("qrType", problem);
  if (input.data !== undefined && input.data.type !== qrType) throw invalid("data.type", problem);
  if (input.hash !== undefined && input.hash !== hash)
    throw invalid("hash", `can't be changed. It is ${hash}.`);
}

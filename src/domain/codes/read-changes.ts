import type { QrType } from "../../contract/resources/enums.ts";
import type { QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import { sameJson } from "../../lib/text/json.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import { filterOwnedFolderIds } from "../../store/folders/folders.ts";
import { definedFields } from "../partial-updates.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { requireFolderIn } from "../folders/folders.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireLogoFits } from "../images/symbols.ts";
import { applyStyle, findStyleLogo, findStyleLookups, type StyleLookups } from "../templates/styles.ts";
import { findReferences, normaliseLinks, type References } from "./data.ts";
import { requireUtmFits } from "./life-span.ts";
import { changedRow, mergesIn, plainValues, type QrChanges } from "./merges.ts";

/** The rows that changes refer to. */
interface ChangeLookups {
  readonly styles: StyleLookups;
  readonly references: References;
  /** Folders of the workspace. */
  readonly folders: ReadonlySet<string>;
}

/** Looks up the rows that changes refer to. */
export async function findChangeLookups(
  deps: Deps,
  context: WorkspaceContext,
  inputs: readonly QrUpdateInput[],
): Promise<ChangeLookups> {
  const folderIds = new Set(inputs.flatMap(({ folderId }) => folderId || []));
  const [styles, references, folders] = await Promise.all([
    findStyleLookups(deps, context, inputs),
    findReferences(deps, context, inputs),
    filterOwnedFolderIds(deps.db, context.workspaceId, [...folderIds]),
  ]);
  return { styles, references, folders };
}

/** Applies a request's changes to a code. @throws invalid_input, plan_limit */
export async function changeRow(
  deps: Deps,
  context: WorkspaceContext,
  before: QrRow,
  input: QrUpdateInput,
  lookups: ChangeLookups,
): Promise<QrRow> {
  const given = await readChanges(deps, context, before, input, lookups);
  requireFolderIn(lookups.folders, given.folderId);
  const after = changedRow(before, given);
  const { logoId, advanced } = after;
  if (logoId !== null && (logoId !== before.logoId || !sameJson(advanced, before.advanced))) {
    requireLogoFits(deps, context, after, await findStyleLogo(deps, context, logoId, lookups.styles));
  }
  return after;
}

/** Returns the columns that a request sets. `changedRow` validates those that depend on unchanged values. */
async function readChanges(
  deps: Deps,
  context: WorkspaceContext,
  before: QrRow,
  input: QrUpdateInput,
  { styles, references }: ChangeLookups,
): Promise<QrChanges> {
  requireType(before.qrType, input);
  requireHash(before.hash, input);
  requireUtmFits(before.qrType, input.utm);
  // A code keeps the id of a deleted template, so that it can be sent back as it was read.
  const isGone = input.templateId === before.templateId && !styles.templates.has(before.templateId ?? "");
  const applied = isGone ? { ...input, templateId: undefined } : input;
  const styled = applyStyle(context, applied, styles, before.advanced);
  const { templateColors, templateAdvanced, logoId, ...fields } = await normaliseLinks(
    deps,
    styled,
    references,
  );
  const plain = { ...plainValues(fields, undefined), data: fields.data, logoId };
  return {
    ...definedFields({ ...plain, colorConfig: templateColors, advanced: templateAdvanced }),
    merges: mergesIn({
      ...fields,
      ...(templateColors !== undefined && { colorConfig: undefined }),
      ...(templateAdvanced !== undefined && { advanced: undefined }),
    }),
  };
}

/** @throws invalid_input for an input of another type than the code's */
function requireType(qrType: QrType, input: QrUpdateInput): void {
  const problem = `can't be changed. It is ${qrType}.`;
  if (input.qrType !== undefined && input.qrType !== qrType) throw invalid("qrType", problem);
  if (input.data !== undefined && input.data.type !== qrType) throw invalid("data.type", problem);
}

/** @throws invalid_input for another hash than the code's */
function requireHash(hash: string, input: QrUpdateInput): void {
  if (input.hash === undefined || input.hash === hash) return;
  throw invalid("hash", `can't be changed. It is ${hash}.`);
}

import { describeIssues } from "../../contract/issues.ts";
import type { BulkChange } from "../../contract/resources/bulk-update.ts";
import { QrUpdateInput } from "../../contract/resources/qr.ts";
import type { CodeValues } from "../../store/bulk-changes.ts";
import type { QrRow } from "../../store/code-columns.ts";
import { filterOwnedFolderIds } from "../../store/folders.ts";
import type { Values } from "../../store/settable-columns.ts";
import { withAddresses } from "../codes/addresses.ts";
import { findReferences } from "../codes/data.ts";
import { requireFolderIn } from "../codes/folders.ts";
import { judgeChanges } from "../codes/merges.ts";
import { type ChangeLookups, readChanges } from "../codes/read-changes.ts";
import { definedFields } from "../defined-fields.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import type { Owner } from "../identity/caller.ts";
import { findAppliedTemplates } from "../images/templates.ts";
import { replacer } from "./replacement.ts";

/** What a change makes of codes, checked by the rules for changing one. */
export interface PreparedChanges {
  /** The names of the values, which all codes have. */
  readonly names: readonly (keyof Values)[];
  /** By the id of the code. */
  readonly values: ReadonlyMap<string, CodeValues>;
  /** The ids of codes whose values get longer. */
  readonly growing: ReadonlySet<string>;
  /** Why a code can't be changed so, by its id. */
  readonly errors: ReadonlyMap<string, string>;
}

/** Makes the new values of codes from their current ones. */
export async function prepareChanges(
  deps: Deps,
  owner: Owner,
  change: BulkChange,
  codes: readonly QrRow[],
): Promise<PreparedChanges> {
  const errors = new Map<string, string>();
  const judged = new Map<QrRow, Judged>();
  if (change.delete === true) {
    for (const code of codes) judged.set(code, { given: { deletedAt: deps.now() }, seenColors: {} });
  } else {
    const inputs = new Map(codes.map((code) => [code, inputOf(code, change)]));
    const lookups = await lookUp(deps, owner, change, [...inputs.values()]);
    for (const [code, input] of inputs) {
      try {
        judged.set(code, await judge(deps, owner, code, input, lookups));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        errors.set(code.id, error.message);
      }
    }
  }
  const keys = [...judged.values()].flatMap(({ given }) => Object.keys(given) as (keyof Values)[]);
  const names = [...new Set(keys)];
  const values = new Map<string, CodeValues>();
  const growing = new Set<string>();
  for (const [code, { given, seenColors }] of judged) {
    const current = currentValues(code, names);
    const all = { ...current, ...given };
    values.set(code.id, { version: code.version, given: all, seenColors });
    if (JSON.stringify(all).length > JSON.stringify(current).length) growing.add(code.id);
  }
  return { names, values, growing, errors };
}

/** The values that are given to a code, and the colors that they were judged with. */
type Judged = Pick<CodeValues, "given" | "seenColors">;

/** The values that leave a code as it is. */
const currentValues = (code: QrRow, names: readonly (keyof Values)[]): Values =>
  Object.fromEntries(names.map((name) => [name, name in code ? code[name as keyof QrRow] : {}]));

/** The change as a request that changes this code alone. */
function inputOf(code: QrRow, change: BulkChange): QrUpdateInput {
  const { addTags, removeTags, replace, delete: _, ...others } = change;
  const kept = code.tags.filter((tag) => removeTags?.includes(tag) !== true);
  const tags =
    addTags === undefined && removeTags === undefined
      ? undefined
      : [...new Set([...kept, ...(addTags ?? [])])];
  return definedFields({ ...others, tags, ...(replace && replacedIn(code, replacer(replace))) });
}

/** The fields with addresses that are replaced. */
function replacedIn(
  code: QrRow,
  replace: (address: string) => string,
): Pick<QrUpdateInput, "data" | "fallbackUrl"> {
  const data = withAddresses(code.data, replace);
  const fallbackUrl = code.fallbackUrl && replace(code.fallbackUrl);
  return {
    ...(JSON.stringify(data) !== JSON.stringify(code.data) && { data }),
    ...(fallbackUrl !== code.fallbackUrl && { fallbackUrl }),
  };
}

interface Lookups extends ChangeLookups {
  /** Folders of the workspace that the change refers to. */
  readonly folders: ReadonlySet<string>;
}

/** Looks up what a change and its inputs refer to. */
export async function lookUp(
  deps: Deps,
  owner: Owner,
  { folderId }: BulkChange,
  inputs: readonly QrUpdateInput[],
): Promise<Lookups> {
  const [templates, references, folders] = await Promise.all([
    findAppliedTemplates(deps, owner, inputs),
    findReferences(deps, owner, inputs),
    filterOwnedFolderIds(deps.db, owner.workspaceId, folderId ? [folderId] : []),
  ]);
  return { templates, references, folders };
}

/** @throws ServiceError for values that a request could not give this code */
async function judge(
  deps: Deps,
  owner: Owner,
  code: QrRow,
  input: QrUpdateInput,
  { folders, ...lookups }: Lookups,
): Promise<Judged> {
  const parsed = QrUpdateInput.safeParse(input);
  if (!parsed.success) throw new ServiceError("invalid_input", describeIssues(parsed.error.issues));
  const given = await readChanges(deps, owner, code, parsed.data, lookups);
  requireFolderIn(folders, given.folderId);
  return { given, seenColors: judgeChanges(code, given) };
}

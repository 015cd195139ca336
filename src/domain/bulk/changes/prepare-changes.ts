import { describeIssues } from "../../../contract/issues.ts";
import { QrUpdateInput } from "../../../contract/resources/codes/qr.ts";
import { omit } from "../../../lib/omit.ts";
import type { SliceCode } from "../../../store/bulk/slice.ts";
import { codeValues, type QrRow } from "../../../store/codes/columns.ts";
import { differingColumns } from "../../../store/resources/kind.ts";
import type { JobChange } from "../../../store/schema/bulk.ts";
import { changedCode, restoredCode, withRestoredValues } from "../../codes/edits.ts";
import { type Given, loadReferences } from "../../codes/references.ts";
import { codeResource } from "../../codes/resource.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import type { Deps } from "../../deps.ts";
import { replacedLinks } from "../../destinations/addresses.ts";
import { ServiceError } from "../../errors.ts";
import { findJobEntries } from "../../history/history.ts";
import { definedFields } from "../../partial-updates.ts";
import { undo, valuesBefore } from "../../resources/revert.ts";
import { yielding } from "../../yielding.ts";
import { replacer } from "./replacement.ts";

/** The codes that result from a change, validated like the change of a single code. */
export interface PreparedChanges {
  /** The new rows, by the id of the code. */
  readonly rows: ReadonlyMap<string, QrRow>;
  /** Why codes can't be changed, by id. */
  readonly errors: ReadonlyMap<string, ServiceError>;
  /** The ids of the entries in the history that are reverted, by the id of the code. */
  readonly reverted: ReadonlyMap<string, string>;
}

/** An item of a job that changes codes. */
type Item = Pick<SliceCode, "row" | "own"> & { readonly code: QrRow };

/** The edits of some codes. */
interface Edits {
  /** Computes the new row of the code that an item names. @throws ServiceError if the code can't be changed */
  readonly edit: (item: Item) => QrRow | Promise<QrRow>;
  /** See PreparedChanges. */
  readonly reverted?: ReadonlyMap<string, string>;
}

/** A kind of change. Looks up what its edits of some codes need. */
type ChangeKind = (
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  items: readonly Item[],
) => Promise<Edits>;

/** The kinds of change. */
const kinds = {
  delete: async (deps) => ({ edit: ({ code }) => ({ ...code, deletedAt: deps.now() }) }),
  update: async (deps, context, change, items) => {
    const given = items.map(({ code }) => ({ before: code, values: inputOf(code, change) }));
    const references = await loadReferences(deps, context, given);
    const inputs = new Map(given.map(({ before, values }) => [before, values]));
    return {
      edit: ({ code }) => changedCode(deps, context, code, parseInput(inputs.get(code) ?? {}), references),
    };
  },
  rows: async (deps, context, _, items) => {
    const given = items.flatMap(({ own, code }) =>
      own?.change === undefined ? [] : { before: code, values: own.change },
    );
    const references = await loadReferences(deps, context, given);
    return {
      async edit({ own, code }) {
        if (own?.change === undefined) throw new Error("a row without its change");
        const { templateId, tags, ...others } = parseInput(own.change);
        const input = {
          ...others,
          // The same template isn't applied again: the row says what the design is.
          ...(templateId !== code.templateId && { templateId }),
          // A tag with a comma isn't divided where its cell is the code's own.
          ...(own.cells?.tags?.trim() !== code.tags.join("|") && { tags }),
        };
        const after = await changedCode(deps, context, code, definedFields(input), references);
        if (own.since !== undefined && own.since !== code.updatedAt && isChanged(code, after)) {
          throw changedSinceExport();
        }
        return after;
      },
    };
  },
  revert: async (deps, context, change, items) => {
    const ids = items.map(({ code }) => code.id);
    const entries = await findJobEntries(deps, context, change.revert ?? "", ids);
    // Restoring needs the rows that the code refers to; putting values back needs those that the values refer to.
    const given = items.flatMap(({ code: row }): Given | [] => {
      const entry = entries.get(row.id);
      if (entry?.action === "code.updated") return { before: row, values: codeValues(valuesBefore(entry)) };
      return entry?.action === "code.deleted" && row.erasedAt === null ? { before: null, values: row } : [];
    });
    const additions = [...entries.values()].some(({ action }) => action === "code.deleted");
    const references = await loadReferences(deps, context, given, { additions, earlier: true });
    return {
      edit({ code: row }) {
        const entry = entries.get(row.id);
        if (entry === undefined)
          throw new ServiceError("invalid_input", "The history no longer has this change.");
        return undo<QrRow, QrRow | Promise<QrRow>>(codeResource, row, entry, {
          delete: () => ({ ...row, deletedAt: deps.now() }),
          restore: () => restoredCode(deps, context, row, references),
          putBack: (fields) => withRestoredValues(deps, context, row, codeValues(fields), references),
        });
      },
      reverted: new Map([...entries].map(([id, entry]) => [id, entry.id])),
    };
  },
} as const satisfies Record<string, ChangeKind>;

/**
 * The change of a job whose items have a change each. Workers of 1.0.0 don't know `rows`: the status, which they refuse,
 * makes them fail the items instead of changing nothing.
 */
export const rowChanges: JobChange = { rows: true, status: "by row" as never };

/** The error of a row whose code has changed since the row was written. */
export const changedSinceExport = () =>
  new ServiceError(
    "invalid_input",
    "The code has changed since your export, so it was left out. Export it again, or use force.",
  );

/** The error of an item whose code has changed since the dry run. */
const changedSinceExamined = () =>
  new ServiceError("invalid_input", "The code has changed since the dry run, so it was left out.");

/** Returns whether an edit changes anything. */
export const isChanged = (before: QrRow, after: QrRow): boolean =>
  differingColumns(codeResource.kind, before, after).length > 0;

function kindOf(change: JobChange): keyof typeof kinds {
  if (change.rows === true) return "rows";
  if (change.revert !== undefined) return "revert";
  return change.delete === true ? "delete" : "update";
}

/** Computes the new rows of the codes that items name. */
export async function prepareChanges(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  items: readonly Item[],
): Promise<PreparedChanges> {
  const errors = new Map<string, ServiceError>();
  const rows = new Map<string, QrRow>();
  const prepare: ChangeKind = kinds[kindOf(change)];
  const { edit, reverted = new Map() } = await prepare(deps, context, change, items);
  for await (const item of yielding(deps, items)) {
    try {
      const after = await edit(item);
      if (item.own?.version !== undefined && item.own.version !== item.code.version) {
        if (isChanged(item.code, after)) throw changedSinceExamined();
      }
      rows.set(item.code.id, after);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      errors.set(item.code.id, error);
    }
  }
  return { rows, errors, reverted };
}

/** Returns the change as a request that changes only this code. */
function inputOf(code: QrRow, change: JobChange): QrUpdateInput {
  const { addTags, removeTags, replace, ...others } = omit(change, "delete", "revert", "rows");
  // Tags stored by earlier rules may be the same in another Unicode form.
  const kept = code.tags.filter((tag) => removeTags?.includes(tag.normalize("NFC")) !== true);
  const tags =
    addTags === undefined && removeTags === undefined
      ? undefined
      : [...new Set([...kept, ...(addTags ?? [])])];
  return definedFields({ ...others, tags, ...(replace && replacedLinks(code, replacer(replace))) });
}

/** @throws ServiceError for values that a request couldn't give a code */
function parseInput(input: QrUpdateInput): QrUpdateInput {
  const parsed = QrUpdateInput.safeParse(input);
  if (!parsed.success) throw new ServiceError("invalid_input", describeIssues(parsed.error.issues));
  return parsed.data;
}

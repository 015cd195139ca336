import { ignoredFields } from "../../../contract/ignored-fields.ts";
import { describeIssues } from "../../../contract/issues.ts";
import { limits } from "../../../contract/limits.ts";
import { misspelledFields } from "../../../contract/misspelled-fields.ts";
import { BulkJob } from "../../../contract/resources/codes/bulk.ts";
import { type BulkChange, BulkUpdateInput } from "../../../contract/resources/codes/bulk-update.ts";
import { bulkBounds } from "../../../contract/resources/free-form.ts";
import { JsonListReader } from "../../../lib/text/json-list.ts";
import type { Deps } from "../../deps.ts";
import { invalid, ServiceError } from "../../errors.ts";
import { changeTable, parseChangeItem } from "./change-rows.ts";
import type { ChangeRow } from "./row.ts";
import { type BulkBody, readBody } from "./rows.ts";

/** A bulk update as it was sent: rows that differ, or one change of the codes that a selection has. */
export type SentUpdate = Pick<BulkUpdateInput, "dryRun" | "force"> &
  (
    | { readonly rows: readonly ChangeRow[] }
    | (Pick<BulkUpdateInput, "ids" | "filter"> & { readonly change: BulkChange })
  );

/**
 * Reads a bulk update from a JSON body as it arrives. An invalid item is returned as its error.
 * @throws invalid_input, also (413) for a body that is too large
 */
export async function readBulkUpdate(deps: Deps, body: BulkBody): Promise<SentUpdate> {
  const ignored = new Set<string>();
  const sent = await readBody(deps, body, limits.bulk.body, () => new UpdateReader(ignored));
  body.ignore?.(ignored);
  return sent;
}

/** Reads the rows of a CSV file that changes codes. @throws as readBulkUpdate */
export const readChangeRows = (deps: Deps, body: BulkBody): Promise<ChangeRow[]> =>
  readBody(deps, body, limits.bulk.body, () => changeTable(body.charset));

class UpdateReader {
  readonly #ignored: Set<string>;
  readonly #others: Record<string, unknown> = {};
  readonly #reader: JsonListReader;
  #rows: ChangeRow[] = [];

  /** @param ignored gets the fields that are ignored */
  constructor(ignored: Set<string>) {
    this.#ignored = ignored;
    const handler = {
      begin: () => {
        this.#rows = [];
      },
      element: (item: unknown) => {
        const rows = this.#rows;
        const { ids } = limits.bulkUpdate;
        if (rows.length >= ids) throw invalid("items", `can have at most ${ids} entries`);
        rows.push(parseChangeItem(item));
        this.#ignore({ items: [item] });
      },
      otherValue: (name: string, value: unknown) => {
        this.#others[name] = value;
      },
    };
    this.#reader = new JsonListReader("items", limits.body, handler, bulkBounds);
  }

  write(bytes: Uint8Array): void {
    this.#reader.write(bytes);
  }

  end(): SentUpdate {
    const items = this.#reader.end();
    const rows = this.#rows;
    // The items were read one by one: here, any stands for them.
    const sent = { ...this.#others, ...(items !== undefined && { items: rows.length > 0 ? [{}] : items }) };
    const { data, error } = BulkUpdateInput.safeParse(sent);
    const misspelled = misspelledFields(BulkUpdateInput, this.#others, BulkJob);
    if (data === undefined || misspelled.length > 0) {
      throw new ServiceError("invalid_input", describeIssues(error?.issues ?? [], misspelled));
    }
    this.#ignore(this.#others);
    const { dryRun, force, ids, filter, change } = data;
    return change === undefined ? { dryRun, force, rows } : { dryRun, force, ids, filter, change };
  }

  #ignore(body: object): void {
    if (this.#ignored.size >= limits.ignoredFields.count) return;
    for (const field of ignoredFields(BulkUpdateInput, body)) this.#ignored.add(field);
  }
}

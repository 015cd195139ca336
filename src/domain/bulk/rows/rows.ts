import { nullsAbsent } from "../../../contract/absent-fields.ts";
import { ignoredFields } from "../../../contract/ignored-fields.ts";
import { describeIssues } from "../../../contract/issues.ts";
import { limits } from "../../../contract/limits.ts";
import { misspelledFields } from "../../../contract/misspelled-fields.ts";
import { bulkBodyLimit } from "../../../contract/plans.ts";
import { BulkInput, BulkItems, BulkJob } from "../../../contract/resources/codes/bulk.ts";
import { isOfExisting, Qr, QrCreateInput } from "../../../contract/resources/codes/qr.ts";
import { type BulkColumn, bulkColumns } from "../../../contract/resources/codes/qr-fields.ts";
import { bulkBounds } from "../../../contract/resources/free-form.ts";
import { CsvError, undefused } from "../../../lib/text/csv.ts";
import { JsonListReader, type ListHandler } from "../../../lib/text/json-list.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import { planOf } from "../../context/plan.ts";
import type { Deps } from "../../deps.ts";
import { invalid, ServiceError } from "../../errors.ts";
import { yieldToOtherRequests } from "../../yielding.ts";
import { parseCells } from "./cells.ts";
import { parseUpsertCells, parseUpsertItem } from "./change-rows.ts";
import { CsvRows } from "./csv-rows.ts";
import { type BulkRow, parsedRow } from "./row.ts";

/** The body of a bulk request. */
export interface BulkBody {
  /** `text/csv`, or else JSON. */
  readonly mediaType: string;
  /** The declared encoding of a CSV. */
  readonly charset?: string | undefined;
  /** Yields the body as it arrives. Throws as soon as it exceeds `maxBytes`. */
  blocks(maxBytes: number): AsyncIterable<Uint8Array>;
  /** Called with the fields of a JSON body that are ignored. */
  ignore?(fields: ReadonlySet<string>): void;
}

/**
 * Reads the rows of a bulk request as it arrives, up to the plan's limits. An invalid row is returned as its error.
 * @param isUpsert also reads each row as a change of the code that has its own id
 * @throws invalid_input for an unreadable body, one without rows, or an invalid header; plan_limit (403) at the first
 * row beyond the plan's limit
 */
export async function readBulkRows(
  deps: Deps,
  context: WorkspaceContext,
  body: BulkBody,
  isUpsert = false,
): Promise<BulkRow[]> {
  const ignored = new Set<string>();
  const rows = await readBody(deps, body, bulkBodyLimit(planOf(context)), () =>
    body.mediaType === "text/csv"
      ? creationTable(context, body.charset, isUpsert)
      : new JsonRows(context, ignored, isUpsert),
  );
  body.ignore?.(ignored);
  return rows;
}

/** How many bytes of a body are read before other requests get their turn: a hundred short rows. */
const bytesAtATime = 16 * 1024;

/** Reads a body as it arrives, up to `maxBytes`. @throws invalid_input for an unreadable one */
export async function readBody<Result>(
  deps: Deps,
  body: BulkBody,
  maxBytes: number,
  open: () => { write(bytes: Uint8Array): void; end(): Result },
): Promise<Result> {
  try {
    const reader = open();
    for await (const block of body.blocks(maxBytes)) {
      // A block holds all that has arrived since the last one: a whole file, if other requests had their turn.
      for (let from = 0; from < block.byteLength; from += bytesAtATime) {
        reader.write(block.subarray(from, from + bytesAtATime));
        await yieldToOtherRequests(deps);
      }
    }
    return reader.end();
  } catch (error) {
    if (error instanceof CsvError) throw invalid("body", error.message);
    throw error;
  }
}

const creationTable = (context: WorkspaceContext, charset: string | undefined, isUpsert: boolean) =>
  new CsvRows<BulkColumn, BulkRow>({
    charset,
    columns: bulkColumns,
    requireColumns(columns) {
      if (!columns.includes("url")) throw invalid("body", "has no column url");
      if (isUpsert && !columns.includes("externalId")) throw invalid("body", "has no column externalId");
    },
    requireRemaining: (rows) => requireRemainingRows(context, rows, "body", "rows"),
    row(cells, line) {
      const trimmed = Object.entries(cells).map(
        ([column, text]) => [column, undefused(text).trim()] as const,
      );
      const filled = Object.fromEntries(trimmed.filter(([, text]) => text !== ""));
      return {
        ...parseCells(filled),
        line,
        ...(isUpsert && { change: parseUpsertCells(cells, line) }),
      };
    },
    failure: (failure) => failure,
  });

const QrCreation = nullsAbsent(QrCreateInput);

/**
 * Parses an element of a JSON body. Misspelled fields are reported, and null in an optional field counts as omitting
 * it.
 */
export function parseElement(given: unknown, isUpsert: boolean): BulkRow {
  const element = isUpsert ? withoutCopy(given) : given;
  const row = parsedRow(
    QrCreation.safeParse(element),
    (path) => path.join("."),
    misspelledFields(QrCreateInput, element, Qr),
  );
  return isUpsert ? { ...row, change: parseUpsertItem(element) } : row;
}

/** Returns an existing code that is sent back as its client's own id identifies it, rather than as a copy. */
function withoutCopy(element: unknown): unknown {
  if (typeof element !== "object" || element === null || Array.isArray(element)) return element;
  const { scanUrl, hash, ...others } = element as Record<string, unknown>;
  const isExisting = isOfExisting(asText(scanUrl), asText(hash));
  return isExisting || hash === undefined ? others : { ...others, hash };
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The rows of a JSON body. */
class JsonRows {
  #rows: BulkRow[] = [];
  readonly #reader: JsonListReader;

  /** @param ignored gets the fields that are ignored */
  constructor(context: WorkspaceContext, ignored: Set<string>, isUpsert: boolean) {
    const ignore = (body: object) => {
      if (ignored.size === limits.ignoredFields.count) return;
      for (const field of ignoredFields(BulkInput, body)) ignored.add(field);
    };
    const handler: ListHandler = {
      begin: () => {
        this.#rows = [];
      },
      element: (item) => {
        requireRemainingRows(context, this.#rows, "items", "elements");
        this.#rows.push(parseElement(item, isUpsert));
        ignore({ items: [item] });
      },
      otherField: (name) => {
        const [problem] = misspelledFields(BulkInput, { [name]: null }, BulkJob);
        if (problem !== undefined) throw new ServiceError("invalid_input", problem);
        ignore({ [name]: null });
      },
    };
    this.#reader = new JsonListReader("items", limits.body, handler, bulkBounds);
  }

  write(bytes: Uint8Array): void {
    this.#reader.write(bytes);
  }

  end(): BulkRow[] {
    const items = this.#reader.end();
    if (this.#rows.length > 0) return this.#rows;
    throw new ServiceError(
      "invalid_input",
      describeIssues(BulkItems.safeParse({ items }).error?.issues ?? []),
    );
  }
}

/** @throws if there are already as many rows as the plan, or any plan, allows */
function requireRemainingRows(
  context: WorkspaceContext,
  rows: readonly BulkRow[],
  field: string,
  noun: string,
): void {
  const { title, bulkRows } = planOf(context);
  if (rows.length < bulkRows) return;
  if (bulkRows === limits.bulk.rows) throw invalid(field, `can have at most ${bulkRows} ${noun}`);
  throw new ServiceError(
    "plan_limit",
    `Your ${title} plan allows ${bulkRows} rows a bulk job. Split the file, or upgrade.`,
    { status: 403 },
  );
}

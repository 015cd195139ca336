import { limits } from "../../contract/limits.ts";
import type { CodeSelection, PrintOptions } from "../../contract/resources/images/prints.ts";
import { labelsOn } from "../../lib/print/sheets.ts";
import type { PrintedDocument } from "../../protocol/images.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { composeLabels, type ReplacedLabel, requireFewLabels, sheetOf } from "./labels.ts";
import { countCodes, selectCodes, selectFirst } from "./selection.ts";

/** A print before it is made. */
export interface PrintPreview {
  /** Its pages; of a print that takes a job, the first one. */
  readonly document: PrintedDocument;
  /** The labels on these pages with signs for characters that the font lacks. */
  readonly replaced: readonly ReplacedLabel[];
  /** Whether `document` has all pages. */
  readonly isWhole: boolean;
  readonly labels: number;
  readonly sheets: number;
}

/** Looks at a print. @throws as printLabels; of a print that takes a job, for the codes of its first page */
export async function previewLabels(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  options: PrintOptions,
): Promise<PrintPreview> {
  const { start, copies } = options;
  const count = await countCodes(deps, context, selection);
  const perSheet = labelsOn(sheetOf(options));
  const most = { codes: limits.print.codes, in: "a print", remedy: "Start a job." };
  if (count > most.codes) requireFewLabels(count, options, limits.printJob.labels);
  const rows =
    count > most.codes
      ? await selectFirst(deps, context, selection, Math.min(most.codes, Math.ceil(perSheet / copies)))
      : await selectCodes(deps, context, selection, most);
  const { document, replaced } = await composeLabels(deps, context, rows, options);
  const labels = count * copies;
  return {
    document,
    replaced,
    isWhole: rows.length === count,
    labels,
    sheets: Math.ceil((start - 1 + labels) / perSheet),
  };
}

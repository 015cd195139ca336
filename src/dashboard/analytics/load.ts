import {
  type Analytics,
  AnalyticsQuery,
  type Dimension,
  WorkspaceAnalyticsQuery,
} from "../../contract/resources/scans/analytics.ts";
import type { Dates } from "../../domain/analytics/ranges.ts";
import { codeReport, unlabelledReport } from "../../domain/analytics/reports.ts";
import { invalid, ServiceError } from "../../domain/errors.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { formSentence } from "../../ui/forms/form.ts";
import { missingText } from "../../ui/missing.tsx";
import { itemFor, textToFind } from "../choices/choices.ts";
import { findLabels, folderSource } from "../choices/sources.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type ReportView, readView, reportQuery } from "./view.ts";

/** The report that a page asked for; or the problem of its address, as words that begin with the field. */
export type Loaded = {
  readonly view: ReportView;
  /** As in `calendar.ts`, in the time zone of the report. */
  readonly today: number;
  /** IANA name. */
  readonly timeZone: string;
} & (
  | { readonly report: Analytics; readonly problem?: undefined; readonly isMissing?: undefined }
  | {
      readonly report: null;
      readonly problem: string;
      /** The ledger doesn't respond; the request is fine. */
      readonly isMissing?: true;
    }
);

/** Loads the report on an existing code, for the view in the page's address. */
export function loadCodeReport(
  request: DashboardRequest,
  id: string,
  dimensions: readonly Dimension[],
): Promise<Loaded> {
  const { deps, context } = request;
  return load(request, readView(request.query), dimensions, (query, compare) =>
    codeReport(deps, context, id, { ...parse(AnalyticsQuery, query), compare }),
  );
}

/** Loads the report on the workspace, a tag or a folder, for the view in the page's address. */
export async function loadWorkspaceReport(
  request: DashboardRequest,
  dimensions: readonly Dimension[],
): Promise<Loaded> {
  const { deps, context, query } = request;
  const text = textToFind(folderSource, query);
  const found = text === "" ? undefined : await itemFor(folderSource, request, text);
  const asked = readView(query);
  const view = found !== undefined && "item" in found ? { ...asked, folderId: found.item.id } : asked;
  return load(request, view, dimensions, async (given, compare) => {
    if (found !== undefined && "problem" in found) throw invalid(folderSource.findField, found.problem);
    return unlabelledReport(deps, context, { ...parse(WorkspaceAnalyticsQuery, given), compare });
  });
}

type Schema<Query> = {
  safeParse(
    query: object,
  ):
    | { success: true; data: Query }
    | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
};

/** @throws invalid_input */
function parse<Query>(schema: Schema<Query>, query: object): Query {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(String(issue?.path[0]), issue?.message ?? "isn't valid");
}

async function load(
  request: DashboardRequest,
  view: ReportView,
  dimensions: readonly Dimension[],
  read: (query: object, compare: Dates | undefined) => Promise<Analytics>,
): Promise<Loaded> {
  const timeZone = await request.timeZone();
  const today = zoneOf(timeZone).dayOf(request.deps.now());
  const shown = { view, today, timeZone };
  const { query, compare } = reportQuery(view, today, dimensions);
  try {
    const report = await ifAvailable(request.deps, () => read(query, compare));
    return report === null
      ? { ...shown, report, problem: missingText("The figures"), isMissing: true }
      : { ...shown, report };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.invalid === undefined) throw error;
    return { ...shown, report: null, problem: describeProblem(error.invalid) };
  }
}

/** Returns the day a code or workspace was created, as in `calendar.ts`. */
export const createdDay = (id: string, timeZone: string): number => zoneOf(timeZone).dayOf(timeOfId(id));

/** The fields of a report, as labelled in its form. */
const fields: Readonly<Record<string, string>> = {
  from: "First day",
  to: "Last day",
  interval: "Interval",
  tag: "Tag",
  folderId: "Folder",
  ...findLabels,
  name: "Name",
  range: "Ranges",
  until: "Expires",
};

/** Describes the problem of a field in the words of its form. */
export const describeProblem = ({ field, problem }: { field: string; problem: string }): string =>
  formSentence(fields[field] ?? field, problem);

import { limits } from "../../contract/limits.ts";
import { exportTypes } from "../../contract/resources/enums.ts";
import {
  type Page,
  type Submission,
  SubmissionExportQuery,
  SubmissionListQuery,
} from "../../contract/resources/pages.ts";
import { getPage } from "../../domain/pages/pages.ts";
import {
  countSubmissions,
  exportSubmissions,
  getSubmission,
  listSubmissions,
  submissionFields,
} from "../../domain/pages/submission-list.ts";
import { streamOf } from "../../lib/web/stream-of.ts";
import { Empty } from "../../ui/empty.tsx";
import { fieldSentence } from "../../ui/forms/form.ts";
import { Search } from "../../ui/forms/search.tsx";
import { Head } from "../../ui/head.tsx";
import { Pages } from "../../ui/pages.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatCount, formatInstant, formatTime } from "../../ui/values/format.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { submitForm } from "../frame/submit-form.ts";
import { ClosedFormNotice } from "./show.tsx";

/**
 * The submissions of a page, which may be deleted, newest first. Search and page are in the address. @throws not_found
 */
export async function submissionTable(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const page = await getPage(deps, context, request.param("id"), "shown");
  const q = query.get("q") ?? "";
  const cursor = query.get("cursor") ?? undefined;
  const [names, [total = 0], timeZone, outcome] = await Promise.all([
    submissionFields(deps, context, page.id),
    countSubmissions(deps, context, [page.id]),
    request.timeZone(),
    submitForm(SubmissionListQuery, { q, cursor }, (input) => listSubmissions(deps, context, page.id, input)),
  ]);
  const path = addressOf(page);
  const title = `Submissions of ${page.title}`;
  const search = q === "" ? "" : `?q=${encodeURIComponent(q)}`;
  const problem = "rejection" in outcome ? Object.values(outcome.rejection.problems)[0] : undefined;
  const { items, nextCursor } =
    "done" in outcome ? outcome.done : { items: [] as Submission[], nextCursor: null };
  return {
    title: problem === undefined ? title : `Problem: ${title}`,
    status: problem === undefined ? 200 : 400,
    content: (
      <>
        <Head title={title} back={{ path: `/dashboard/pages/${page.id}`, name: page.title }}>
          {total > 0 && <Downloads path={path} search={search} />}
        </Head>
        {page.formClosed && <ClosedFormNotice id={page.id} />}
        {total > 0 && (
          <>
            <Search path={path} label="Search answers" value={q} maxLength={limits.submission.line} />
            {problem !== undefined && <p class="problem">{fieldSentence("The search", problem)}</p>}
            <p class="small quiet">{formatCount(total, "submission")} in total</p>
          </>
        )}
        {items.length > 0 ? (
          <SubmissionTable page={page} names={names} items={items} timeZone={timeZone} q={q} />
        ) : (
          problem === undefined && <None page={page} q={q} hasMore={nextCursor !== null} total={total} />
        )}
        <Pages address={`${path}${search}`} isFirst={cursor === undefined} nextCursor={nextCursor} />
      </>
    ),
  };
}

const addressOf = ({ id }: Page): string => `/dashboard/pages/${id}/submissions`;

function Downloads({ path, search }: { path: string; search: string }) {
  const address = (format: string) => `${path}/export${search === "" ? "?" : `${search}&`}format=${format}`;
  return (
    <>
      <a class="button" href={address("csv")} download="">
        Export CSV
      </a>
      <a class="button" href={address("ndjson")} download="">
        Export NDJSON
      </a>
    </>
  );
}

interface TableProps {
  readonly page: Page;
  readonly names: readonly string[];
  readonly items: readonly Submission[];
  readonly timeZone: string;
  readonly q: string;
}

/** How many answers per submission the table shows beside each other. On phones, it shows all below each other. */
const shownAnswers = 6;

/** How many characters of an answer the table shows. The submission's own page shows all. */
const shownCharacters = 200;

/** The form selects submissions; the next page asks for confirmation before they are erased. */
function SubmissionTable({ page, names, items, timeZone, q }: TableProps) {
  const path = addressOf(page);
  const labels = labelsOf(page, names);
  const hidden = labels.length - shownAnswers;
  return (
    <form action={`${path}/erase`} method="get">
      <Table
        kind="submissions"
        rows={items}
        columns={[
          {
            head: `Time (${timeZone})`,
            cell: ({ id, submittedAt }) => {
              const time = formatInstant(submittedAt, timeZone);
              return (
                <div>
                  <label class="option">
                    <input type="checkbox" name="id" value={id} />
                    <span class="visually-hidden">Select submission of {time}</span>
                  </label>
                  <a class="time" href={`${path}/${id}`}>
                    {time}
                  </a>
                </div>
              );
            },
          },
          ...labels.map(
            ([name, label], i): Column<Submission> => ({
              head: label,
              name: label,
              priority: i < 3 ? undefined : i < 4 ? 2 : 3,
              ...(i >= shownAnswers && { kind: "on-phones" }),
              cell: ({ fields }) => <div class="answer">{startOf(answerOf(fields[name]))}</div>,
            }),
          ),
        ]}
      />
      {hidden > 0 && (
        <p class="small quiet under-table hidden-on-phones">
          {formatCount(hidden, "more answer")} on the page of each submission.
        </p>
      )}
      <div class="buttons below">
        <button class="button" type="submit">
          Erase selected
        </button>
        <a
          class="button danger"
          href={`${path}/erase?all=on${q === "" ? "" : `&q=${encodeURIComponent(q)}`}`}
        >
          {q === "" ? "Erase all" : "Erase all results"}
        </a>
      </div>
    </form>
  );
}

/** Returns the columns' labels, by field name. Former fields no longer have a label. */
function labelsOf({ form }: Page, names: readonly string[]): (readonly [name: string, label: string])[] {
  const labels = new Map(form?.fields.map(({ name, label }) => [name, label]));
  return names.map((name) => [name, labels.get(name) ?? `${name} (former field)`]);
}

/** Shortens an answer to what the table shows of it. */
const startOf = (answer: string): string =>
  answer.length > shownCharacters ? `${answer.slice(0, shownCharacters).toWellFormed()}…` : answer;

/** Formats an answer. */
function answerOf(answer: string | boolean | undefined): string {
  if (answer === undefined) return "–";
  if (typeof answer === "string") return answer;
  return answer ? "Yes" : "No";
}

interface NoneProps {
  readonly page: Page;
  readonly q: string;
  /** Whether there are more submissions to search. */
  readonly hasMore: boolean;
  readonly total: number;
}

function None({ page, q, hasMore, total }: NoneProps) {
  if (hasMore) return <Empty title="No results so far" text="Search older submissions on the next page." />;
  if (total > 0) {
    return q === "" ? (
      <Empty title="No more submissions" text="The newest are on the first page." />
    ) : (
      <Empty title="No results" text="Try a shorter text, or clear the search." />
    );
  }
  if (page.form === null) {
    return (
      <Empty title="This page has no form" text="Add fields in the editor to collect answers.">
        <a class="button primary" href={`/dashboard/pages/${page.id}/edit`}>
          Add form
        </a>
      </Empty>
    );
  }
  return (
    <Empty title="No submissions yet" text="Open the page and fill in its form: answers show up here.">
      <a class="button" href={page.url}>
        Open page
      </a>
    </Empty>
  );
}

/** A submission in full. @throws not_found */
export async function showSubmission(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, param } = request;
  const page = await getPage(deps, context, param("id"), "shown");
  const [{ id, submittedAt, fields }, timeZone] = await Promise.all([
    getSubmission(deps, context, page.id, param("submission")),
    request.timeZone(),
  ]);
  const title = `Submission of ${formatTime(submittedAt, timeZone)}`;
  const path = addressOf(page);
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path, name: `Submissions of ${page.title}` }}>
          <a class="button danger" href={`${path}/erase?id=${id}`}>
            Erase
          </a>
        </Head>
        <section class="card">
          <Facts
            items={labelsOf(page, [
              ...new Set([...(page.form?.fields.map(({ name }) => name) ?? []), ...Object.keys(fields)]),
            ]).map(([name, label]) => [label, answerOf(fields[name])])}
          />
        </section>
      </>
    ),
  };
}

/** Returns the submissions as a file. @throws not_found, invalid_input */
export async function submissionFile({ deps, context, param, query }: DashboardRequest): Promise<Response> {
  const read = SubmissionExportQuery.parse({
    format: query.get("format") === "ndjson" ? "ndjson" : "csv",
    q: query.get("q")?.slice(0, limits.submission.line) ?? undefined,
  });
  const lines = await exportSubmissions(deps, context, param("id"), read);
  return new Response(streamOf(lines, deps), {
    headers: {
      "content-type": exportTypes[read.format],
      "content-disposition": `attachment; filename="submissions.${read.format}"`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });
}

import type {
  Answers,
  Form,
  FormField,
  SubmissionList,
  SubmissionListQuery,
} from "../../contract/resources/pages.ts";
import type { PageRoute } from "../../protocol/routes.ts";
import type { ExportFormat } from "../../contract/resources/enums.ts";
import { limits } from "../../contract/limits.ts";
import { email, manyLines, oneLine } from "../../contract/resources/text.ts";
import type { Deps } from "../deps.ts";
import { hex, hmac, hmacKey } from "../../lib/crypto/crypto.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { newId } from "../../lib/text/ids.ts";
import { networkOf } from "../../lib/web/network.ts";
import type { Owner } from "../identity/caller.ts";
import { notFound } from "../errors.ts";
import { requirePage } from "./pages.ts";
import { pageOf, startOf, streamPageSize } from "../paging.ts";
import { enqueueDeliveries } from "../webhooks/enqueue.ts";

/** Who sent a form. */
export interface Sender {
  readonly address: string;
  readonly userAgent: string;
  /** ISO 3166-1 alpha-2, if the edge knows: phones may be written as they are dialled there. */
  readonly country: string | undefined;
}

/** What was entered, by the fields' names, and what tells this filling-in from the next; empty where nothing does. */
export interface Entries {
  readonly values: URLSearchParams;
  readonly token: string;
}

/** What is wrong with what was entered, by the field's name, in words that follow "This". */
export type Problems = Readonly<Record<string, string>>;

/**
 * Stores what a person sent with a page's form, and tells of it, once: the same answers on the same form, posted
 * twice, are one submission.
 * @returns the problems when something can't be accepted, `limited` for an address that sends too much
 */
export async function submit(
  deps: Deps,
  { pageId, workspaceId }: PageRoute,
  form: Form,
  { values, token }: Entries,
  sender: Sender,
): Promise<"stored" | "limited" | Problems> {
  const { success } = await deps.submissionLimit.limit({ key: networkOf(sender.address) });
  if (!success) return "limited";
  const { fields, problems } = await readAnswers(form.fields, values, sender.country);
  if (Object.keys(problems).length > 0) return problems;
  const now = deps.now();
  const filling = token || `${sender.address}\n${sender.userAgent}`;
  const key = await hmacKey(deps.visitorSecret);
  const fingerprint = hex(await hmac(key, JSON.stringify([filling, fields]))).slice(0, 32);
  const due = await deps.ledger(workspaceId).submit({ id: newId(now), pageId, fingerprint, fields }, now);
  await enqueueDeliveries(deps, workspaceId, due);
  return "stored";
}

async function readAnswers(
  fields: readonly FormField[],
  values: URLSearchParams,
  country: string | undefined,
): Promise<{ fields: Answers; problems: Problems }> {
  const read = await Promise.all(
    fields.map(async (field) => [field.name, await readAnswer(field, values, country)] as const),
  );
  return {
    fields: Object.fromEntries(
      read.flatMap(([name, { answer }]) => (answer === undefined ? [] : [[name, answer]])),
    ),
    problems: Object.fromEntries(
      read.flatMap(([name, { problem }]) => (problem === undefined ? [] : [[name, problem]])),
    ),
  };
}

interface Read {
  readonly answer?: string | boolean;
  readonly problem?: string;
}

async function readAnswer(
  field: FormField,
  values: URLSearchParams,
  country: string | undefined,
): Promise<Read> {
  if (field.type === "checkbox") {
    const ticked = values.has(field.name);
    return field.required && !ticked ? { problem: "must be ticked" } : { answer: ticked };
  }
  const entered = values.get(field.name)?.trim() ?? "";
  if (entered === "") return field.required ? { problem: "must be filled in" } : {};
  const { line, text } = limits.submission;
  switch (field.type) {
    case "text":
      return parse(field.multiline ? manyLines(text) : oneLine(line), entered);
    case "email":
      return parse(email, entered);
    case "choice":
      return field.options.includes(entered)
        ? { answer: entered }
        : { problem: "must be one of the options" };
    case "phone": {
      const { readPhone } = await import("../../lib/text/phone.ts");
      const read = readPhone(entered, country);
      return read.ok ? { answer: read.e164 } : { problem: read.problem };
    }
  }
}

function parse(schema: ReturnType<typeof oneLine> | ReturnType<typeof manyLines>, entered: string): Read {
  const parsed = schema.safeParse(entered);
  return parsed.success
    ? { answer: parsed.data }
    : { problem: parsed.error.issues[0]?.message ?? "is not valid" };
}

/** What was sent with a page's form, newest first; of a deleted page too. @throws not_found, invalid_input */
export async function listSubmissions(
  deps: Deps,
  owner: Owner,
  pageId: string,
  { cursor, limit }: SubmissionListQuery,
): Promise<SubmissionList> {
  const list = { pageId };
  const after = startOf(cursor, list);
  await requirePage(deps, owner, pageId, "shown");
  const rows = await deps.ledger(owner.workspaceId).listSubmissions(pageId, "newest", after, limit + 1);
  return pageOf(rows, limit, list);
}

/** Forgets what one person sent. @throws not_found */
export async function deleteSubmission(
  deps: Deps,
  owner: Owner,
  pageId: string,
  id: string,
): Promise<{ success: true }> {
  await requirePage(deps, owner, pageId, "shown");
  if (!(await deps.ledger(owner.workspaceId).deleteSubmission(pageId, id))) throw notFound("Submission");
  return { success: true };
}

/**
 * A page's submissions as lines, oldest first, page by page. In CSV a column for each field of the form, and then for
 * each that it once had.
 * @throws not_found
 */
export async function exportSubmissions(
  deps: Deps,
  owner: Owner,
  pageId: string,
  format: ExportFormat,
): Promise<AsyncIterable<string>> {
  const { content } = await requirePage(deps, owner, pageId, "shown");
  const ledger = deps.ledger(owner.workspaceId);
  const current = content.form?.fields.map(({ name }) => name) ?? [];
  const names = [...new Set([...current, ...(await ledger.submissionFields(pageId))])];
  const pages = submissionPages(ledger, pageId);
  return format === "csv" ? csvLines(pages, names) : ndjsonLines(pages);
}

type Pages = AsyncIterable<SubmissionList["items"]>;

async function* csvLines(pages: Pages, names: readonly string[]) {
  yield csvRow(["id", "submittedAt", ...names]);
  for await (const page of pages) {
    const rows = page.map(({ id, submittedAt, fields }) =>
      csvRow([id, submittedAt, ...names.map((name) => fields[name]?.toString() ?? null)]),
    );
    yield rows.join("");
  }
}

async function* ndjsonLines(pages: Pages) {
  for await (const page of pages) {
    yield page.map((submission) => `${JSON.stringify(submission)}\n`).join("");
  }
}

async function* submissionPages(ledger: ReturnType<Deps["ledger"]>, pageId: string) {
  for (let after: string | null = null; ; ) {
    const page: SubmissionList["items"] = await ledger.listSubmissions(
      pageId,
      "oldest",
      after,
      streamPageSize,
    );
    yield page;
    if (page.length < streamPageSize) return;
    after = page.at(-1)?.id ?? after;
  }
}

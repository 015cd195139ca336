import type { Child, PropsWithChildren } from "hono/jsx";
import type * as z from "zod";
import { limits } from "../../contract/limits.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import type { CodeSelection } from "../../contract/resources/images/prints.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { Idempotency } from "../../domain/idempotency.ts";
import { countCodes, someUnreadable } from "../../domain/print/selection.ts";
import { attachment } from "../../lib/text/file-name.ts";
import { Empty } from "../../ui/empty.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount, formatNumber } from "../../ui/values/format.ts";
import { CodeStrip } from "../bulk/strip.tsx";
import { onceFor } from "../frame/once.ts";
import { adviceOn } from "../frame/refusals.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Outcome, type Rejection, submitForm } from "../frame/submit-form.ts";
import { entriesOf, type Printed, readPrinted } from "./read-form.ts";

/** The codes of a page with their number. */
export interface Amount {
  readonly count: number;
  /** Whether there are so many that a job prepares them. */
  readonly isJob: boolean;
  /** Whether this service can make files of so many. */
  readonly isPossible: boolean;
}

export async function amountOf(
  { deps, context }: DashboardRequest,
  selection: CodeSelection,
): Promise<Amount> {
  const count = await countCodes(deps, context, selection);
  const isJob = count > limits.print.codes;
  return { count, isJob, isPossible: !isJob || deps.files !== undefined };
}

/** As submitForm. Too many jobs or downloads at a time are a problem of the form too, which keeps its input. */
export async function submitPrint<S extends z.ZodType, T>(
  schema: S,
  input: unknown,
  verb: (checked: z.output<S>) => Promise<T>,
): Promise<Outcome<T>> {
  try {
    return await submitForm(schema, input, verb);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "rate_limited") throw error;
    return { rejection: { problems: { "": adviceOn(error) }, status: 429 } };
  }
}

/** The field with the number of codes that a form showed. */
const matchedField = "matched";

/** The field of a form whose sender was warned that phones can't read some of its codes. */
const warnedField = "unreadable";

/** Returns whether to ask before printing, because phones can't read some of the codes and its sender was not warned. */
const mustAsk = async (
  { deps, context, form }: DashboardRequest,
  selection: CodeSelection,
): Promise<boolean> => !form.has(warnedField) && (await someUnreadable(deps, context, selection));

/** The result of a form that was sent: why there is no file, or that it asks before it makes one. */
export interface Sent {
  readonly rejection?: Rejection;
  readonly isAsking?: boolean;
}

interface Files<S extends z.ZodType> {
  readonly schema: S;
  readonly read: (entries: URLSearchParams) => unknown;
  /** Makes the file of a few codes. */
  readonly make: (selection: CodeSelection, options: z.output<S>) => Promise<Response>;
  /** Starts the job that makes it. */
  readonly start: (
    selection: CodeSelection,
    options: z.output<S>,
    once: Idempotency | undefined,
  ) => Promise<{ readonly jobId: string }>;
  readonly show: (request: DashboardRequest, printed: Printed, sent?: Sent) => Promise<PageResponse>;
}

/** A form that leads to the page, or its own: the button `file` asks for the file, or the job that makes it. */
export async function submitDesk<S extends z.ZodType>(
  request: DashboardRequest,
  { schema, read, make, start, show }: Files<S>,
): Promise<DashboardResponse> {
  const printed = await readPrinted(request);
  const { selection } = printed;
  if (selection === null || !request.form.has("file")) return show(request, printed);
  if (await mustAsk(request, selection)) return show(request, printed, { isAsking: true });
  const { count, isJob } = await amountOf(request, selection);
  const matched = request.form.get(matchedField);
  if (selection.filter !== undefined && matched !== null && Number(matched) !== count) {
    const then = formatNumber(Number(matched));
    const since = `The search finds ${formatCount(count, "code")} now. There were ${then} when you opened the page. Check them, and try again.`;
    return show(request, printed, { rejection: { problems: { "": since }, status: 400 } });
  }
  const outcome = await submitPrint(schema, read(entriesOf(request)), async (options) => {
    if (!isJob) return make(selection, options);
    const { jobId } = await start(selection, options, await onceFor(request));
    return { seeOther: `/dashboard/prints/${jobId}` };
  });
  return "done" in outcome ? outcome.done : show(request, printed, outcome);
}

interface DeskProps extends Pick<Printed, "fields"> {
  /** The form's own address. */
  readonly path: string;
  readonly form: FormState;
  readonly labels: Readonly<Record<string, string>>;
  readonly amount: Amount;
  /** The first codes. */
  readonly codes: readonly Qr[];
  readonly isAsking: boolean;
  readonly preview: Child;
  readonly icon: IconName;
  /** The texts of the button: for a file, for a job. */
  readonly submit: readonly [file: string, job: string];
  /** The button's text if phones can't read some of the codes. */
  readonly anyway: string;
}

/** The form of a file: its options, and beside them the preview with the button. */
export function Desk({
  path,
  form,
  labels,
  amount,
  codes,
  fields,
  isAsking,
  ...props
}: PropsWithChildren<DeskProps>) {
  const { count, isJob, isPossible } = amount;
  const { preview, icon, submit, anyway, children } = props;
  return (
    <PostForm class="beside-preview print-desk" action={path} hx-boost="false" novalidate data-draft="none">
      <HiddenFields
        values={[...fields, ["key", crypto.randomUUID()], [matchedField, String(count)]] as const}
      />
      <div>
        {isAsking && <UnreadableNotice count={count} />}
        <Problems form={form} labels={labels} />
        <CodeStrip codes={codes} count={count} />
        {children}
      </div>
      <div class="preview-bar">
        {preview}
        <div class="preview-buttons">
          {isPossible && (
            <button class="button primary" type="submit" name="file" value="yes">
              <Icon name={icon} />
              {isAsking ? anyway : submit[isJob ? 1 : 0]}
            </button>
          )}
        </div>
        {isJob && <JobHint count={count} isPossible={isPossible} />}
      </div>
    </PostForm>
  );
}

/** Asks, above the fields of a form, whether to print codes that phones can't read. Its buttons then print them. */
const UnreadableNotice = ({ count }: Pick<Amount, "count">) => (
  <Notice kind="warn" role="status">
    <p>
      {count === 1
        ? "Phones can't read the design of this code reliably."
        : "Phones can't read the design of some of these codes reliably. The list of codes marks them."}{" "}
      Print anyway, or change the design first.
    </p>
    <HiddenFields values={[[warnedField, "on"]]} />
  </Notice>
);

/** Explains what happens next, or why the button of a job is missing. */
const JobHint = ({ count, isPossible }: Omit<Amount, "isJob">) =>
  isPossible ? (
    <p class="small quiet">
      Preparing {formatCount(count, "code")} takes a moment. The next page shows the progress, and then the
      download.
    </p>
  ) : (
    <Notice kind="info">
      <p>
        You selected {formatCount(count, "code")}. More than {limits.print.codes} at once need file storage
        (R2), which isn't set up here. Select fewer codes.
      </p>
    </Notice>
  );

export const fileResponse = (filename: string, mediaType: string, body: BodyInit): Response =>
  new Response(body, {
    headers: {
      "content-type": mediaType,
      "content-disposition": attachment(filename),
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    },
  });

export const nothingSelected = (title: string, back: Printed["back"]): PageResponse => ({
  title,
  content: (
    <>
      <Head title={title} back={back} />
      <Empty title="No codes selected" text="Select the codes in the list.">
        <a class="button primary" href="/dashboard/codes">
          Back to codes
        </a>
      </Empty>
    </>
  ),
});

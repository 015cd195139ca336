import type * as z from "zod";
import { limits } from "../../contract/limits.ts";
import type { CodeSelection } from "../../contract/resources/images/prints.ts";
import { ServiceError } from "../../domain/errors.ts";
import { countCodes, someUnreadable } from "../../domain/print/selection.ts";
import { attachment } from "../../lib/text/file-name.ts";
import { Empty } from "../../ui/empty.tsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Head } from "../../ui/head.tsx";
import { formatCount } from "../../ui/values/format.ts";
import { adviceOn } from "../frame/refusals.tsx";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { type Outcome, submitForm } from "../frame/submit-form.ts";
import type { Printed } from "./read-form.ts";

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

/** The fields that identify a form's codes and prevent it from being submitted twice. */
export const SelectionFields = ({ fields }: Pick<Printed, "fields">) => (
  <HiddenFields values={[...fields, ["key", crypto.randomUUID()] as const]} />
);

/** The field of a form whose sender was warned that phones can't read some of its codes. */
const warnedField = "unreadable";

/** Returns whether to ask before printing, because phones can't read some of the codes and its sender was not warned. */
export const mustAsk = async (
  { deps, context, form }: DashboardRequest,
  selection: CodeSelection,
): Promise<boolean> => !form.has(warnedField) && (await someUnreadable(deps, context, selection));

/** Asks, above the fields of a form, whether to print codes that phones can't read. Its buttons then print them. */
export const UnreadableNotice = ({ count }: Pick<Amount, "count">) => (
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
export const JobHint = ({ count, isPossible }: Omit<Amount, "isJob">) =>
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

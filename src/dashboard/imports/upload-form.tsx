import { FormButtons } from "../components/forms/buttons.tsx";
import { type PlanLimits, plans } from "../../contract/plans.ts";
import { controlAttributes, Field, Select } from "../components/forms/field.tsx";
import type { FormState } from "../components/forms/form.ts";
import { formatNumber } from "../components/values/format.ts";
import { Problems } from "../components/forms/problems.tsx";
import type { DashboardRequest } from "../frame/request.ts";

const uploadLabels = { text: "Table or addresses", file: "CSV file" } as const;

/** The encodings of a file that can be chosen: a browser does not state it. */
const charsets = {
  "": "Unicode (UTF-8 or UTF-16)",
  "windows-1252": "Western European (Windows-1252)",
} as const;

/** The encoding of the form's file. */
export const readCharset = (form: URLSearchParams): string | undefined =>
  Object.keys(charsets).find((charset) => charset !== "" && charset === form.get("charset"));

/** The form for a table: pasted or as a file, one of which is required. */
export function UploadForm({ request, form }: { request: DashboardRequest; form: FormState }) {
  const text = {
    form,
    name: "text",
    label: uploadLabels.text,
    hint: "Paste cells from a spreadsheet, CSV, or addresses, one a line.",
  };
  const file = {
    form,
    name: "file",
    label: uploadLabels.file,
    hint: "Instead of pasting, choose a file or drag it here. Save a spreadsheet as “CSV UTF-8”.",
  };
  return (
    <form
      class="card"
      method="post"
      action="/dashboard/codes/import"
      enctype="multipart/form-data"
      novalidate
    >
      <Problems form={form} labels={uploadLabels} />
      <p>
        A code is created for each row. Only its destination is required; a name, tags, a folder and more can
        have columns of their own. You see what each row becomes before anything is created.
      </p>
      <PlanBounds request={request} />
      <input type="hidden" name="step" value="read" />
      <Field
        {...text}
        required
        control={
          <textarea class="entry" rows={8} {...controlAttributes(text)}>
            {`\n${form.values.get("text") ?? ""}`}
          </textarea>
        }
      />
      <Field
        {...file}
        required
        control={
          <input
            class="entry file"
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            {...controlAttributes(file)}
          />
        }
      />
      <Select
        form={form}
        name="charset"
        label="Encoding of the file"
        hint="Excel for Windows saves a plain “CSV” in Windows-1252."
        choices={Object.entries(charsets)}
      />
      <FormButtons submit="Continue" back="/dashboard/codes" />
    </form>
  );
}

/** How many codes the workspace can still have; null for no limit. And how many of them it can create today. */
export function remainingCodes({ user }: DashboardRequest): {
  readonly live: number | null;
  readonly today: number;
} {
  const { liveCodes: cap, creationsPerDay }: PlanLimits = plans[user.member.plan];
  const live = cap === null ? null : Math.max(0, cap - user.liveCodes);
  const today = Math.max(0, creationsPerDay - user.creationsToday);
  return { live, today: Math.min(live ?? today, today) };
}

/** How much of a table the plan allows. */
export function PlanBounds({ request }: { request: DashboardRequest }) {
  const { title, bulkRows } = plans[request.context.plan];
  const { live } = remainingCodes(request);
  return (
    <p class="quiet">
      Your {title} plan allows {formatNumber(bulkRows)} rows an import
      {live === null ? "" : `, and ${formatNumber(live)} more codes`}.
    </p>
  );
}

import { type PlanLimits, plans } from "../../contract/plans.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { Dropzone } from "../../ui/forms/dropzone.tsx";
import { controlAttributes, Field, Select } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { formatNumber } from "../../ui/values/format.ts";
import type { DashboardRequest } from "../frame/request.ts";

const uploadLabels = { text: "Or paste a table", file: "Drop a file here or choose one" } as const;

/** The encodings of a file that can be chosen: a browser does not state it. */
const charsets = {
  "": "Unicode (UTF-8 or UTF-16)",
  "windows-1252": "Western European (Windows-1252)",
} as const;

/** The encoding of the form's file. */
export const readCharset = (form: URLSearchParams): string | undefined =>
  Object.keys(charsets).find((charset) => charset !== "" && charset === form.get("charset"));

/** The form for a table: as a file or pasted, one of which is required. */
export function UploadForm({ request, form }: { request: DashboardRequest; form: FormState }) {
  const text = {
    form,
    name: "text",
    label: uploadLabels.text,
    hint: "Cells from a spreadsheet, CSV, or one address per line.",
  };
  return (
    // Sent by the browser itself, which sends it again when the check is reloaded.
    <PostForm
      class="upload"
      action="/dashboard/codes/import"
      enctype="multipart/form-data"
      novalidate
      hx-boost="false"
    >
      <Problems form={form} labels={uploadLabels} />
      <p class="quiet">
        Each row becomes a code. Only a destination is required. Add columns for name, tags, folder and more.
        Nothing is created until you've checked it.
      </p>
      <input type="hidden" name="step" value="read" />
      <Dropzone
        form={form}
        name="file"
        label={uploadLabels.file}
        hint="CSV or tab-separated text. In Excel, save as CSV UTF-8."
        accept=".csv,.tsv,.txt,text/csv,text/plain"
      />
      <details class="more">
        <summary>
          Encoding <span class="quiet">Unicode, or Western European</span>
        </summary>
        <div>
          <Select
            form={form}
            name="charset"
            label="Encoding of the file"
            required
            hint="Excel for Windows saves plain “CSV” in Windows-1252."
            choices={Object.entries(charsets)}
          />
        </div>
      </details>
      <Field
        {...text}
        required
        control={
          <textarea class="entry address" rows={6} {...controlAttributes(text)}>
            {`\n${form.values.get("text") ?? ""}`}
          </textarea>
        }
      />
      <PlanBounds request={request} />
      <FormButtons submit="Check rows" back="/dashboard/codes" />
    </PostForm>
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
      Up to {formatNumber(bulkRows)} rows per import on your {title} plan
      {live === null ? "" : `, and ${formatNumber(live)} more codes`}.
    </p>
  );
}

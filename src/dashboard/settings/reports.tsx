import type { ReportingSettings } from "../../contract/resources/scans/analytics.ts";
import { changeReporting, getReporting } from "../../domain/analytics/settings.ts";
import { ServiceError } from "../../domain/errors.ts";
import { Choices } from "../../ui/forms/choices.tsx";
import { Combobox } from "../../ui/forms/combobox.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { SettingsPage, settingsPath } from "../frame/settings-page.tsx";

const path = `${settingsPath}/reports`;

/** How long scans are kept, by the value of the choice. */
const retentions = [
  ["", "Forever"],
  ["365", "365 days"],
  ["90", "90 days"],
  ["30", "30 days"],
] as const;

/** The settings of the reports' time zone and of how long scans are kept. */
export async function reportSettings(request: DashboardRequest): Promise<PageResponse> {
  return show(request, await getReporting(request.deps, request.context));
}

/** Saves both settings; shows the form with its entries again if that fails. */
export async function saveReportSettings(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const timeZone = form.get("timeZone")?.trim() ?? "";
  try {
    const keepScansDays = readRetention(form.get("keepScansDays"));
    await changeReporting(deps, context, { timeZone, keepScansDays });
    return { seeOther: path, flash: "settings" };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.invalid === undefined) throw error;
    const settings = await getReporting(deps, context);
    return { ...show(request, { ...settings, timeZone }, error.invalid.problem), status: 400 };
  }
}

/** Returns undefined, which changes nothing, for an unknown value. */
function readRetention(value: string | null): ReportingSettings["keepScansDays"] | undefined {
  switch (value) {
    case "30":
      return 30;
    case "90":
      return 90;
    case "365":
      return 365;
    case "":
      return null;
    default:
      return undefined;
  }
}

const title = "Time zone and retention";
const labels = { timeZone: "Time zone" } as const;

/** @param problem of the time zone */
function show(request: DashboardRequest, settings: ReportingSettings, problem?: string): PageResponse {
  const { timeZone, keepScansDays, rebuilding } = settings;
  const chosen = rebuilding?.timeZone ?? timeZone;
  const form: FormState = {
    values: new URLSearchParams({ timeZone: chosen, keepScansDays: String(keepScansDays ?? "") }),
    problems: problem === undefined ? {} : { timeZone: problem },
  };
  return {
    title,
    content: (
      <SettingsPage request={request} title={title}>
        <PostForm class="card">
          <Problems form={form} labels={labels} />
          <Combobox
            form={form}
            name="timeZone"
            label={labels.timeZone}
            hint="Applies to the days and hours of all reports, for every member of the workspace."
            required
            choices={[...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), chosen])].map((zone) => [
              zone,
              zone.replaceAll("_", " "),
            ])}
          />
          <Choices
            form={form}
            type="radio"
            name="keepScansDays"
            label="Keep scans"
            hint="Older scans are permanently removed from the scan log and its export. Reports keep their numbers."
            choices={retentions.map(([value, text]) => ({ value, text }))}
          />
          <button class="button primary" type="submit">
            Save changes
          </button>
        </PostForm>
      </SettingsPage>
    ),
  };
}

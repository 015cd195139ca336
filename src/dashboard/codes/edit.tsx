import { QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import { getVersionedQr, updateQr, type VersionedQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { sameJson } from "../../lib/text/json.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { type ChangedField, Conflict } from "../../ui/forms/conflict.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { withChoicesFound } from "../choices/sources.ts";
import { withDesign } from "../design/fields.ts";
import { isAsked } from "../design/preview.tsx";
import { formPage } from "../frame/form-page.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { formChoices } from "./form/choices.ts";
import { CodeForm } from "./form/code-form.tsx";
import { codeConflicts } from "./form/conflicts.ts";
import { baseStyle, changedForm, ownStyle } from "./form/design.ts";
import { aboutAliases } from "./form/domains.ts";
import { previewOf } from "./form/preview.tsx";
import { readCodeForm, withPlace } from "./form/read-form.ts";
import { codeFormValues, zoneOfForm } from "./form/values.ts";
import { ReadabilityNotice } from "./status.tsx";

/** The form of a code. */
export async function editCode(request: DashboardRequest): Promise<PageResponse> {
  const edited = await getVersionedQr(request.deps, request.context, request.param("id"));
  const zone = zoneOf(await request.timeZone());
  return showEditedCode(request, edited, codeFormValues(edited, zone));
}

/** Changes the code; shows the form again if that fails, or if the code has changed since the form was opened. */
export async function saveCode(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context } = request;
  const edited = await getVersionedQr(deps, context, request.param("id"));
  const { qr, version } = edited;
  if (request.form.has("change")) {
    return showEditedCode(request, edited, await changedForm(request, request.form, ownStyle(edited)));
  }
  const placed = withPlace(request.form, qr.qrType);
  if ("rejection" in placed) return showEditedCode(request, edited, request.form, placed.rejection);
  const { form } = placed;
  const zone = await zoneOfForm(request);
  const conflicts = codeConflicts(form, edited, zone);
  if (conflicts.length > 0)
    return showEditedCode(request, edited, form, { problems: {}, status: 409 }, conflicts);
  const found = await withChoicesFound(request, form);
  if ("rejection" in found) return showEditedCode(request, edited, form, found.rejection);
  const base = await baseStyle(request, form, ownStyle(edited));
  const outcome = await submitForm(QrUpdateInput, readCodeForm(found.form, edited, zone, base), (input) =>
    updateQr(deps, context, qr.id, input, [version]),
  );
  if ("rejection" in outcome) {
    // Changed since it was read above, so it is compared with the form again.
    return outcome.rejection.status === 412
      ? saveCode(request)
      : showEditedCode(request, edited, form, await aboutAliases(request, outcome.rejection));
  }
  const flash = sameJson(outcome.done.qr.data, qr.data) ? "saved" : "destinationSaved";
  return { seeOther: `/dashboard/codes/${qr.id}`, flash, subject: qr.id };
}

export async function showEditedCode(
  request: DashboardRequest,
  edited: VersionedQr,
  values: URLSearchParams,
  rejection?: Rejection,
  conflicts: readonly ChangedField[] = [],
): Promise<PageResponse> {
  const { qr } = edited;
  const [choices, base] = await Promise.all([
    formChoices(request, qr.qrType, values),
    baseStyle(request, values, ownStyle(edited)),
  ]);
  const form: FormState = { values: withDesign(values, base), problems: rejection?.problems ?? {} };
  const [preview, timeZone] = await Promise.all([
    previewOf(request, form.values, edited, isAsked(request.form, form.problems) ? "measure" : "at once"),
    request.timeZone(),
  ]);
  const title = `Edit ${codeTitle(qr)}`;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={{ path: `/dashboard/codes/${qr.id}`, name: codeTitle(qr) }} />
      {rejection?.status === 402 && (
        <p>
          <UpgradeLink url={request.deps.settings.upgradeUrl} />
        </p>
      )}
      {conflicts.length > 0 && (
        <Conflict what="code" address={`/dashboard/codes/${qr.id}/edit`} fields={conflicts} />
      )}
      <ReadabilityNotice qr={qr}>The score beside the design says what to change.</ReadabilityNotice>
      <CodeForm
        request={request}
        form={form}
        type={qr.qrType}
        choices={choices}
        timeZone={timeZone}
        preview={preview}
        edited={edited}
      />
    </>,
  );
}

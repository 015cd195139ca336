import { QrUpdateInput, type Qr } from "../../contract/resources/qr.ts";
import { getQr, updateQr } from "../../domain/codes/codes.ts";
import { Zone } from "../../lib/time/zone.ts";
import { type ChangedField, Conflict } from "../components/forms/conflict.tsx";
import type { FormState } from "../components/forms/form.ts";
import { Head } from "../components/head.tsx";
import { withChoicesFound } from "../choices/sources.ts";
import { UpgradeLink } from "../frame/notices.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { Answer, PageAnswer, Visit } from "../frame/visit.ts";
import { CodeForm } from "./form/code-form.tsx";
import { conflictsOf } from "./form/conflicts.ts";
import { formChoices } from "./form/choices.ts";
import { valuesOf } from "./form/values.ts";
import { drawPreview } from "./form/preview.tsx";
import { readChanges } from "./form/read-form.ts";
import { titleOf } from "./form/types.ts";

/** The form of a code. */
export async function editCode(visit: Visit): Promise<PageAnswer> {
  const qr = await getQr(visit.deps, visit.owner, visit.param("id"));
  const zone = new Zone(await visit.timeZone());
  return show(visit, qr, valuesOf(qr, zone));
}

/** Changes the code; shows the form again if that fails, or if it was changed since the form was opened. */
export async function saveCode(visit: Visit): Promise<Answer> {
  const { deps, owner, form } = visit;
  const qr = await getQr(deps, owner, visit.param("id"));
  const zone = new Zone(await visit.timeZone());
  const conflicts = conflictsOf(form, qr, zone);
  if (conflicts.length > 0) return show(visit, qr, form, { problems: {}, status: 409 }, conflicts);
  const found = await withChoicesFound(visit);
  if ("rejection" in found) return show(visit, qr, form, found.rejection);
  const outcome = await submitForm(QrUpdateInput, readChanges(found.form, qr, zone), (input) =>
    updateQr(deps, owner, qr.id, input),
  );
  if ("rejection" in outcome) return show(visit, qr, form, outcome.rejection);
  return { seeOther: `/dashboard/codes/${qr.id}`, flash: "saved" };
}

async function show(
  visit: Visit,
  qr: Qr,
  values: URLSearchParams,
  rejection?: Rejection,
  conflicts: readonly ChangedField[] = [],
): Promise<PageAnswer> {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const [choices, preview, timeZone] = await Promise.all([
    formChoices(visit, qr.qrType, values),
    drawPreview(visit, form.values, qr),
    visit.timeZone(),
  ]);
  const title = `Edit ${titleOf(qr)}`;
  return {
    title: rejection === undefined ? title : `Problem: ${title}`,
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title={title} back={{ path: `/dashboard/codes/${qr.id}`, name: titleOf(qr) }} />
        {rejection?.status === 402 && (
          <p>
            <UpgradeLink url={visit.deps.upgradeUrl} />
          </p>
        )}
        {conflicts.length > 0 && (
          <Conflict what="code" address={`/dashboard/codes/${qr.id}/edit`} fields={conflicts} />
        )}
        <CodeForm
          visit={visit}
          form={form}
          type={qr.qrType}
          choices={choices}
          timeZone={timeZone}
          preview={preview}
          edited={qr}
        />
      </>
    ),
  };
}

import { QrUpdateInput, type Qr } from "../../contract/resources/qr.ts";
import { getQr, updateQr } from "../../domain/codes/codes.ts";
import type { FormState } from "../components/form.ts";
import { Head } from "../components/head.tsx";
import type { Answer, PageAnswer, Visit } from "../frame/visit.ts";
import { CodeForm } from "./code-form.tsx";
import { formChoices } from "./form-choices.ts";
import { submitForm } from "./form-problems.ts";
import { valuesOf } from "./form-values.ts";
import { drawPreview } from "./preview.tsx";
import { readChanges } from "./read-form.ts";
import { titleOf } from "./types.ts";

/** The form of a code. */
export async function editCode(visit: Visit): Promise<PageAnswer> {
  const qr = await getQr(visit.deps, visit.owner, visit.param("id"));
  const { zone } = await formChoices(visit, qr.qrType);
  return show(visit, qr, { values: valuesOf(qr, zone.zone), problems: {} });
}

/** Changes the code; shows the form again if that fails. */
export async function saveCode(visit: Visit): Promise<Answer> {
  const { deps, owner, form } = visit;
  const qr = await getQr(deps, owner, visit.param("id"));
  const { zone } = await formChoices(visit, qr.qrType);
  const outcome = await submitForm(QrUpdateInput, readChanges(form, qr, zone.zone), (input) =>
    updateQr(deps, owner, qr.id, input),
  );
  if ("problems" in outcome) return show(visit, qr, { values: form, problems: outcome.problems });
  return { seeOther: `/dashboard/codes/${qr.id}`, flash: "saved" };
}

async function show(visit: Visit, qr: Qr, form: FormState): Promise<PageAnswer> {
  const [choices, preview] = await Promise.all([
    formChoices(visit, qr.qrType),
    drawPreview(visit, form.values, qr.id),
  ]);
  const hasProblems = Object.keys(form.problems).length > 0;
  const title = `Edit ${titleOf(qr)}`;
  return {
    title: hasProblems ? `Problem: ${title}` : title,
    status: hasProblems ? 400 : 200,
    content: (
      <>
        <Head title={title} back={{ path: `/dashboard/codes/${qr.id}`, name: titleOf(qr) }} />
        <CodeForm visit={visit} form={form} type={qr.qrType} choices={choices} preview={preview} id={qr.id} />
      </>
    ),
  };
}

import { QrUpdateInput } from "../../../contract/resources/codes/qr.ts";
import { getVersionedQr, updateQr } from "../../../domain/codes/codes.ts";
import { safeReturn } from "../../../domain/identity/sign-in.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import { withChoicesFound } from "../../choices/sources.ts";
import type { DashboardRequest, DashboardResponse } from "../../frame/request.ts";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";
import { plain } from "../form/conflicts.ts";
import { mainField, mapLinkField } from "../form/fields.ts";
import { readData, withPlace } from "../form/read-form.ts";
import { codeFormValues } from "../form/values.ts";
import { showCode } from "../show.tsx";

/**
 * Changes where a code leads. Shows the code's page with both values if somebody else has changed it since the page was
 * opened. @throws not_found
 */
export async function publishDestination(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const edited = await getVersionedQr(deps, context, request.param("id"));
  const { qr, version } = edited;
  const { name } = mainField(qr.qrType);
  const values = codeFormValues(edited, zoneOf("UTC"));
  const stored = values.get(name) ?? "";
  for (const [field, text] of form) values.set(field, text);
  const entered = values.get(name) ?? "";
  const refuse = (problem: string, status: Rejection["status"]) =>
    showCode(request, { field: "destination", values, problem, status });
  if (isChanged(stored, form.get("seen") ?? stored) && isChanged(stored, entered)) {
    return refuse(
      `Someone has changed this to ${stored} since you opened the page. Publish again to replace it.`,
      409,
    );
  }
  if (name === mapLinkField && entered.trim() === "") return refuse("Paste a link from a map.", 400);
  const placed = withPlace(values, qr.qrType);
  if ("rejection" in placed) return refuse(firstOf(placed.rejection.problems), placed.rejection.status);
  const found = await withChoicesFound(request, placed.form);
  if ("rejection" in found) return refuse(firstOf(found.rejection.problems), found.rejection.status);
  const input = { data: readData(found.form, qr.qrType) };
  const outcome = await submitForm(QrUpdateInput, input, (checked) =>
    updateQr(deps, context, qr.id, checked, [version]),
  );
  if ("rejection" in outcome) {
    const { problems, status } = outcome.rejection;
    // Changed since it was read above, so it is compared with the form again.
    return status === 412 ? publishDestination(request) : refuse(firstOf(problems), status);
  }
  const back = safeReturn(deps, form.get("back") ?? `/dashboard/codes/${qr.id}`);
  return { seeOther: back, flash: "destinationSaved", subject: qr.id };
}

const firstOf = (problems: Readonly<Record<string, string>>): string =>
  Object.values(problems)[0] ?? "isn't valid";

const isChanged = (one: string, other: string): boolean => plain(one) !== plain(other);

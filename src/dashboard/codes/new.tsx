import { presetNamed } from "../../contract/presets.ts";
import { QrCreateInput } from "../../contract/resources/codes/qr.ts";
import { QrType } from "../../contract/resources/enums.ts";
import { createQr, getVersionedQr } from "../../domain/codes/codes.ts";
import { planOf } from "../../domain/context/plan.ts";
import { noStyle } from "../../domain/templates/styles.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import type { FormState } from "../../ui/forms/form.ts";
import { Head } from "../../ui/head.tsx";
import { withChoicesFound } from "../choices/sources.ts";
import { withDesign } from "../design/fields.ts";
import { type Look, lookInPlan, valuesOfLook, withLookFirst } from "../design/looks.tsx";
import { isAsked } from "../design/preview.tsx";
import { formPage } from "../frame/form-page.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { formChoices } from "./form/choices.ts";
import { CodeForm } from "./form/code-form.tsx";
import { baseStyle, changedForm, withTemplate } from "./form/design.ts";
import { aboutAliases, withChosenDomain, withDefaultDomain } from "./form/domains.ts";
import { meantType, topField, withTypeChosen } from "./form/main-field.ts";
import { previewOf } from "./form/preview.tsx";
import { readNewCode, withPlace } from "./form/read-form.ts";
import { copyOf, settingsOf, zoneOfForm } from "./form/values.ts";

/** Returns the type that a form names; that of a link for none. */
export const typeOf = (text: string | null): QrType => QrType.safeParse(text).data ?? "url";

/**
 * The form of a new code. Its address can fill in fields or name an existing code: `from` copies it, `like` takes over
 * its settings. `look` names a ready-made design to begin with.
 */
export async function newCode(request: DashboardRequest): Promise<PageResponse> {
  const { query, deps, context } = request;
  const [from, like] = [query.get("from"), query.get("like")];
  const id = from ?? like;
  const model = id === null ? undefined : await getVersionedQr(deps, context, id);
  const type = model?.qr.qrType ?? typeOf(query.get("type"));
  if (model === undefined) {
    const values = await withDefaultDomain(request, query);
    return showNewCode(request, type, await withTemplate(request, values, noStyle));
  }
  const zone = zoneOf(await request.timeZone());
  return showNewCode(request, type, from === null ? settingsOf(model, zone) : copyOf(model, zone));
}

/** Creates the code, only once for a form submitted twice; shows the form again if that fails. */
export async function createCode(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context } = request;
  const chosen = typeOf(request.form.get("type"));
  if (request.form.get("change") === "type") {
    return showNewCode(request, chosen, withTypeChosen(request.form, chosen));
  }
  const type = meantType(request.form, chosen);
  if (request.form.get("change") === "domain") {
    return showNewCode(request, type, await withChosenDomain(request, request.form));
  }
  if (request.form.has("change")) {
    return showNewCode(request, type, await changedForm(request, request.form, noStyle));
  }
  const entered = type === chosen ? request.form : withTypeChosen(request.form, type);
  const placed = withPlace(entered, type);
  if ("rejection" in placed) return showNewCode(request, type, entered, placed.rejection);
  const { form } = placed;
  const [zone, idempotency] = await Promise.all([zoneOfForm(request), onceFor(request, ["next"])]);
  const found = await withChoicesFound(request, form);
  if ("rejection" in found) return showNewCode(request, type, form, found.rejection);
  const base = await baseStyle(request, form, noStyle);
  const outcome = await submitForm(QrCreateInput, readNewCode(found.form, type, zone, base), (input) =>
    createQr(deps, context, input, idempotency),
  );
  if ("rejection" in outcome) {
    return showNewCode(request, type, form, await aboutAliases(request, outcome.rejection));
  }
  const { id } = outcome.done;
  const file = deps.images === undefined ? "svg" : "pdf";
  const next: Readonly<Record<string, string>> = {
    another: `new?like=${id}`,
    download: `${id}?download=${file}`,
  };
  return { seeOther: `/dashboard/codes/${next[form.get("next") ?? ""] ?? id}`, flash: "created" };
}

export async function showNewCode(
  request: DashboardRequest,
  type: QrType,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  // If the plan lacks the type, a note beside it says so.
  const isLacking = !planOf(request.context).qrTypes.includes(type);
  const [choices, base] = await Promise.all([
    formChoices(request, type, values),
    baseStyle(request, values, noStyle),
  ]);
  const asked = presetNamed(request.query.get("look") ?? "");
  const looks =
    asked === undefined
      ? choices.looks
      : withLookFirst(choices.looks, lookInPlan(asked, planOf(request.context)));
  const form: FormState = {
    values: withDesign(isBegun(request) ? values : withFirstLook(values, looks), base),
    problems: isLacking ? {} : (rejection?.problems ?? {}),
    focus: request.form.size > 0 ? undefined : topField(type, true).name,
  };
  const [preview, timeZone] = await Promise.all([
    previewOf(request, form.values, undefined, isAsked(request.form, form.problems) ? "measure" : "at once"),
    request.timeZone(),
  ]);
  return formPage(
    "New code",
    rejection,
    <>
      <Head title="New code" back={{ path: "/dashboard/codes", name: "Codes" }} />
      {rejection?.status === 402 && !isLacking && (
        <p>
          <UpgradeLink url={request.deps.settings.upgradeUrl} />
        </p>
      )}
      <CodeForm
        request={request}
        form={form}
        type={type}
        choices={{ ...choices, looks }}
        timeZone={timeZone}
        preview={preview}
      />
    </>,
  );
}

/** Whether a form has entries already, or those of another code. */
const isBegun = ({ form, query }: DashboardRequest): boolean =>
  form.size > 0 || ["from", "like", "templateId"].some((name) => query.has(name));

/** Returns a new form's values with the first look, except where its address names others. */
const withFirstLook = (values: URLSearchParams, [first]: readonly Look[]): URLSearchParams =>
  new URLSearchParams({ ...(first && valuesOfLook(first)), ...Object.fromEntries(values) });

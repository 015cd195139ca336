import { plans } from "../../contract/plans.ts";
import { QrType } from "../../contract/resources/enums.ts";
import { QrCreateInput } from "../../contract/resources/qr.ts";
import { createQr, getQr } from "../../domain/codes/codes.ts";
import { Zone } from "../../lib/time/zone.ts";
import type { FormState } from "../components/forms/form.ts";
import { Head } from "../components/head.tsx";
import { withChoicesFound } from "../choices/sources.ts";
import { UpgradeLink } from "../frame/notices.tsx";
import { onceFor } from "../frame/once.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { DashboardResponse, PageResponse, DashboardRequest } from "../frame/request.ts";
import { CodeForm } from "./form/code-form.tsx";
import { formChoices } from "./form/choices.ts";
import { settingsOf, codeFormValues } from "./form/values.ts";
import { drawPreview } from "./form/preview.tsx";
import { readNewCode } from "./form/read-form.ts";
import { typeTexts } from "./form/types.ts";

const typeOf = (text: string | null): QrType => QrType.safeParse(text).data ?? "url";

/**
 * The form of a new code. Its address can fill in fields, or name a code: `from` one to copy, `like` one whose settings
 * the new code gets.
 */
export async function newCode(request: DashboardRequest): Promise<PageResponse> {
  const { query, deps, context } = request;
  const [from, like] = [query.get("from"), query.get("like")];
  const id = from ?? like;
  const model = id === null ? undefined : await getQr(deps, context, id);
  const type = model?.qrType ?? typeOf(query.get("type"));
  if (model === undefined) return show(request, type, query);
  const zone = new Zone(await request.timeZone());
  return show(request, type, from === null ? settingsOf(model, zone) : codeFormValues(model, zone));
}

/** Creates the code, once for a form that is submitted twice; shows the form again if that fails. */
export async function createCode(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const type = typeOf(form.get("type"));
  const [timeZone, idempotency] = await Promise.all([request.timeZone(), onceFor(request, ["next"])]);
  const found = await withChoicesFound(request);
  if ("rejection" in found) return show(request, type, form, found.rejection);
  const entered = readNewCode(found.form, type, new Zone(timeZone));
  const outcome = await submitForm(QrCreateInput, entered, (input) =>
    createQr(deps, context, input, idempotency),
  );
  if ("rejection" in outcome) return show(request, type, form, outcome.rejection);
  const next = form.get("next") === "another" ? `new?like=${outcome.done.id}` : outcome.done.id;
  return { seeOther: `/dashboard/codes/${next}`, flash: "created" };
}

async function show(
  request: DashboardRequest,
  type: QrType,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const [choices, preview, timeZone] = await Promise.all([
    formChoices(request, type, values),
    drawPreview(request, form.values),
    request.timeZone(),
  ]);
  return {
    title: rejection === undefined ? "New code" : "Problem: new code",
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title="New code" back={{ path: "/dashboard/codes", name: "Codes" }} />
        <Types request={request} type={type} />
        <p class="quiet">{typeTexts[type].effect}</p>
        {rejection?.status === 402 && (
          <p>
            <UpgradeLink url={request.deps.settings.upgradeUrl} />
          </p>
        )}
        <CodeForm
          request={request}
          form={form}
          type={type}
          choices={choices}
          timeZone={timeZone}
          preview={preview}
        />
      </>
    ),
  };
}

/** The types of the plan. */
function Types({ request: { context, deps }, type }: { request: DashboardRequest; type: QrType }) {
  const included: readonly QrType[] = plans[context.plan].qrTypes;
  return (
    <nav aria-label="Type of the code">
      <ul class="tabs">
        {included.map((each) => (
          <li>
            <a href={`/dashboard/codes/new?type=${each}`} aria-current={each === type ? "page" : undefined}>
              {typeTexts[each].name}
            </a>
          </li>
        ))}
      </ul>
      {included.length < QrType.options.length && (
        <p class="small quiet">
          Contacts, e-mails, apps and more come with larger plans.{" "}
          <UpgradeLink url={deps.settings.upgradeUrl} />
        </p>
      )}
    </nav>
  );
}

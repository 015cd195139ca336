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
import type { Answer, PageAnswer, Visit } from "../frame/visit.ts";
import { CodeForm } from "./form/code-form.tsx";
import { formChoices } from "./form/choices.ts";
import { settingsOf, valuesOf } from "./form/values.ts";
import { drawPreview } from "./form/preview.tsx";
import { readNewCode } from "./form/read-form.ts";
import { typeTexts } from "./form/types.ts";

const typeOf = (text: string | null): QrType => QrType.safeParse(text).data ?? "url";

/**
 * The form of a new code. Its address can fill in fields, or name a code: `from` one to copy, `like` one whose settings
 * the new code gets.
 */
export async function newCode(visit: Visit): Promise<PageAnswer> {
  const { query, deps, owner } = visit;
  const [from, like] = [query.get("from"), query.get("like")];
  const id = from ?? like;
  const model = id === null ? undefined : await getQr(deps, owner, id);
  const type = model?.qrType ?? typeOf(query.get("type"));
  if (model === undefined) return show(visit, type, query);
  const zone = new Zone(await visit.timeZone());
  return show(visit, type, from === null ? settingsOf(model, zone) : valuesOf(model, zone));
}

/** Creates the code, once for a form that is submitted twice; shows the form again if that fails. */
export async function createCode(visit: Visit): Promise<Answer> {
  const { deps, owner, form } = visit;
  const type = typeOf(form.get("type"));
  const [timeZone, idempotency] = await Promise.all([visit.timeZone(), onceFor(visit, ["next"])]);
  const found = await withChoicesFound(visit);
  if ("rejection" in found) return show(visit, type, form, found.rejection);
  const entered = readNewCode(found.form, type, new Zone(timeZone));
  const outcome = await submitForm(QrCreateInput, entered, (input) =>
    createQr(deps, owner, input, idempotency),
  );
  if ("rejection" in outcome) return show(visit, type, form, outcome.rejection);
  const next = form.get("next") === "another" ? `new?like=${outcome.done.id}` : outcome.done.id;
  return { seeOther: `/dashboard/codes/${next}`, flash: "created" };
}

async function show(
  visit: Visit,
  type: QrType,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageAnswer> {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const [choices, preview, timeZone] = await Promise.all([
    formChoices(visit, type, values),
    drawPreview(visit, form.values),
    visit.timeZone(),
  ]);
  return {
    title: rejection === undefined ? "New code" : "Problem: new code",
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title="New code" back={{ path: "/dashboard/codes", name: "Codes" }} />
        <Types visit={visit} type={type} />
        <p class="quiet">{typeTexts[type].effect}</p>
        {rejection?.status === 402 && (
          <p>
            <UpgradeLink url={visit.deps.upgradeUrl} />
          </p>
        )}
        <CodeForm
          visit={visit}
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
function Types({ visit: { owner, deps }, type }: { visit: Visit; type: QrType }) {
  const included: readonly QrType[] = plans[owner.plan].qrTypes;
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
          Contacts, e-mails, apps and more come with larger plans. <UpgradeLink url={deps.upgradeUrl} />
        </p>
      )}
    </nav>
  );
}

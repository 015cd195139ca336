import { limits } from "../../../contract/limits.ts";
import { plans } from "../../../contract/plans.ts";
import { defaultScopes, Scope } from "../../../contract/resources/enums.ts";
import { ApiKeyInput, type NewApiKey } from "../../../contract/resources/identity/keys.ts";
import { scopeTexts } from "../../../contract/scopes.ts";
import { claimFormKey } from "../../../domain/idempotency.ts";
import { createKey } from "../../../domain/identity/keys.ts";
import { FormButtons, FormKey } from "../../../ui/forms/buttons.tsx";
import { Choices } from "../../../ui/forms/choices.tsx";
import { TextArea, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { CopyField } from "../../../ui/values/copy-field.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { formatDate, formatNumber } from "../../../ui/values/format.ts";
import { rightsOf } from "../../../ui/values/key-rights.ts";
import { formPage } from "../../frame/form-page.tsx";
import { UpgradeLink } from "../../frame/notices.tsx";
import { repeatedForm } from "../../frame/repeated-form.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";
import { ConnectSamples } from "./connect-samples.tsx";
import { ExpiryField, readExpiry } from "./expiry.tsx";
import { KeySamples } from "./key-samples.tsx";
import { domainsRisk, keyTypeTexts } from "./texts.ts";

const back = { path: "/dashboard/developer/keys", name: "Keys" } as const;
const labels = {
  name: "Name",
  type: "Type",
  scopes: "Scopes",
  origins: "Origins",
  personConfirms: "Changes",
  usesDomains: "Domains",
  expiresAt: "Expires",
} as const;

/** The form of a new key. */
export function newKey(request: DashboardRequest): PageResponse {
  const type = plans[request.context.plan].secretKeys ? "secret" : "publishable";
  const values = new URLSearchParams([["type", type], ...defaultScopes.map((scope) => ["scopes", scope])]);
  return showForm(request, values);
}

/** Reads a form as the contract's input, without fields that don't apply to the key's type. */
function readKey(form: URLSearchParams, now: number): object {
  const type = form.get("type");
  const origins = (form.get("origins") ?? "").split(/\s+/).filter((origin) => origin !== "");
  return {
    name: form.get("name") ?? "",
    type,
    ...readExpiry(form, now),
    ...(type === "publishable"
      ? { origins, usesDomains: form.has("usesDomains") }
      : { scopes: form.getAll("scopes"), personConfirms: form.has("personConfirms") }),
  };
}

/**
 * Creates a key and shows it only in this response; it is never in an address or a cookie. A form submitted twice
 * creates one key, which is not shown again. Shows the form again if that fails.
 */
export async function saveKey(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(ApiKeyInput, readKey(form, deps.now()), async (input) =>
    (await claimFormKey(deps, context, form.get("key"))) ? createKey(deps, context, input) : null,
  );
  if ("rejection" in outcome) return showForm(request, form, outcome.rejection);
  if (outcome.done === null) return repeatedForm("key", back);
  const title = "Key created";
  const timeZone = await request.timeZone();
  return {
    title,
    content: <CreatedKey title={title} request={request} created={outcome.done} timeZone={timeZone} />,
  };
}

function showForm(request: DashboardRequest, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  return formPage(
    "New key",
    rejection,
    <>
      <Head title="New key" back={back} />
      <PostForm class="card developer-form key-form" novalidate>
        <Problems form={form} labels={labels} />
        <FormKey />
        <TextField
          form={form}
          name="name"
          label={labels.name}
          hint="Where you use it, such as “Shop” or “Warehouse import”"
          required
          maxLength={limits.keyName}
        />
        <Choices
          form={form}
          name="type"
          label={labels.type}
          type="radio"
          choices={Object.entries(keyTypeTexts).map(([value, { name: text, about }]) => ({
            value,
            text,
            about,
          }))}
        />
        <div class="for-secret">
          <PlanNote request={request} />
          <Choices
            form={form}
            name="scopes"
            label={labels.scopes}
            hint="Choose only what the program needs."
            type="checkbox"
            choices={Scope.options.map((value) => ({
              value,
              text: scopeTexts[value].name,
              about: scopeTexts[value].about,
            }))}
          />
          <Choices
            form={form}
            name="personConfirms"
            label={labels.personConfirms}
            type="checkbox"
            choices={[
              {
                value: "on",
                text: "Require approval for every change",
                about: "For AI agents: the key can only propose; a member approves.",
              },
            ]}
          />
        </div>
        <div class="for-publishable">
          <TextArea
            form={form}
            name="origins"
            label={labels.origins}
            hint={`The websites that may use the key, one per line, such as https://shop.example. At most ${limits.keyOrigins.count}. The key can create ${formatNumber(limits.keyCreations.cap)} codes a day.`}
            required
          />
          <Choices
            form={form}
            name="usesDomains"
            label={labels.usesDomains}
            type="checkbox"
            choices={[{ value: "on", text: "Its codes answer at your domains", about: domainsRisk }]}
          />
        </div>
        <ExpiryField form={form} />
        <FormButtons submit="Create key" back={back.path} />
      </PostForm>
    </>,
  );
}

/** The plan's limits for a secret key. */
function PlanNote({ request: { context, deps } }: { request: DashboardRequest }) {
  const { title, secretKeys, requestsPerMinute } = plans[context.plan];
  if (secretKeys) {
    return <p class="quiet">{formatNumber(requestsPerMinute)} requests a minute per key</p>;
  }
  return (
    <Notice kind="warn">
      <p>
        Your {title} plan doesn't include secret keys. You can create one now; its requests are refused until
        you upgrade to {plans.pro.title}.
      </p>
      <UpgradeLink url={deps.settings.upgradeUrl} />
    </Notice>
  );
}

interface CreatedProps {
  readonly title: string;
  readonly request: DashboardRequest;
  readonly created: NewApiKey;
  readonly timeZone: string;
  /** Added to the notice. */
  readonly note?: string;
}

/** The page with a new key, which can't be shown again. */
export function CreatedKey({ title, request, created, timeZone, note }: CreatedProps) {
  const { name, key, type, origins, expiresAt } = created;
  const expiry = expiresAt === null ? "Never" : formatDate(expiresAt, timeZone);
  return (
    <>
      <Head title={title} back={back} />
      <Notice kind="good" role="status">
        <p>
          <strong>Copy the key now.</strong> You won't be able to see it again. {note}
        </p>
      </Notice>
      <section class="card">
        <CopyField label="Key" value={key} />
        <Facts
          items={[
            ["Name", name],
            ["Type", keyTypeTexts[type].name],
            ["Allows", rightsOf(created)],
            ["Changes", created.personConfirms ? "Each one needs approval" : null],
            ["Domains", created.usesDomains === true ? "Its codes answer there" : null],
            ["Origins", origins.length === 0 ? null : origins.join("\n")],
            ["Expires", expiry],
          ]}
        />
      </section>
      <section class="card" aria-labelledby="samples">
        <h2 id="samples">Make your first call</h2>
        <KeySamples request={request} created={created} />
      </section>
      {type === "secret" && <ConnectSamples request={request} created={created} />}
      <p class="buttons">
        <a class="button primary" href={back.path}>
          Done
        </a>
      </p>
    </>
  );
}

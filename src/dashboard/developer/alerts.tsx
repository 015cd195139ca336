import { type AlertAddress, AlertAddressInput } from "../../contract/resources/webhooks/alerts.ts";
import { claimFormKey } from "../../domain/idempotency.ts";
import {
  deleteAlertAddress,
  findAlertAddress,
  rotateAlertSecret,
  setAlertAddress,
  testAlerts,
} from "../../domain/workspaces/alerts.ts";
import { Action, FormKey } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Table } from "../../ui/table.tsx";
import { formatInstant } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import { confirmPage, formPage } from "../frame/form-page.tsx";
import { repeatedForm } from "../frame/repeated-form.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { alertsPath, SettingsPage } from "../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { DeliveryStatusMark, lastAnswer } from "./deliveries/table.tsx";
import { rotationPage, secretPage } from "./webhooks/secret.tsx";

const title = "Alerts";
const back = { path: alertsPath, name: title } as const;
const labels = { url: "Address for alerts" } as const;

/** The address for alerts, with its last deliveries. */
export async function alertSettings(request: DashboardRequest): Promise<PageResponse> {
  const address = await findAlertAddress(request.deps, request.context);
  return show(request, address, new URLSearchParams({ url: address?.url ?? "" }));
}

/** Saves the address, and shows the first one's secret only in this response. */
export async function saveAlertSettings(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(
    AlertAddressInput,
    { url: form.get("url")?.trim() ?? "" },
    async (input) =>
      (await claimFormKey(deps, context, form.get("key"))) ? setAlertAddress(deps, context, input) : null,
  );
  if ("rejection" in outcome) {
    return show(request, await findAlertAddress(deps, context), form, outcome.rejection);
  }
  if (outcome.done === null) return repeatedForm("signing secret", back);
  const { secret } = outcome.done;
  if (secret === null) return { seeOther: alertsPath, flash: "alertsSaved" };
  return secretPage("Address for alerts saved", back, secret);
}

async function show(
  request: DashboardRequest,
  address: AlertAddress | null,
  values: URLSearchParams,
  rejection?: Rejection,
): Promise<PageResponse> {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  return formPage(
    title,
    rejection,
    <SettingsPage
      request={request}
      title={title}
      action={address !== null && <Action path={`${alertsPath}/test`}>Send a test alert</Action>}
    >
      <p>
        When something begins to <a href="/dashboard/waiting">wait for a person</a>, the service sends it to
        this address as signed JSON: at most one alert of a kind within an hour.
      </p>
      {address?.status === "paused" && (
        <Notice kind="warn">
          <p>
            <strong>Alerts are paused.</strong> {address.pausedReason}. Save the address to resume them.
          </p>
        </Notice>
      )}
      <PostForm class="card" novalidate>
        <Problems form={form} labels={labels} />
        <FormKey />
        <TextField
          form={form}
          name="url"
          label={labels.url}
          hint="Such as https://example.com/alerts. Your receiver verifies the signature, as for webhooks."
          required
        />
        <button class="button primary" type="submit">
          Save address
        </button>
      </PostForm>
      {address !== null && <Deliveries address={address} zone={await request.timeZone()} />}
    </SettingsPage>,
  );
}

const Deliveries = ({ address: { deliveries }, zone }: { address: AlertAddress; zone: string }) => (
  <section class="card" aria-labelledby="deliveries">
    <h2 id="deliveries">Recent alerts</h2>
    {deliveries.length === 0 ? (
      <p class="quiet">None yet. Send a test alert to see whether your receiver answers.</p>
    ) : (
      <Table
        kind="records"
        rows={deliveries}
        columns={[
          [`Created (${zone})`, ({ createdAt }) => formatInstant(createdAt, zone), { kind: "nowrap" }],
          ["Kind", ({ test }) => (test ? "Test" : "Alert")],
          { head: "Status", cell: DeliveryStatusMark },
          { head: "Last response", cell: lastAnswer },
        ]}
      />
    )}
    <p class="buttons">
      <a class="button" href={`${alertsPath}/rotate`}>
        Replace secret
      </a>
      <a class="button" href={`${alertsPath}/remove`}>
        Remove address
      </a>
    </p>
  </section>
);

/** Sends a test alert. @throws not_found */
export const sendTestAlert: Answer = change(testAlerts, alertsPath, "alertTested");

/** Asks for confirmation before replacing the secret. */
export const confirmAlertRotation: Answer = async () => rotationPage(back);

/** Replaces the secret, only once for a form submitted twice, and shows it only in this response. @throws not_found */
export const rotateAlerts: Answer = async ({ deps, context, form }) => {
  if (!(await claimFormKey(deps, context, form.get("key")))) return repeatedForm("secret", back);
  const { secret } = await rotateAlertSecret(deps, context);
  return secretPage("Signing secret replaced", back, secret, "The previous one also signs for 24 hours.");
};

/** Asks for confirmation before removing the address. */
export const confirmAlertRemoval: Answer = async () =>
  confirmPage(
    { title: "Remove the address for alerts?", action: "Remove address", back },
    <p>
      <strong>It receives no more alerts.</strong> Alerts that wait to be sent won't be. What waits for you
      stays listed in the dashboard.
    </p>,
  );

/** Removes the address. @throws not_found */
export const removeAlerts: Answer = change(deleteAlertAddress, alertsPath, "alertsRemoved");

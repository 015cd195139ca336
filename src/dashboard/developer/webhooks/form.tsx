import { EventKind } from "../../../contract/resources/enums.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import { Choices } from "../../../ui/forms/choices.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { eventTexts, modeTexts } from "./texts.tsx";

/** The labels of the fields, by their names. */
export const labels = {
  url: "URL",
  events: "Events",
  mode: "Delivery",
  scopeQrId: "Code",
  scopePageId: "Hosted page",
} as const;

/** Reads the fields that all webhook forms have. */
export const readWebhookForm = (form: URLSearchParams) => ({
  url: (form.get("url") ?? "").trim(),
  events: form.getAll("events"),
  mode: form.get("mode") ?? "realtime",
});

/** Returns a webhook's form values. */
export const webhookFormValues = ({
  url,
  events,
  mode,
}: Pick<Webhook, "url" | "events" | "mode">): URLSearchParams =>
  new URLSearchParams([["url", url], ["mode", mode], ...events.map((event) => ["events", event])]);

/** The fields that can be changed later. */
export function CommonFields({ form }: { form: FormState }) {
  return (
    <>
      <TextField
        form={form}
        name="url"
        label={labels.url}
        hint="Where your receiver listens: https, a public host name, port 443 or 8443"
        inputMode="url"
        placeholder="https://example.com/hooks/qr"
        required
        maxLength={webhookRules.maxUrlLength}
      />
      <Choices
        form={form}
        name="events"
        label={labels.events}
        type="checkbox"
        choices={EventKind.options.map((value) => ({ value, text: value, about: eventTexts[value] }))}
      />
      <Choices
        form={form}
        name="mode"
        label={labels.mode}
        type="radio"
        choices={Object.entries(modeTexts).map(([value, texts]) => ({ value, ...texts }))}
      />
    </>
  );
}

import { limits } from "../../../contract/limits.ts";
import { EventKind } from "../../../contract/resources/enums.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import { Choices } from "../../../ui/forms/choices.tsx";
import { TextArea, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { eventTexts, modeTexts } from "./texts.tsx";

/** The labels of the fields, by their names. */
export const labels = {
  url: "URL",
  events: "Events",
  mode: "Delivery",
  headers: "Headers",
  scopeQrId: "Code",
  scopePageId: "Hosted page",
} as const;

/** Reads the fields that all webhook forms have. */
export const readWebhookForm = (form: URLSearchParams) => ({
  url: (form.get("url") ?? "").trim(),
  events: form.getAll("events"),
  mode: form.get("mode") ?? "realtime",
  headers: (form.get("headers") ?? "")
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .map(readHeader),
});

/** Reads a line such as `Authorization: Bearer …`. One with a name alone has no value. */
function readHeader(line: string): { name: string; value?: string } {
  const at = line.indexOf(":");
  return at < 0 ? { name: line } : { name: line.slice(0, at), value: line.slice(at + 1) };
}

/** Returns a webhook's form values. */
export const webhookFormValues = ({
  url,
  events,
  mode,
  headers,
}: Pick<Webhook, "url" | "events" | "mode" | "headers">): URLSearchParams =>
  new URLSearchParams([
    ["url", url],
    ["mode", mode],
    ["headers", headers.map(({ name }) => name).join("\n")],
    ...events.map((event) => ["events", event]),
  ]);

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
      <TextArea
        form={form}
        name="headers"
        label={labels.headers}
        hint={`Sent with each delivery, one a line, such as “Authorization: Bearer …”. At most ${limits.webhookHeaders.count}. Values are encrypted and not shown again: a line with a name alone keeps its value.`}
      />
    </>
  );
}

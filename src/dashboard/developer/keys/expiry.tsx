import type { PropsWithChildren } from "hono/jsx";
import type { ApiKey } from "../../../contract/resources/identity/keys.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import { type FieldProps, Select } from "../../../ui/forms/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { daysLeft, formatDate } from "../../../ui/values/format.ts";

/** The spans after which a key can expire, in days. */
const spans = ["30", "90", "365"] as const;

/** The choice of when a key expires, as the field `expiresAt`. */
export const ExpiryField = ({ form }: Pick<FieldProps, "form">) => (
  <Select
    form={form}
    name="expiresAt"
    label="Expires"
    hint="The key stops working then. Rotate it before that date."
    choices={[["", "Never"], ...spans.map((days) => [days, `In ${days} days`] as const)]}
    required
  />
);

/** Returns the choice that a key was probably created with. */
export function expirySpanOf({ createdAt, expiresAt }: Pick<ApiKey, "createdAt" | "expiresAt">): string {
  const days = expiresAt === null ? "" : String((Date.parse(expiresAt) - Date.parse(createdAt)) / dayLength);
  return spans.find((span) => span === days) ?? "";
}

/** Reads the choice as the contract's input. @param now epoch milliseconds */
export function readExpiry(form: URLSearchParams, now: number): { expiresAt: string | null } {
  const days = form.get("expiresAt") ?? "";
  if (days === "") return { expiresAt: null };
  // Anything but a number of days is refused by the contract.
  return {
    expiresAt: /^\d{1,5}$/.test(days) ? new Date(now + Number(days) * dayLength).toISOString() : days,
  };
}

interface Props {
  readonly apiKey: Pick<ApiKey, "expiresAt" | "replacedBy">;
  readonly now: number;
  readonly timeZone: string;
}

/** How long before a key expires its page says so, in milliseconds. */
const warningMilliseconds = 14 * dayLength;

/** When a key expires, marked if that is soon or was already. */
export function Expiry({ apiKey: { expiresAt, replacedBy }, now, timeZone }: Props) {
  if (expiresAt === null) return <>Never</>;
  const left = Date.parse(expiresAt) - now;
  const date = formatDate(expiresAt, timeZone);
  if (left <= 0) return <Mark kind="bad">Expired {date}</Mark>;
  if (left >= warningMilliseconds) return <>{date}</>;
  return (
    <>
      <Mark kind="warn">In {daysLeft(left)}</Mark>
      <span class="second quiet">{replacedBy === null ? date : "Replaced by a new key"}</span>
    </>
  );
}

const Mark = ({ kind, children }: PropsWithChildren<{ kind: "warn" | "bad" }>) => (
  <span class={`expiry ${kind}`}>
    <Icon name={kind === "bad" ? "circle-alert" : "triangle-alert"} />
    {children}
  </span>
);

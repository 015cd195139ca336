import { problemsByPath } from "../../../contract/issues.ts";
import { DeliveryStatus } from "../../../contract/resources/enums.ts";
import { DeliveryListQuery } from "../../../contract/resources/webhooks/webhooks.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import { momentOf } from "../../../ui/forms/days-form.tsx";
import { fieldSentence, type FormState, problemOf } from "../../../ui/forms/form.ts";
import { statusTexts } from "./table.tsx";

const days = { from: "First day", to: "Last day" } as const;

/** Returns the filters in an address, as entered. */
export const deliveryFiltersIn = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    (["status", "from", "to"] as const).flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

/** Reads the list's query from an address, or the problems of its filters, by field. @param zone of its days */
export function readDeliveryQuery(query: URLSearchParams, zone: Zone, limit: number) {
  const { status, from, to } = Object.fromEntries(deliveryFiltersIn(query));
  const cursor = query.get("cursor");
  const parsed = DeliveryListQuery.safeParse({
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from: momentOf(from, (day) => zone.startOf(day)) }),
    ...(to === undefined ? {} : { to: momentOf(to, (day) => zone.startOf(day + 1) - 1) }),
    ...(cursor === null ? {} : { cursor }),
    limit: String(limit),
  });
  return parsed.success ? { list: parsed.data } : { problems: problemsByPath(parsed.error.issues) };
}

/** The filters of a list of deliveries, as one form, so that every selection has an address. */
export function DeliveryFilter({ path, form }: { path: string; form: FormState }) {
  const chosen = form.values.get("status") ?? "";
  return (
    <form class="scan-filters below-head" method="get" action={path}>
      <label for="status">
        <span>Status</span>
        <select class="entry" id="status" name="status">
          <option value="">All</option>
          {DeliveryStatus.options.map((status) => (
            <option value={status} selected={status === chosen}>
              {statusTexts[status].text}
            </option>
          ))}
        </select>
      </label>
      <Day form={form} name="from" />
      <Day form={form} name="to" />
      <button class="button" type="submit">
        Filter
      </button>
      {form.values.size > 0 && (
        <p class="small">
          <a href={path}>Clear filters</a>
        </p>
      )}
    </form>
  );
}

function Day({ form, name }: { form: FormState; name: keyof typeof days }) {
  const problem = problemOf(form, name);
  return (
    <label for={name}>
      <span>{days[name]}</span>
      {problem !== undefined && (
        <strong class="problem small" id={`${name}-problem`}>
          {fieldSentence(days[name], problem)}
        </strong>
      )}
      <input
        class="entry"
        type="date"
        id={name}
        name={name}
        value={form.values.get(name) ?? ""}
        aria-invalid={problem === undefined ? undefined : "true"}
        aria-describedby={problem === undefined ? undefined : `${name}-problem`}
      />
    </label>
  );
}

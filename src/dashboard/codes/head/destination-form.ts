import type { VersionedQr } from "../../../domain/codes/codes.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import type { FormState } from "../../../ui/forms/form.ts";
import { type Choices, choicesOf, type Item } from "../../choices/choices.ts";
import { pageSource } from "../../choices/sources.ts";
import type { DashboardRequest } from "../../frame/request.ts";
import type { Rejection } from "../../frame/submit-form.ts";
import { mainField } from "../form/fields.ts";
import { codeFormValues } from "../form/values.ts";

/** The form of a code's main field, such as its destination. */
export interface DestinationForm {
  /** Its value, as entered or stored, and its problem. */
  readonly form: FormState;
  /** The stored value, so that a change by somebody else is noticed. */
  readonly seen: string;
  /** The hosted pages to choose from; empty for other types. */
  readonly pages: Choices<Item>;
}

/** A form of a code's destination that was refused. */
export interface RefusedDestination {
  readonly field: "destination";
  readonly values: URLSearchParams;
  readonly problem: string;
  readonly status: Rejection["status"];
}

/** Returns the form of a code's main field. @param refused the same form, if it was refused */
export async function destinationForm(
  request: DashboardRequest,
  edited: VersionedQr,
  refused?: RefusedDestination,
): Promise<DestinationForm> {
  const { qr } = edited;
  const { name } = mainField(qr.qrType);
  const stored = codeFormValues(edited, zoneOf("UTC"));
  const values = refused?.values ?? stored;
  return {
    form: { values, problems: refused === undefined ? {} : { [name]: refused.problem } },
    seen: stored.get(name) ?? "",
    pages:
      qr.qrType === "servicepage"
        ? await choicesOf(pageSource, request, values)
        : { items: [], hasMore: false },
  };
}

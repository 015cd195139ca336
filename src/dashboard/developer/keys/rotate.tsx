import { limits } from "../../../contract/limits.ts";
import { type ApiKey, KeyRotationInput } from "../../../contract/resources/identity/keys.ts";
import { claimFormKey } from "../../../domain/idempotency.ts";
import { getKey, rotateKey } from "../../../domain/identity/keys.ts";
import { FormButtons, FormKey } from "../../../ui/forms/buttons.tsx";
import { Select } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { formPage } from "../../frame/form-page.tsx";
import { repeatedForm } from "../../frame/repeated-form.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";
import { ExpiryField, expirySpanOf, readExpiry } from "./expiry.tsx";
import { CreatedKey } from "./new.tsx";
import { shortKey } from "./texts.ts";

const back = { path: "/dashboard/developer/keys", name: "Keys" } as const;
const labels = { overlapHours: "The old key works", expiresAt: "Expires" } as const;

const overlaps = [
  ["0", "Not any more: revoke it at once"],
  ["1", "For 1 hour"],
  ["24", "For 24 hours"],
  ["72", "For 3 days"],
  ["168", "For 7 days"],
] as const;

/** The form to rotate a key. @throws not_found */
export async function confirmKeyRotation(request: DashboardRequest): Promise<PageResponse> {
  const key = await getKey(request.deps, request.context, request.param("id"));
  const overlapHours = String(limits.keyOverlapHours.default);
  return showForm(key, new URLSearchParams({ overlapHours, expiresAt: expirySpanOf(key) }));
}

function showForm(key: ApiKey, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const title = `Rotate ${key.name}`;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <PostForm class="card developer-form" novalidate>
        <Problems form={form} labels={labels} />
        <FormKey />
        <p>
          You get a new key with the same rights, and see it once. <code>{shortKey(key)}</code> works until
          the time you choose, so that you can update your programs.
        </p>
        <Select
          form={form}
          name="overlapHours"
          label={labels.overlapHours}
          hint="If it leaked, revoke it at once."
          choices={overlaps}
          required
        />
        <ExpiryField form={form} />
        <FormButtons submit="Rotate key" back={back.path} />
      </PostForm>
    </>,
  );
}

/**
 * Rotates a key, only once for a form submitted twice, and shows the new one only in this response. Shows the form again
 * if that fails. @throws not_found
 */
export async function saveKeyRotation(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, form, param } = request;
  const key = await getKey(deps, context, param("id"));
  const hours = form.get("overlapHours") ?? "";
  const input = {
    overlapHours: /^\d{1,4}$/.test(hours) ? Number(hours) : hours,
    ...readExpiry(form, deps.now()),
  };
  const outcome = await submitForm(KeyRotationInput, input, async (rotation) =>
    (await claimFormKey(deps, context, form.get("key")))
      ? { created: await rotateKey(deps, context, key.id, rotation), hours: rotation.overlapHours }
      : null,
  );
  if ("rejection" in outcome) return showForm(key, form, outcome.rejection);
  if (outcome.done === null) return repeatedForm("key", back);
  const { created, hours: overlap } = outcome.done;
  const [, text = ""] = overlaps.find(([value]) => value === String(overlap)) ?? [];
  const note =
    overlap === 0 ? "The old key is revoked." : `The old key works ${text.replace("F", "f")} more.`;
  const title = "Key rotated";
  const timeZone = await request.timeZone();
  return {
    title,
    content: <CreatedKey title={title} request={request} created={created} timeZone={timeZone} note={note} />,
  };
}

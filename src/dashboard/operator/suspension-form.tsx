import type { Child } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { Checkbox, TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Facts } from "../../ui/values/facts.tsx";

interface Props {
  readonly title: string;
  readonly form: FormState;
  readonly back: { readonly path: string; readonly name: string };
  /** Shown above the fields: what stops and what is kept. */
  readonly children: Child;
}

const labels = { reason: "Reason" } as const;

/** Asks for the reason of a suspension. Submitted to its own address. */
export const SuspensionForm = ({ title, form, back, children }: Props) => (
  <>
    <Head title={title} back={back} />
    <Problems form={form} labels={labels} />
    <div class="card confirm">
      {children}
      <PostForm novalidate>
        <SuspensionFields form={form} />
        <FormButtons submit="Suspend" back={back.path} danger />
      </PostForm>
    </div>
  </>
);

interface Subject {
  readonly workspace: { readonly id: string; readonly name: string };
  /** Where its addresses lead, by their labels; null for nowhere. */
  readonly leads: readonly (readonly [label: string, address: string | null])[];
}

/** Whose it is that the operator is about to suspend, and where it leads. */
export const SubjectFacts = ({ workspace, leads }: Subject) => (
  <Facts
    items={[
      ["Workspace", <a href={`/operator/workspaces/${workspace.id}`}>{workspace.name}</a>],
      ...leads.map(([label, address]) => [label, address && <code>{address}</code>] as const),
    ]}
  />
);

/** The fields of a suspension. */
export const SuspensionFields = ({ form }: { form: FormState }) => (
  <>
    <TextField
      form={form}
      name="reason"
      label={labels.reason}
      hint="The owner reads it. Visitors never do"
      maxLength={limits.suspensionReason}
      required
    />
    <Checkbox form={form} name="legalOrder" label="A legal order requires it: visitors get a 451" />
  </>
);

/** Returns the suspension that a form describes, to be checked. */
export const readSuspensionForm = (form: URLSearchParams) => ({
  reason: form.get("reason") ?? "",
  legalOrder: form.get("legalOrder") === "on",
});

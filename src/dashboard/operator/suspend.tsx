import { SuspensionInput } from "../../contract/resources/operations/suspension.ts";
import {
  getCodeToSuspend,
  getPageToSuspend,
  type SuspensionSubject,
  setCodeSuspension,
  setPageSuspension,
} from "../../domain/suspensions.ts";
import type { FormState } from "../../ui/forms/form.ts";
import type { DashboardResponse, PageResponse } from "../frame/request.ts";
import { submitForm } from "../frame/submit-form.ts";
import type { OperatorRequest } from "./request.ts";
import { readSuspensionForm, SubjectFacts, SuspensionForm } from "./suspension-form.tsx";

const empty: FormState = { values: new URLSearchParams(), problems: {} };

const back = { path: "/operator/suspensions", name: "Suspensions" } as const;

const kinds = {
  code: { get: getCodeToSuspend, suspend: setCodeSuspension },
  page: { get: getPageToSuspend, suspend: setPageSuspension },
} as const;

/** Shows whose a code or page is and where it leads, and asks for the reason to suspend it. @throws not_found */
export const suspensionFormOf =
  (kind: keyof typeof kinds) =>
  async ({ deps, param }: OperatorRequest): Promise<PageResponse> =>
    show(kind, await kinds[kind].get(deps, param("id")), empty);

/** Suspends a code or page; shows the form again if that fails. @throws not_found */
export const suspendOne =
  (kind: keyof typeof kinds) =>
  async ({ deps, operator, param, form }: OperatorRequest): Promise<DashboardResponse> => {
    const subject = await kinds[kind].get(deps, param("id"));
    const outcome = await submitForm(SuspensionInput, readSuspensionForm(form), (input) =>
      kinds[kind].suspend(deps, operator, subject.id, input),
    );
    if ("done" in outcome) return { seeOther: back.path, flash: "suspended" };
    return show(kind, subject, { values: form, problems: outcome.rejection.problems });
  };

function show(kind: keyof typeof kinds, subject: SuspensionSubject, form: FormState): PageResponse {
  const title = `Suspend the ${kind} ${subject.name}?`;
  const isRefused = Object.keys(form.problems).length > 0;
  return {
    title: isRefused ? `Problem: ${title}` : title,
    status: isRefused ? 400 : 200,
    content: (
      <SuspensionForm title={title} form={form} back={back}>
        <SubjectFacts
          workspace={{ id: subject.workspaceId, name: subject.workspaceName }}
          leads={[["Leads to", subject.destination]]}
        />
        <p>Visitors get a generic page within a second. You can lift the suspension at any time.</p>
      </SuspensionForm>
    ),
  };
}

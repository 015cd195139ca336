import { PlanInput } from "../../../contract/endpoints/operator.ts";
import { Plan, plans } from "../../../contract/plans.ts";
import type { OperatorWorkspaceDetails } from "../../../contract/resources/operations/operations.ts";
import { inspectWorkspace } from "../../../domain/operations/workspaces.ts";
import { changePlan } from "../../../domain/workspaces/plan.ts";
import { FormButtons } from "../../../ui/forms/buttons.tsx";
import { Select, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { formatBytes, formatNumber } from "../../../ui/values/format.ts";
import type { DashboardResponse, PageResponse } from "../../frame/request.ts";
import { submitForm } from "../../frame/submit-form.ts";
import type { OperatorRequest } from "../request.ts";

const labels = {
  plan: "Plan",
  requestsPerMinute: "Requests a minute",
  storedBytes: "Stored bytes",
} as const;

/** The form with a workspace's plan. @throws not_found */
export async function editPlan(request: OperatorRequest): Promise<PageResponse> {
  const workspace = await inspectWorkspace(request.deps, request.param("id"));
  const { plan, requestsPerMinute, storedBytes } = workspace;
  const values = new URLSearchParams({ plan });
  if (requestsPerMinute !== plans[plan].requestsPerMinute) {
    values.set("requestsPerMinute", String(requestsPerMinute));
  }
  if (storedBytes !== plans[plan].storedBytes) values.set("storedBytes", String(storedBytes));
  return show(workspace, { values, problems: {} });
}

/** Sets a workspace's plan; shows the form again if that fails. @throws not_found */
export async function savePlan(request: OperatorRequest): Promise<DashboardResponse> {
  const { deps, operator, form } = request;
  const workspace = await inspectWorkspace(deps, request.param("id"));
  const number = (name: string) => {
    const text = (form.get(name) ?? "").trim();
    return text === "" ? null : Number(text);
  };
  const input = {
    plan: form.get("plan"),
    requestsPerMinute: number("requestsPerMinute"),
    storedBytes: number("storedBytes"),
  };
  const outcome = await submitForm(PlanInput, input, (checked) =>
    changePlan(deps, operator, workspace.id, checked),
  );
  if ("done" in outcome) return { seeOther: `/operator/workspaces/${workspace.id}`, flash: "planSet" };
  return show(workspace, { values: form, problems: outcome.rejection.problems });
}

function show({ id, name, usage }: OperatorWorkspaceDetails, form: FormState): PageResponse {
  const path = `/operator/workspaces/${id}`;
  const title = `Change plan of ${name}`;
  const isRefused = Object.keys(form.problems).length > 0;
  return {
    title: isRefused ? `Problem: ${title}` : title,
    status: isRefused ? 400 : 200,
    content: (
      <>
        <Head title={title} back={{ path, name }} />
        <Problems form={form} labels={labels} />
        <PostForm class="narrow-form" novalidate>
          <Select
            form={form}
            name="plan"
            label={labels.plan}
            required
            hint="A smaller plan stops creation beyond its limits. Existing codes keep working."
            choices={Plan.options.map((plan) => [plan, choiceOf(plan)])}
          />
          <TextField
            form={form}
            name="requestsPerMinute"
            type="number"
            label={labels.requestsPerMinute}
            hint="On the Business plan only. Empty for the plan's own limit"
          />
          <TextField
            form={form}
            name="storedBytes"
            type="number"
            label={labels.storedBytes}
            hint={`Uses ${formatBytes(usage.storedBytes)} now. Empty for the plan's own limit`}
          />
          <FormButtons submit="Save plan" back={path} />
        </PostForm>
      </>
    ),
  };
}

/** A plan with what sets it apart. */
function choiceOf(plan: Plan): string {
  const { title, liveCodes, requestsPerMinute } = plans[plan];
  const codes = liveCodes === null ? "no cap on codes" : `${formatNumber(liveCodes)} codes`;
  return `${title}: ${codes}, ${formatNumber(requestsPerMinute)} requests a minute`;
}

import { limits } from "../../contract/limits.ts";
import {
  erasureSteps,
  type WorkspaceDeletion,
  WorkspaceDeletionInput,
} from "../../contract/resources/identity/leaving.ts";
import { may } from "../../domain/context/permissions.ts";
import { requireRecentSignIn } from "../../domain/identity/recent-sign-in.ts";
import { cancelDeletion, deleteWorkspace, getDeletion } from "../../domain/workspaces/deletion.ts";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { Choices } from "../../ui/forms/choices.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Stepper } from "../../ui/stepper.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { formatCount, formatTime } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { settingsPath } from "../frame/settings-page.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import { PromiseLink } from "./promise-link.tsx";

/** Where people see how far the deletion of their workspace is. */
export const deletionPath = `${settingsPath}/deletion`;

const formPath = `${settingsPath}/delete`;
const back = { path: settingsPath, name: "Settings" } as const;
const labels = { codes: "Your printed codes", name: "Name of the workspace" } as const;
const { stop, freeze } = limits.workspaceDeletion;

/** The part of the settings that leads to the deletion. */
export const DangerZone = ({ request }: { request: DashboardRequest }) => {
  const { context } = request;
  if (!may(context, "workspace")) return null;
  return (
    <section class="card" aria-labelledby="danger">
      <h2 id="danger">Delete workspace</h2>
      <p>Its codes, pages, scans and everything else are erased. You decide what happens to printed codes.</p>
      <PromiseLink request={request} />
      <a class="button danger" href={context.deletion === null ? formPath : deletionPath}>
        {context.deletion === null ? "Delete workspace" : "View deletion"}
      </a>
    </section>
  );
};

/** The choice of what happens to printed codes when a workspace or an account is deleted. */
export const CodesChoice = ({ form, label }: { form: FormState; label: string }) => (
  <Choices
    form={form}
    name="codes"
    label={label}
    type="radio"
    choices={[
      {
        value: "stop",
        text: "Stop now",
        about: `Scans get a page that says the code isn't in use. The data is erased after ${stop} days.`,
      },
      {
        value: "freeze",
        text: `Go on for ${freeze} days`,
        about: `Scans are redirected as they are today, and nobody can change where. Then the codes stop for good, and the data is erased.`,
      },
    ]}
  />
);

/** The form to delete the workspace. @throws SignInAgain */
export function deletionForm(request: DashboardRequest): DashboardResponse {
  if (request.context.deletion !== null) return { seeOther: deletionPath };
  requireRecentSignIn(request.deps, request.context);
  return showForm(request, new URLSearchParams({ codes: "stop", name: "" }));
}

function showForm(request: DashboardRequest, values: URLSearchParams, rejection?: Rejection): PageResponse {
  const { workspaceName, liveCodes } = request.user;
  const form: FormState = { values, problems: rejection?.problems ?? {} };
  const title = `Delete ${workspaceName}?`;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={back} />
      <div class="read">
        <section class="card" aria-labelledby="exports">
          <h2 id="exports">Take your data with you</h2>
          <p>Everything is erased for good. Export what you need first.</p>
          <Exports />
        </section>
        <PostForm class="card" novalidate data-draft="none">
          <Problems form={form} labels={labels} />
          <p>
            <strong>
              {formatCount(liveCodes, "code")}, {liveCodes === 1 ? "its" : "their"} scans, pages, submissions,
              templates, files and history will be erased.
            </strong>{" "}
            API keys, webhooks, jobs, shared reports and forms end at once, and members can no longer see or
            change anything. A printed code can't be used again, in this or another workspace.
          </p>
          <p>Until the data is erased, an owner can cancel the deletion, and everything is as it was.</p>
          <CodesChoice form={form} label={labels.codes} />
          <TextField
            form={form}
            name="name"
            label={labels.name}
            hint={`Type ${workspaceName} to confirm.`}
            required
            maxLength={limits.workspaceName}
          />
          <FormButtons submit="Delete workspace" back={settingsPath} danger />
        </PostForm>
      </div>
    </>,
  );
}

/** Every export that there is. */
const exports = [
  ["Codes", "CSV", "/dashboard/codes/export.csv"],
  ["Codes with all that is in them", "NDJSON", "/dashboard/codes/export.ndjson"],
  ["Scans", "CSV", "/dashboard/scans.csv"],
  ["Report of scans by day", "CSV", "/dashboard/report.csv"],
  ["History", "NDJSON", "/dashboard/history/export.ndjson"],
  ["Images of codes", "SVG, PNG or PDF", "/dashboard/print/images"],
  ["Submissions", "from each page", "/dashboard/pages"],
] as const;

const Exports = () => (
  <ul>
    {exports.map(([name, detail, href]) => (
      <li>
        <a href={href} hx-boost="false">
          {name}
        </a>{" "}
        <span class="quiet">{detail}</span>
      </li>
    ))}
  </ul>
);

/** Deletes the workspace; shows the form again if that fails. */
export async function requestDeletion(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const input = { name: form.get("name") ?? "", codes: form.get("codes") };
  const outcome = await submitForm(WorkspaceDeletionInput, input, (checked) =>
    deleteWorkspace(deps, context, checked),
  );
  if ("rejection" in outcome) return showForm(request, form, outcome.rejection);
  return { seeOther: deletionPath };
}

/** Says what happens to a workspace that is being deleted, and until when that can be cancelled. */
export async function showDeletion(request: DashboardRequest): Promise<DashboardResponse> {
  const { context, user, timeZone } = request;
  const { deletion } = getDeletion(context);
  if (deletion === null) return { seeOther: settingsPath };
  const title = `${user.workspaceName} is being deleted`;
  return {
    title,
    content: (
      <>
        <Head title={title} />
        <div class="read">
          <Progress deletion={deletion} timeZone={deletion.erasing === null ? await timeZone() : "UTC"} />
          {deletion.erasing === null && may(context, "workspace") && (
            <PostForm action={`${deletionPath}/cancel`}>
              <button class="button primary" type="submit">
                Cancel deletion
              </button>
            </PostForm>
          )}
        </div>
      </>
    ),
  };
}

const stepTexts: Readonly<Record<(typeof erasureSteps)[number], string>> = {
  codes: "Codes",
  pages: "Pages",
  records: "Folders, templates, jobs and keys",
  files: "Logos and archived scans",
  ledger: "Scans, submissions, webhooks and history",
};

function Progress({ deletion, timeZone }: { deletion: WorkspaceDeletion; timeZone: string }) {
  const { codes, requestedAt, requestedBy, eraseAt, erasing } = deletion;
  if (erasing !== null) {
    return (
      <section class="card" aria-labelledby="erasing">
        <h2 id="erasing">Erasing the data</h2>
        <p>This takes minutes, or longer for many codes. It can't be cancelled any more.</p>
        <Stepper
          label="Erasure"
          isList
          steps={erasureSteps.map((step) => stepTexts[step])}
          current={erasureSteps.indexOf(erasing)}
        />
      </section>
    );
  }
  return (
    <section class="card" aria-label="Deletion">
      <p>
        API keys, webhooks, jobs, shared reports and forms have ended.{" "}
        {codes === "stop"
          ? "Scans get a page that says the code isn't in use."
          : "Scans are redirected as before until the data is erased, but nobody can change where."}{" "}
        If an owner cancels the deletion, everything is as it was, except that webhooks stay paused.
      </p>
      <Facts
        items={[
          ["Requested by", requestedBy],
          ["Requested", formatTime(requestedAt, timeZone)],
          ["Data is erased from", formatTime(eraseAt, timeZone)],
        ]}
      />
    </section>
  );
}

export const cancelWorkspaceDeletion = change(cancelDeletion, settingsPath, "deletionCancelled");

import type { Child } from "hono/jsx";
import { SuspensionInput, type SuspensionStatus } from "../../contract/resources/operations/suspension.ts";
import type { Deps } from "../../domain/deps.ts";
import { getDomainOfHost } from "../../domain/domains/operator.ts";
import { inspectWorkspace, nameOfWorkspace } from "../../domain/operations/workspaces.ts";
import {
  getCodeToSuspend,
  getPageToSuspend,
  type SuspensionSubject,
  setCodeSuspension,
  setDomainSuspension,
  setPageSuspension,
  setWorkspaceSuspension,
} from "../../domain/suspensions.ts";
import { formatCount } from "../../ui/values/format.ts";
import { formPage } from "../frame/form-page.tsx";
import type { DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { OperatorRequest } from "./request.ts";
import { readSuspensionForm, SubjectFacts, SuspensionForm } from "./suspension-form.tsx";

/** A kind of what the operator suspends. */
interface Suspendable {
  /** Says what it is and what stops. @param key its id, or the host of a domain @throws not_found */
  readonly ask: (deps: Deps, key: string) => Promise<Asked>;
  readonly set: typeof setCodeSuspension;
  /** The address of the page that follows. */
  readonly next: (status: SuspensionStatus) => string;
}

interface Asked {
  readonly title: string;
  readonly back: { readonly path: string; readonly name: string };
  /** Shown above the fields of the form. */
  readonly about: Child;
}

const list = { path: "/operator/suspensions", name: "Suspensions" } as const;

const pageOf = ({ workspaceId }: Pick<SuspensionStatus, "workspaceId">): string =>
  `/operator/workspaces/${workspaceId}`;

const askAbout = (kind: "code" | "page", subject: SuspensionSubject): Asked => ({
  title: `Suspend the ${kind} ${subject.name}?`,
  back: list,
  about: (
    <>
      <SubjectFacts
        workspace={{ id: subject.workspaceId, name: subject.workspaceName }}
        leads={[["Leads to", subject.destination]]}
      />
      <p>Visitors get a generic page within a second. You can lift the suspension at any time.</p>
    </>
  ),
});

type Kind = "code" | "page" | "domain" | "workspace";

const suspendables: Readonly<Record<Kind, Suspendable>> = {
  code: {
    ask: async (deps, id) => askAbout("code", await getCodeToSuspend(deps, id)),
    set: setCodeSuspension,
    next: () => list.path,
  },
  page: {
    ask: async (deps, id) => askAbout("page", await getPageToSuspend(deps, id)),
    set: setPageSuspension,
    next: () => list.path,
  },
  domain: {
    async ask(deps, key) {
      const domain = await getDomainOfHost(deps, key);
      const { host, workspaceId: id, rootUrl, unknownUrl } = domain;
      const leads = [
        ["Leads to", rootUrl],
        ["Unknown paths", unknownUrl],
      ] as const;
      return {
        title: `Suspend ${host}?`,
        back: { path: pageOf(domain), name: "Workspace" },
        about: (
          <>
            <SubjectFacts workspace={{ id, name: await nameOfWorkspace(deps, id) }} leads={leads} />
            <p>
              <strong>No code answers at {host} any more, within a second.</strong> Visitors get a generic
              page. The codes go on working at the host of scans; you can lift the suspension at any time.
            </p>
          </>
        ),
      };
    },
    set: setDomainSuspension,
    next: pageOf,
  },
  workspace: {
    async ask(deps, key) {
      const { id, name, usage } = await inspectWorkspace(deps, key);
      const pages = usage.pages === 0 ? "" : ` and ${formatCount(usage.pages, "page")}`;
      return {
        title: `Suspend ${name}?`,
        back: { path: pageOf({ workspaceId: id }), name },
        about: (
          <p>
            <strong>
              {formatCount(usage.liveCodes, "code")}
              {pages} stop working within a second.
            </strong>{" "}
            Visitors get a generic page, and nothing can be created. Codes, scans and keys are kept; you can
            lift the suspension at any time.
          </p>
        ),
      };
    },
    set: setWorkspaceSuspension,
    next: pageOf,
  },
};

const keyOf = ({ param }: OperatorRequest): string => param("host") || param("id");

/** Asks for the reason to suspend something. @throws not_found */
export const askToSuspend =
  (kind: Kind) =>
  async (request: OperatorRequest, rejection?: Rejection): Promise<PageResponse> => {
    const { title, back, about } = await suspendables[kind].ask(request.deps, keyOf(request));
    const form = { values: request.form, problems: rejection?.problems ?? {} };
    return formPage(
      title,
      rejection,
      <SuspensionForm title={title} form={form} back={back}>
        {about}
      </SuspensionForm>,
    );
  };

/** Suspends it; shows the form again if that fails. @throws not_found */
export const suspend =
  (kind: Kind) =>
  async (request: OperatorRequest): Promise<DashboardResponse> => {
    const { deps, operator, form } = request;
    const { set, next } = suspendables[kind];
    const outcome = await submitForm(SuspensionInput, readSuspensionForm(form), (input) =>
      set(deps, operator, keyOf(request), input),
    );
    if ("rejection" in outcome) return askToSuspend(kind)(request, outcome.rejection);
    return { seeOther: next(outcome.done), flash: "suspended" };
  };

/** Lifts its suspension. @throws not_found */
export const lift =
  (kind: Kind) =>
  async (request: OperatorRequest): Promise<DashboardResponse> => {
    const { set, next } = suspendables[kind];
    const status = await set(request.deps, request.operator, keyOf(request), null);
    return { seeOther: next(status), flash: "suspensionLifted" };
  };

import { plans } from "../../../contract/plans.ts";
import type { OperatorWorkspaceDetails } from "../../../contract/resources/operations/operations.ts";
import type { Suspension } from "../../../contract/resources/operations/suspension.ts";
import { listWorkspaceDomains } from "../../../domain/domains/operator.ts";
import { waysToSignIn } from "../../../domain/identity/ways.ts";
import { inspectWorkspace } from "../../../domain/operations/workspaces.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import { HiddenFields } from "../../../ui/forms/hidden.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Head } from "../../../ui/head.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Table } from "../../../ui/table.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { Figures } from "../../../ui/values/figures.tsx";
import { formatBytes, formatDate, formatNumber, formatTime } from "../../../ui/values/format.ts";
import type { PageResponse } from "../../frame/request.ts";
import type { OperatorRequest } from "../request.ts";
import { Domains } from "./domains.tsx";

/** A workspace with its usage and its people. @throws not_found */
export async function showWorkspace({ deps, param }: OperatorRequest): Promise<PageResponse> {
  const [workspace, { domains }] = await Promise.all([
    inspectWorkspace(deps, param("id")),
    listWorkspaceDomains(deps, param("id")),
  ]);
  const { id, name, plan, requestsPerMinute, storedBytes, usage, suspended, deletion, ledgerProblem } =
    workspace;
  const path = `/operator/workspaces/${id}`;
  const known = (count: number | null) => (count === null ? "–" : formatNumber(count));
  return {
    title: name,
    content: (
      <>
        <Head title={name} back={{ path: "/operator/workspaces", name: "Workspaces" }}>
          <a class="button" href={`${path}/plan`}>
            Change plan
          </a>
          {suspended === null && (
            <a class="button danger" href={`${path}/suspend`}>
              Suspend
            </a>
          )}
        </Head>
        {suspended !== null && <Suspended suspended={suspended} path={path} />}
        {deletion !== null && <Deleted deletion={deletion} />}
        {ledgerProblem !== null && (
          <Notice kind="warn">
            <p>{ledgerProblem}. Scans and webhooks aren't known.</p>
          </Notice>
        )}
        <Figures
          items={[
            ["Codes", formatNumber(usage.liveCodes)],
            ["Scans", known(usage.scans)],
            ["Pages", formatNumber(usage.pages)],
            ["Webhooks", known(usage.webhooks)],
          ]}
        />
        <section class="card" aria-label="Facts">
          <Facts
            items={[
              ["Plan", plans[plan].title],
              ["Requests a minute", formatNumber(requestsPerMinute)],
              ["Stored", `${formatBytes(usage.storedBytes)} of ${formatBytes(storedBytes)}`],
              ["Keys", formatNumber(usage.keys)],
              ["Folders", formatNumber(usage.folders)],
              ["Templates", formatNumber(usage.templates)],
              ["Created", formatTime(workspace.createdAt)],
              ["Id", <code>{id}</code>],
            ]}
          />
        </section>
        {domains.length > 0 && (
          <section aria-labelledby="domains">
            <div class="section-head">
              <h2 id="domains">Domains</h2>
            </div>
            <Domains domains={domains} />
          </section>
        )}
        <section aria-labelledby="people">
          <div class="section-head">
            <h2 id="people">People</h2>
          </div>
          <People workspace={workspace} canRecover={waysToSignIn(deps).passkeys} />
        </section>
      </>
    ),
  };
}

const Suspended = ({ suspended, path }: { suspended: Suspension; path: string }) => (
  <Notice kind="bad">
    <p>
      <strong>Suspended since {formatTime(suspended.at)}.</strong> {suspended.reason}
    </p>
    <p>Scans of its codes get a generic page ({suspended.legalOrder ? "451" : "403"}).</p>
    <div class="buttons">
      <Action path={`${path}/lift`}>Lift suspension</Action>
    </div>
  </Notice>
);

const Deleted = ({ deletion }: { deletion: NonNullable<OperatorWorkspaceDetails["deletion"]> }) => (
  <Notice kind="warn">
    <p>
      <strong>Deleted on {formatDate(deletion.requestedAt)}.</strong>{" "}
      {deletion.erased
        ? "Its data is erased."
        : `Its data is erased from ${formatDate(deletion.eraseAt)} on. Until then, an owner can cancel that.`}
    </p>
  </Notice>
);

interface PeopleProps {
  readonly workspace: OperatorWorkspaceDetails;
  readonly canRecover: boolean;
}

function People({ workspace: { id, people, usage }, canRecover }: PeopleProps) {
  if (people.length === 0) return <p class="quiet">Nobody signs in here. Programs use it with keys.</p>;
  return (
    <>
      <Table
        kind="records"
        rows={people}
        columns={[
          {
            head: "Person",
            cell: (person) => (
              <>
                <strong>{person.name ?? person.email ?? "Without a name"}</strong>
                {person.name !== null && person.email !== null && (
                  <span class="second quiet">{person.email}</span>
                )}
              </>
            ),
          },
        ]}
        actions={(person) => (
          <PostForm class="buttons" action="/operator/sign-in-links">
            <HiddenFields
              values={[
                ["userId", person.id],
                ["workspaceId", id],
              ]}
            />
            {canRecover && (
              <button class="button" type="submit" name="kind" value="recovery">
                Create recovery link
              </button>
            )}
            <button class="button" type="submit" name="kind" value="confirmation">
              Create confirmation link
            </button>
          </PostForm>
        )}
      />
      {usage.members > people.length && (
        <p class="quiet">
          The first {formatNumber(people.length)} of {formatNumber(usage.members)} people.
        </p>
      )}
    </>
  );
}

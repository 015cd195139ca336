import { limits } from "../../../contract/limits.ts";
import { plans } from "../../../contract/plans.ts";
import type { OperatorWorkspace } from "../../../contract/resources/operations/operations.ts";
import { waysToSignIn } from "../../../domain/identity/ways.ts";
import { listWorkspaces } from "../../../domain/operations/workspaces.ts";
import { Empty } from "../../../ui/empty.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Search } from "../../../ui/forms/search.tsx";
import { Head } from "../../../ui/head.tsx";
import { Pages } from "../../../ui/pages.tsx";
import { Table } from "../../../ui/table.tsx";
import { formatBytes, formatDate, formatNumber } from "../../../ui/values/format.ts";
import { Status } from "../../../ui/values/status.tsx";
import type { PageResponse } from "../../frame/request.ts";
import type { OperatorRequest } from "../request.ts";

const path = "/operator/workspaces";

/** All workspaces, newest first, or those that match a search. */
export async function workspaceList({ deps, query }: OperatorRequest): Promise<PageResponse> {
  const q = (query.get("q") ?? "").trim().slice(0, limits.name);
  const cursor = query.get("cursor") ?? undefined;
  const search = q === "" ? {} : { q };
  const { items, nextCursor } = await listWorkspaces(deps, {
    ...search,
    cursor,
    limit: limits.operatorList.default,
  });
  const isEmpty = items.length === 0;
  return {
    title: "Workspaces",
    content: (
      <>
        <Head title="Workspaces">{waysToSignIn(deps).passkeys && <NewOwner />}</Head>
        {(q !== "" || !isEmpty) && (
          <Search path={path} label="Search workspaces" value={q} maxLength={limits.name} />
        )}
        {isEmpty && q === "" && (
          <Empty
            title="No workspaces yet"
            text="A workspace begins when its owner signs in for the first time. Create a link for them, or let them in through your provider."
          />
        )}
        {isEmpty && q !== "" && (
          <Empty title="No results" text="Try a shorter part of the name.">
            <a class="button" href={path}>
              Show all workspaces
            </a>
          </Empty>
        )}
        {!isEmpty && <WorkspaceTable workspaces={items} />}
        <Pages
          address={q === "" ? path : `${path}?${new URLSearchParams({ q })}`}
          isFirst={cursor === undefined}
          nextCursor={nextCursor}
        />
      </>
    ),
  };
}

const NewOwner = () => (
  <PostForm action="/operator/sign-in-links">
    <button class="button primary" type="submit">
      Create owner link
    </button>
  </PostForm>
);

const WorkspaceTable = ({ workspaces }: { workspaces: readonly OperatorWorkspace[] }) => (
  <Table
    kind="records"
    rows={workspaces}
    columns={[
      {
        head: "Workspace",
        cell: ({ id, name, suspended, deletion }) => (
          <>
            <a class="name" dir="auto" href={`${path}/${id}`}>
              {name}
            </a>
            {suspended !== null && (
              <span class="second">
                <Status kind="bad">Suspended</Status>
              </span>
            )}
            {deletion !== null && (
              <span class="second quiet">Deleted, erased on {formatDate(deletion.eraseAt)}</span>
            )}
          </>
        ),
      },
      ["Plan", ({ plan }) => plans[plan].title],
      {
        head: "Codes",
        kind: "number",
        unit: ({ usage }) => (usage.liveCodes === 1 ? "code" : "codes"),
        cell: ({ usage }) => formatNumber(usage.liveCodes),
      },
      {
        head: "People",
        kind: "number",
        priority: 2,
        unit: ({ usage }) => (usage.members === 1 ? "person" : "people"),
        cell: ({ usage }) => formatNumber(usage.members),
      },
      {
        head: "Stored",
        kind: "number",
        priority: 3,
        cell: ({ usage }) => formatBytes(usage.storedBytes),
      },
      ["Created", ({ createdAt }) => formatDate(createdAt), { kind: "nowrap", priority: 2 }],
    ]}
  />
);

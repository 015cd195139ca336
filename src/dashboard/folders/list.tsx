import { limits } from "../../contract/limits.ts";
import { FolderInput } from "../../contract/resources/codes/folders.ts";
import {
  countCodesInFolders,
  createFolder,
  type ListedFolder,
  searchFolders,
} from "../../domain/folders/folders.ts";
import { ifAvailable } from "../../domain/ledger.ts";
import { type ScansOfGroups, scansOfFolders } from "../../domain/scans/groups.ts";
import { scanColumns } from "../../ui/charts/scan-columns.tsx";
import { Empty } from "../../ui/empty.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import type { FormState } from "../../ui/forms/form.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Search } from "../../ui/forms/search.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RowMenu } from "../../ui/menu.tsx";
import { Pages } from "../../ui/pages.tsx";
import { codesColumn, Table } from "../../ui/table.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { folderAddress, nameInSearch, writeSearch } from "../codes/list/search.ts";
import { formPage } from "../frame/form-page.tsx";
import { May } from "../frame/may.tsx";
import { UpgradeLink } from "../frame/notices.tsx";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

/** How many folders a page of the list shows. */
const pageLength = 50;

/** The workspace's folders by name, or those that match a search, and the form to create one. */
export const folderList = (request: DashboardRequest): Promise<PageResponse> => show(request);

/** Creates a folder; shows the form again if that fails. */
export async function saveFolder(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(FolderInput, { name: form.get("name") ?? "" }, (input) =>
    createFolder(deps, context, input),
  );
  if ("rejection" in outcome) return show(request, outcome.rejection);
  return { seeOther: "/dashboard/folders", flash: "folderCreated" };
}

async function show(request: DashboardRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, context, query } = request;
  const q = query.get("q")?.trim() ?? "";
  const cursor = query.get("cursor") ?? undefined;
  const { items, nextCursor } = await searchFolders(deps, context, { q, cursor, limit: pageLength });
  const ids = items.map(({ id }) => id);
  const [counts, scans] = await Promise.all([
    countCodesInFolders(deps, context, ids),
    ifAvailable(deps, () => scansOfFolders(deps, context, ids)),
  ]);
  const isEmpty = items.length === 0;
  const isWhole = cursor === undefined && nextCursor === null;
  const form: FormState = { values: request.form, problems: rejection?.problems ?? {} };
  return formPage(
    "Folders",
    rejection,
    <>
      <Head title="Folders" />
      <Problems form={form} labels={{ name: "Name" }} />
      {rejection?.status === 402 && (
        <p>
          <UpgradeLink url={deps.settings.upgradeUrl} />
        </p>
      )}
      <May permission="codes.write">
        <PostForm class="in-line" novalidate>
          <TextField form={form} name="name" label="New folder" required maxLength={limits.folderName} />
          <button class="button primary" type="submit">
            Create folder
          </button>
        </PostForm>
      </May>
      {(q !== "" || !isWhole) && <Search path="/dashboard/folders" label="Search folders" value={q} />}
      {isEmpty && q === "" && (
        <Empty
          title="No folders yet"
          text="Folders keep codes together, such as those of a branch or a campaign. A code can be in only one folder, but have any number of tags."
        />
      )}
      {isEmpty && q !== "" && (
        <Empty title="No results" text="Check the spelling, or use fewer words.">
          <a class="button" href="/dashboard/folders">
            Show all folders
          </a>
        </Empty>
      )}
      {!isEmpty && <FolderTable folders={items} counts={counts} scans={scans} />}
      <Pages
        address={q === "" ? "/dashboard/folders" : `/dashboard/folders?${new URLSearchParams({ q })}`}
        isFirst={cursor === undefined}
        nextCursor={nextCursor}
      />
    </>,
  );
}

interface TableProps {
  readonly folders: readonly ListedFolder[];
  readonly counts: ReadonlyMap<string, number>;
  /** Null if they aren't available now. */
  readonly scans: ScansOfGroups | null;
}

const FolderTable = ({ folders, counts, scans }: TableProps) => (
  <Table
    kind="rows-of-names"
    rows={folders.map((folder): CountedFolder => ({ ...folder, codes: counts.get(folder.id) ?? 0 }))}
    columns={[
      { head: "Folder", cell: FolderName },
      codesColumn,
      ...(scans === undefined ? [] : scanColumns<CountedFolder>(({ id }) => scans && (scans.get(id) ?? []))),
      { head: "Created", kind: "quiet", priority: 3, cell: ({ createdAt }) => formatDate(createdAt) },
    ]}
    actions={FolderMenu}
  />
);

interface CountedFolder extends ListedFolder {
  readonly codes: number;
}

const FolderName = (folder: CountedFolder) => (
  <a class="name" dir="auto" href={folderAddress(folder)}>
    <Icon name="folder" size={18} />
    <span>{folder.name}</span>
  </a>
);

function FolderMenu(folder: CountedFolder) {
  const page = `/dashboard/folders/${folder.id}`;
  const q = writeSearch({ words: "", folder: nameInSearch(folder) });
  return (
    <May permission="codes.write">
      <RowMenu
        name={folder.name}
        items={[
          ["Rename", "pencil", `${page}/edit`],
          folder.codes > 0 && [
            "Move codes",
            "folder-input",
            `/dashboard/codes/bulk?${new URLSearchParams({ q })}#folderId`,
          ],
          "divider",
          ["Delete", "trash", `${page}/delete`],
        ]}
      />
    </May>
  );
}

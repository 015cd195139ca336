import { FolderInput, type Folder } from "../../contract/resources/folders.ts";
import { limits } from "../../contract/limits.ts";
import { countCodesInFolders, createFolder, listFolders } from "../../domain/codes/folders.ts";
import { folderAddress } from "../codes/search.ts";
import { codeCount } from "../components/code-count.ts";
import { Empty } from "../components/empty.tsx";
import { TextField } from "../components/field.tsx";
import type { FormState } from "../components/form.ts";
import { formatDate } from "../components/format.ts";
import { Head } from "../components/head.tsx";
import { NumberCell } from "../components/number-cell.tsx";
import { Problems } from "../components/problems.tsx";
import { type Rejection, submitForm } from "../frame/submit-form.ts";
import type { Answer, PageAnswer, Visit } from "../frame/visit.ts";

/** The folders of the workspace by name, and the form of a new one. */
export const folderList = (visit: Visit): Promise<PageAnswer> => show(visit);

/** Creates a folder; shows the form again if that fails. */
export async function saveFolder(visit: Visit): Promise<Answer> {
  const { deps, owner, form } = visit;
  const outcome = await submitForm(FolderInput, { name: form.get("name") ?? "" }, (input) =>
    createFolder(deps, owner, input),
  );
  if ("rejection" in outcome) return show(visit, outcome.rejection);
  return { seeOther: "/dashboard/folders", flash: "folderCreated" };
}

async function show(visit: Visit, rejection?: Rejection): Promise<PageAnswer> {
  const { deps, owner } = visit;
  const [{ folders }, counts] = await Promise.all([
    listFolders(deps, owner),
    countCodesInFolders(deps, owner),
  ]);
  const form: FormState = { values: visit.form, problems: rejection?.problems ?? {} };
  return {
    title: rejection === undefined ? "Folders" : "Problem: folders",
    status: rejection?.status ?? 200,
    content: (
      <>
        <Head title="Folders" />
        <Problems form={form} labels={{ name: "Name" }} />
        {folders.length === 0 ? (
          <Empty
            title="No folders yet"
            text="Folders keep codes together, such as those of a branch or a campaign. A code is in one folder at most, and can have any number of tags."
          />
        ) : (
          <FolderTable folders={folders} counts={counts} />
        )}
        <form class="card below" method="post" novalidate>
          <h2>New folder</h2>
          <div class="in-line">
            <TextField form={form} name="name" label="Name" required maxLength={limits.folderName} />
            <button class="button primary" type="submit">
              Create the folder
            </button>
          </div>
        </form>
      </>
    ),
  };
}

const names = new Intl.Collator("en", { numeric: true });

const sorted = (folders: readonly Folder[]): Folder[] =>
  folders.toSorted((a, b) => names.compare(a.name, b.name));

interface TableProps {
  readonly folders: readonly Folder[];
  readonly counts: ReadonlyMap<string, number>;
}

function FolderTable({ folders, counts }: TableProps) {
  return (
    <table class="table rows-of-names">
      <thead>
        <tr>
          <th scope="col">Folder</th>
          <th scope="col" class="number">
            Codes
          </th>
          <th scope="col">Created</th>
          <th scope="col">
            <span class="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sorted(folders).map((folder) => (
          <FolderRow folder={folder} folders={folders} codes={counts.get(folder.id) ?? 0} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly folder: Folder;
  readonly folders: readonly Folder[];
  readonly codes: number;
}

function FolderRow({ folder, folders, codes }: RowProps) {
  const page = `/dashboard/folders/${folder.id}`;
  return (
    <tr>
      <td>
        <a class="name" href={folderAddress(folder, folders)}>
          {folder.name}
        </a>
      </td>
      <NumberCell unit={codes === 1 ? "code" : "codes"}>{codeCount(codes)}</NumberCell>
      <td class="quiet">{formatDate(folder.createdAt)}</td>
      <td>
        <div class="buttons">
          <a class="button" href={`${page}/edit`}>
            Rename<span class="visually-hidden"> {folder.name}</span>
          </a>
          <a class="button" href={`${page}/delete`}>
            Delete<span class="visually-hidden"> {folder.name}</span>
          </a>
        </div>
      </td>
    </tr>
  );
}

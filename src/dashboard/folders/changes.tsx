import { limits } from "../../contract/limits.ts";
import { type Folder, FolderInput } from "../../contract/resources/codes/folders.ts";
import {
  countCodesInFolders,
  getFolder,
  deleteFolder as removeFolder,
  renameFolder,
  restoreFolder as restore,
} from "../../domain/folders/folders.ts";
import { codeCountWithNoun } from "../../ui/values/format.ts";
import { change } from "../frame/change.ts";
import { confirmPage, namePage } from "../frame/form-page.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

const back = { path: "/dashboard/folders", name: "Folders" } as const;

/** The form to rename a folder. @throws not_found */
export async function editFolder({ deps, context, param }: DashboardRequest): Promise<PageResponse> {
  const folder = await getFolder(deps, context, param("id"));
  return show(folder, new URLSearchParams({ name: folder.name }));
}

/** Renames a folder; shows the form again if that fails. @throws not_found */
export async function saveFolderName({
  deps,
  context,
  param,
  form,
}: DashboardRequest): Promise<DashboardResponse> {
  const folder = await getFolder(deps, context, param("id"));
  const outcome = await submitForm(FolderInput, { name: form.get("name") ?? "" }, (input) =>
    renameFolder(deps, context, folder.id, input),
  );
  if ("rejection" in outcome) return show(folder, form, outcome.rejection);
  return { seeOther: back.path, flash: "folderRenamed", subject: param("id") };
}

const show = ({ name }: Folder, values: URLSearchParams, rejection?: Rejection): PageResponse =>
  namePage({
    ...{ title: `Rename ${name}`, back, values, rejection },
    ...{ name: "name", maxLength: limits.folderName, submit: "Rename folder" },
  });

/** Asks for confirmation before deleting a folder. @throws not_found */
export const confirmFolderDeletion: Answer = async ({ deps, context, param }) => {
  const { id, name } = await getFolder(deps, context, param("id"));
  const counts = await countCodesInFolders(deps, context, [id]);
  const codes = counts.get(id) ?? 0;
  return confirmPage(
    { title: `Delete folder ${name}?`, action: "Delete folder", back },
    <>
      {codes === 0 ? (
        <p>No code is in this folder.</p>
      ) : (
        <p>
          <strong>{codes === 1 ? "Its code stays" : `Its ${codeCountWithNoun(codes)} stay`}</strong>, without
          a folder. Scans and reports of codes don't change.
        </p>
      )}
      <p>
        You can restore the folder{codes > 0 && " with its codes"} from the bin for {limits.deletedDays} days.
      </p>
    </>,
  );
};

export const deleteFolder = change(removeFolder, back.path, "folderDeleted");
export const restoreFolder = change(restore, back.path, "folderRestored");

import { limits } from "../../contract/limits.ts";
import { type SavedList, SavedListInput } from "../../contract/resources/codes/saved-lists.ts";
import {
  createSavedList,
  getSavedList,
  listSavedLists,
  deleteSavedList as remove,
  restoreSavedList as restore,
  updateSavedList,
} from "../../domain/codes/saved-lists.ts";
import { may } from "../../domain/context/permissions.ts";
import { Empty } from "../../ui/empty.tsx";
import { FormButtons } from "../../ui/forms/buttons.tsx";
import { Choices } from "../../ui/forms/choices.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Problems } from "../../ui/forms/problems.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RowMenu } from "../../ui/menu.tsx";
import { Table } from "../../ui/table.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { savedFilterOf } from "../codes/list/saved.ts";
import { listAddress, readSearch } from "../codes/list/search.ts";
import { defaultView, orderText, readView, viewNames } from "../codes/list/view.ts";
import { change } from "../frame/change.ts";
import { confirmPage, formPage } from "../frame/form-page.tsx";
import type { Answer, DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { type Rejection, submitForm } from "../frame/submit-form.ts";

const path = "/dashboard/lists";
const back = { path, name: "Saved lists" } as const;

/** The address of a saved list. */
const addressOf = (id: string): string => `/dashboard/codes?list=${id}`;

/** The workspace's saved lists, and those of the person. */
export async function savedLists({ deps, context, timeZone }: DashboardRequest): Promise<PageResponse> {
  const { lists } = await listSavedLists(deps, context);
  const zone = lists.length === 0 ? "UTC" : await timeZone();
  const mayEdit = (list: SavedList) => !list.shared || may(context, "codes.write");
  return {
    title: "Saved lists",
    content: (
      <>
        <Head title="Saved lists" back={{ path: "/dashboard/codes", name: "Codes" }} />
        {lists.length === 0 ? (
          <Empty
            title="No saved lists yet"
            text="Filter or sort your codes, then choose Save list. It keeps the filter, the order and the columns under a name, for you or for everyone."
          >
            <a class="button" href="/dashboard/codes">
              Show all codes
            </a>
          </Empty>
        ) : (
          <Table
            kind="rows-of-names"
            rows={lists}
            columns={[
              {
                head: "List",
                cell: ({ id, name }) => (
                  <a class="name" dir="auto" href={addressOf(id)}>
                    <Icon name="bookmark" size={18} />
                    <span>{name}</span>
                  </a>
                ),
              },
              ["For", ({ shared }) => (shared ? "Everyone" : "You"), { kind: "quiet" }],
              ["Order", (list) => orderText(list), { kind: "quiet", priority: 3 }],
              ["Changed", ({ updatedAt }) => formatDate(updatedAt, zone), { kind: "quiet", priority: 3 }],
            ]}
            actions={(list) =>
              mayEdit(list) && (
                <RowMenu
                  name={list.name}
                  items={[
                    ["Edit", "pencil", `${path}/${list.id}/edit`],
                    "divider",
                    ["Delete", "trash", `${path}/${list.id}/delete`],
                  ]}
                />
              )
            }
          />
        )}
      </>
    ),
  };
}

/** The form that saves the list of an address, of which it has the parameters. */
export const newSavedList: Answer = (request) => showForm(request, { values: request.query });

/** Saves a list; shows the form again if that fails. */
export async function saveNewList(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const outcome = await submitForm(SavedListInput, await inputOf(request), (input) =>
    createSavedList(deps, context, input),
  );
  if ("rejection" in outcome) return showForm(request, { values: form, rejection: outcome.rejection });
  return { seeOther: addressOf(outcome.done.id), flash: "listSaved" };
}

/** Returns what a form saves. A search that can find nothing isn't a filter. */
async function inputOf(request: DashboardRequest) {
  const { form } = request;
  const { sort, order, columns } = readView(form) ?? defaultView;
  const filter = await savedFilterOf(request, form.get("q") ?? "");
  return {
    ...{ name: form.get("name") ?? "", shared: form.get("shared") === "everyone" },
    ...{ filter: filter ?? undefined, sort, order, columns: [...columns] },
  };
}

/** The form of a saved list's name, and whose it is. @throws not_found */
export async function editSavedList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, param } = request;
  const list = await getSavedList(deps, context, param("id"));
  const values = new URLSearchParams({ name: list.name, shared: list.shared ? "everyone" : "me" });
  return showForm(request, { values, list });
}

/** Changes them; shows the form again if that fails. @throws not_found */
export async function saveList(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param, form } = request;
  const list = await getSavedList(deps, context, param("id"));
  const input = { name: form.get("name") ?? "", shared: form.get("shared") === "everyone" };
  const outcome = await submitForm(SavedListInput.pick({ name: true, shared: true }), input, (checked) =>
    updateSavedList(deps, context, list.id, checked),
  );
  if ("rejection" in outcome) return showForm(request, { values: form, list, rejection: outcome.rejection });
  return { seeOther: addressOf(list.id), flash: "listChanged", subject: list.id };
}

interface FormProps {
  readonly values: URLSearchParams;
  readonly rejection?: Rejection;
  /** Undefined for a new one. */
  readonly list?: SavedList;
}

function showForm({ context }: DashboardRequest, { values, rejection, list }: FormProps): PageResponse {
  const title = list === undefined ? "Save list" : `Edit ${list.name}`;
  const chosen = new URLSearchParams(values);
  if (!chosen.has("shared")) chosen.set("shared", "me");
  const form = { values: chosen, problems: rejection?.problems ?? {} };
  const kept = ["q", ...viewNames].flatMap((name) => {
    const value = values.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const listed = listAddress(readSearch(values.get("q") ?? ""), readView(values) ?? undefined);
  const from = list === undefined ? { path: listed, name: "Codes" } : back;
  return formPage(
    title,
    rejection,
    <>
      <Head title={title} back={from} />
      <PostForm class="narrow-form" novalidate>
        <Problems form={form} labels={{ name: "Name", shared: "For" }} />
        {list === undefined && <HiddenFields values={kept} />}
        <TextField
          form={form}
          name="name"
          label="Name"
          hint="Such as “Paused posters”"
          required
          maxLength={limits.savedLists.name}
        />
        {may(context, "codes.write") && (
          <Choices
            form={form}
            type="radio"
            name="shared"
            label="For"
            choices={[
              { value: "me", text: "You", about: "Only you have it in your navigation" },
              { value: "everyone", text: "Everyone", about: "Everyone in the workspace has it" },
            ]}
          />
        )}
        <FormButtons submit={list === undefined ? "Save list" : "Save"} back={from.path} />
      </PostForm>
    </>,
  );
}

/** Saves the filter, order and columns of an address for a list. @throws not_found, forbidden */
export async function saveListAgain(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param } = request;
  const { filter, sort, order, columns } = await inputOf(request);
  await updateSavedList(deps, context, param("id"), {
    ...{ filter: filter ?? {}, sort, order, columns },
  });
  return { seeOther: addressOf(param("id")), flash: "listChanged", subject: param("id") };
}

/** Asks whether to delete a saved list. @throws not_found */
export const confirmListDeletion: Answer = async ({ deps, context, param }) => {
  const { name, shared } = await getSavedList(deps, context, param("id"));
  return confirmPage(
    { title: `Delete list ${name}?`, action: "Delete list", back },
    <>
      <p>
        <strong>Its codes stay as they are.</strong>
        {shared && " Nobody in the workspace will have the list any more."}
      </p>
      <p>You can restore it from the bin for {limits.deletedDays} days.</p>
    </>,
  );
};

export const deleteSavedList = change(remove, path, "listDeleted");
export const restoreSavedList = change(restore, path, "listRestored");

import type { PropsWithChildren } from "hono/jsx";
import { limits } from "../../../contract/limits.ts";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { DefaultSubmit, FormKey } from "../../../ui/forms/buttons.tsx";
import { WordsField } from "../../../ui/forms/combobox.tsx";
import { emptyForm } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Menu, MenuDivider } from "../../../ui/menu.tsx";
import { Thumbnail } from "../../../ui/values/code-image.tsx";
import { codeCount, formatCount } from "../../../ui/values/format.ts";
import { type Choices, none } from "../../choices/choices.ts";
import { SearchedSelect } from "../../choices/searched-select.tsx";
import { folderSource, tagSuggestions } from "../../choices/sources.ts";
import { May } from "../../frame/may.tsx";
import { isByLastScan, readSearch } from "./search.ts";

/** The id of the form that the rows' checkboxes belong to. */
const form = "selection";

/** The contents of a list. */
export interface ListFacts {
  /** The search whose results are listed. */
  readonly search: string;
  /** How many codes it finds, and whether all were counted. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
  /** How many codes the workspace has. */
  readonly total: number;
}

/** Describes all codes of a list. */
export const allOf = ({ search, matched, total }: ListFacts): string =>
  search === ""
    ? `all ${formatCount(total, "code")}`
    : `all ${matched.isAll ? `${codeCount(matched.codes)} results` : "results"}`;

interface Props extends ListFacts {
  readonly folders: Choices<ListedFolder>;
  /** The list's address, to which an action returns. */
  readonly address: string;
  /** How many codes the page has. */
  readonly listed: number;
}

/**
 * Actions on the selected codes, or on all codes of the list. With scripts, the bar stays in view once a code is selected.
 */
export function Selection({ folders, address, listed, ...list }: Props) {
  const { search, matched, total } = list;
  // Without a search, all are those of the workspace, also where only scanned ones are listed.
  const count = search === "" ? total : matched.isAll ? matched.codes : null;
  const hasMore = (count === null || count > listed) && !isByLastScan(readSearch(search));
  return (
    // Not boosted, because one of its buttons downloads a file.
    <PostForm
      class="selection"
      id={form}
      action="/dashboard/codes/bulk"
      hx-boost="false"
      novalidate
      data-selection={allOf(list)}
      data-draft="none"
    >
      <May permission="codes.write">
        <DefaultSubmit />
        <FormKey />
      </May>
      <input type="hidden" name="q" value={search} />
      <input type="hidden" name="back" value={address} />
      {count !== null && <input type="hidden" name="matched" value={count} />}
      <span class="selected" role="status" data-selected="">
        Selected codes
      </span>
      {hasMore && (
        <label class="button plain of-all bar-only">
          <input type="checkbox" id="select-all" name="all" />
          <span>Select {allOf(list)}</span>
        </label>
      )}
      <May permission="codes.write">
        <Popover icon="folder-input" action="move" verb="Move">
          {folders.items.length === 0 && (
            <p>
              There are no folders yet. <a href="/dashboard/folders">Create a folder</a>
            </p>
          )}
          {folders.items.length > 0 && (
            <SearchedSelect
              source={folderSource}
              form={emptyForm}
              label="Folder"
              required
              others={[
                ["", "Choose a folder"],
                [none, "No folder"],
              ]}
              choices={folders}
            />
          )}
        </Popover>
        <Popover icon="tag" action="tag" verb="Tag">
          <WordsField form={emptyForm} name="addTags" label="Tags to add" required source={tagSuggestions} />
        </Popover>
        <button class="button plain bar-only" type="submit" name="action" value="pause">
          <Icon name="pause" />
          <span class="hidden-on-phones">Pause</span>
        </button>
      </May>
      <Menu
        text={<span class="hidden-on-phones">Download</span>}
        icon="download"
        button="button plain"
        align="above"
      >
        <button class="menu-item" type="submit" formaction="/dashboard/print/images">
          <Icon name="image" />
          <span>Images</span>
        </button>
        <button class="menu-item" type="submit" formaction="/dashboard/print">
          <Icon name="printer" />
          <span>Labels</span>
        </button>
        <button
          class="menu-item"
          type="submit"
          formaction="/dashboard/codes/export.csv"
          formmethod="get"
          data-download=""
        >
          <Icon name="file-text" />
          <span>Export as CSV</span>
        </button>
      </Menu>
      <May permission="codes.write">
        <Menu label="More actions" icon="ellipsis" button="button plain" align="above">
          {hasMore && (
            <label class="menu-item menu-only" for="select-all">
              <Icon name="list-checks" />
              <span>Select {allOf(list)}</span>
            </label>
          )}
          <button class="menu-item menu-only" type="submit" name="action" value="pause">
            <Icon name="pause" />
            <span>Pause</span>
          </button>
          <button class="menu-item" type="submit" name="action" value="resume">
            <Icon name="play" />
            <span>Resume</span>
          </button>
          <button class="menu-item" type="submit">
            <Icon name="pencil" />
            <span>Edit design and destinations</span>
          </button>
          <MenuDivider />
          <button
            class="menu-item danger"
            type="submit"
            name="step"
            value="delete"
            data-open="#delete-selected"
          >
            <Icon name="trash" />
            <span>Delete</span>
          </button>
        </Menu>
        <Deletion />
      </May>
      <button class="button plain" type="reset" aria-label="Clear selection" data-script="" hidden>
        <Icon name="x" />
      </button>
    </PostForm>
  );
}

interface PopoverProps {
  readonly icon: IconName;
  /** The value of the field `action`. */
  readonly action: string;
  readonly verb: string;
}

/** An action with a field. Enter in the field takes it. */
const Popover = ({ icon, action, verb, children }: PropsWithChildren<PopoverProps>) => (
  <Menu text={<span class="hidden-on-phones">{verb}</span>} icon={icon} button="button plain" align="above">
    <div class="menu-fields" data-action="">
      {children}
      <button class="button primary" type="submit" name="action" value={action}>
        <span>
          {verb} <Selected />
        </span>
      </button>
    </div>
  </Menu>
);

/** The selected codes in words. Scripts add their number. */
const Selected = () => <span data-selected-codes="">selected codes</span>;

/** Asks before codes are deleted. Without scripts, the review of the change does. */
const Deletion = () => (
  <dialog id="delete-selected" aria-labelledby="delete-selected-title">
    <h2 id="delete-selected-title">
      Delete <Selected />?
    </h2>
    <p>
      <strong>Their scans stop working at once</strong>, including those of printed codes. You can restore the
      codes from the bin for {limits.deletedDays} days.
    </p>
    <div class="buttons">
      <button class="button danger primary" type="submit" name="action" value="delete">
        <span>
          Delete <Selected />
        </span>
      </button>
      <button class="button" type="button" data-close="">
        Cancel
      </button>
    </div>
  </dialog>
);

const boxOf = (hash: string): string => `select-${hash}`;

/** The same as an item of a code's menu, on phones, which only show the image. */
export const MenuSelect = ({ hash }: { hash: string }) => (
  <label class="menu-item" for={boxOf(hash)}>
    <Icon name="check" />
    <span>Select</span>
  </label>
);

/** The checkbox in front of a code, with its image. */
export function SelectCode({ qr }: { qr: Qr }) {
  return (
    <label class="pick">
      <input type="checkbox" id={boxOf(qr.hash)} name="id" value={qr.id} form={form} />
      <span class="visually-hidden">Select {codeTitle(qr)}</span>
      <Thumbnail qr={qr} />
    </label>
  );
}

/** The checkbox that selects all codes of the page. Requires scripts. */
export function SelectPage() {
  return (
    <>
      <span class="visually-hidden">Selection and image</span>
      <label class="pick of-page">
        <input type="checkbox" form={form} data-all="" />
        <span class="visually-hidden">Select all codes on this page</span>
      </label>
    </>
  );
}

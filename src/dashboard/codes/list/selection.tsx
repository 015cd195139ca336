import type { Qr } from "../../../contract/resources/codes/qr.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Menu, MenuDivider, MenuLink } from "../../../ui/menu.tsx";
import { codeCount, formatCount } from "../../../ui/values/format.ts";
import { Thumbnail } from "../../../ui/values/code-image.tsx";
import { May } from "../../frame/may.tsx";

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

/** Actions on the selected codes. With scripts, the bar stays in view once a code is selected. */
export function Selection({ search, matched, total }: ListFacts) {
  const all = allOf({ search, matched, total });
  const editAll = `/dashboard/codes/bulk?${new URLSearchParams({ q: search })}`;
  return (
    // Not boosted, because one of its buttons downloads a file.
    <form
      class="selection"
      id={form}
      method="post"
      action="/dashboard/codes/bulk"
      hx-boost="false"
      data-selection=""
      data-draft="none"
    >
      <input type="hidden" name="q" value={search} />
      <span class="selected" role="status" data-selected="">
        Selected codes
      </span>
      <May permission="codes.write">
        <Step icon="folder-input" path="#folderId">
          Move
        </Step>
        <Step icon="tag" path="#addTags" place="bar-only">
          Tag
        </Step>
        <Step icon="pause" step="pause" place="bar-only">
          Pause
        </Step>
      </May>
      <Menu
        text={<span class="step-name">Download</span>}
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
          <div class="menu-only">
            <MenuStep icon="tag" path="#addTags">
              Tag
            </MenuStep>
            <MenuStep icon="pause" step="pause">
              Pause
            </MenuStep>
          </div>
          <MenuStep icon="play" step="resume">
            Resume
          </MenuStep>
          <MenuStep icon="pencil">Edit</MenuStep>
          <div class="menu-only">
            <MenuLink href={editAll} icon="pencil">
              Edit {all}
            </MenuLink>
          </div>
          <MenuDivider />
          <MenuStep icon="trash" step="delete" danger>
            Delete
          </MenuStep>
        </Menu>
        <a class="button plain bar-only" href={editAll}>
          Edit {all}
        </a>
      </May>
      <button class="button plain" type="reset" aria-label="Clear selection" data-script="" hidden>
        <Icon name="x" />
      </button>
    </form>
  );
}

interface StepProps {
  readonly icon: IconName;
  /** The step of the bulk update to open; its choices by default. */
  readonly step?: string;
  /** The part of its choices to open. */
  readonly path?: string;
  readonly children: string;
}

const formActionOf = ({ path }: StepProps) => path && `/dashboard/codes/bulk${path}`;

/** @param place `bar-only` for an action that phones have in the menu */
const Step = ({ place, ...props }: StepProps & { place?: "bar-only" }) => (
  <button
    class={place === undefined ? "button plain" : `button plain ${place}`}
    type="submit"
    name={props.step && "step"}
    value={props.step}
    formaction={formActionOf(props)}
  >
    <Icon name={props.icon} />
    <span class="step-name">{props.children}</span>
  </button>
);

const MenuStep = ({ danger, ...props }: StepProps & { danger?: boolean }) => (
  <button
    class={danger === true ? "menu-item danger" : "menu-item"}
    type="submit"
    name={props.step && "step"}
    value={props.step}
    formaction={formActionOf(props)}
  >
    <Icon name={props.icon} />
    <span>{props.children}</span>
  </button>
);

const boxOf = ({ hash }: Qr): string => `select-${hash}`;

/** The same as an item of a code's menu, on phones, which only show the image. */
export const MenuSelect = ({ qr }: { qr: Qr }) => (
  <label class="menu-item" for={boxOf(qr)}>
    <Icon name="check" />
    <span>Select</span>
  </label>
);

/** The checkbox in front of a code, with its image. */
export function SelectCode({ qr }: { qr: Qr }) {
  return (
    <label class="pick">
      <input type="checkbox" id={boxOf(qr)} name="id" value={qr.id} form={form} />
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

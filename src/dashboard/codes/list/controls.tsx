import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import { QrStatus, QrType } from "../../../contract/resources/enums.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { Chip } from "../../../ui/chip.tsx";
import { HiddenFields } from "../../../ui/forms/hidden.tsx";
import { Search } from "../../../ui/forms/search.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { codeCount, formatNumber } from "../../../ui/values/format.ts";
import type { Choices } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import { type Choice, FilterInput, FilterMenu, FilterSelect } from "../../filters/menu.tsx";
import { typeTexts } from "../form/types.ts";
import { lastScanChoices, lastScanText, readLastScan } from "./last-scan.ts";
import {
  type Search as Filtered,
  nameInSearch,
  placeAddress,
  readSearch,
  saveAddress,
  writeSearch,
} from "./search.ts";
import {
  columnNames,
  columnTexts,
  defaultView,
  orders,
  orderText,
  type Place,
  pageSizes,
  viewText,
  writeView,
} from "./view.ts";

interface Props {
  readonly place: Place;
  /** Whether the list is in the order that its view says. */
  readonly isSorted: boolean;
  /** How many codes the list has, and whether all of them were counted. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
  /** Whether the search goes on by itself. */
  readonly isSearching: boolean;
  /** How many codes the workspace has. */
  readonly total: number;
  readonly choices: Choices<ListedFolder>;
}

const path = "/dashboard/codes/search";

/**
 * The search, active filters, number of codes, order and columns. Every selection has an address. An address that doesn't
 * say how the list is shown is completed by scripts before that changes, so that Back shows the list as it was.
 */
export function ListControls({ place, isSorted, matched, isSearching, total, choices }: Props) {
  const search = readSearch(place.text);
  return (
    <div class="toolbar list-controls" data-place={place.isGiven ? undefined : placeAddress(place, {})}>
      <Search path={path} name="words" label="Search codes" value={search.words}>
        <HiddenFields values={keptFields(place)} />
      </Search>
      <Chips search={search} place={place}>
        <Filters {...{ place, search, choices }} />
      </Chips>
      <div class="listed">
        <Count {...{ matched, total, isSearching }} />
        <OrderMenu place={place} isSorted={isSorted} />
        <ColumnsMenu place={place} />
      </div>
    </div>
  );
}

/** Parameters that a form of the list keeps unchanged. */
const keptFields = ({ text, view, isGiven, saved }: Place): (readonly [string, string])[] => [
  ["q", text],
  ...(isGiven ? writeView(view) : []),
  ...(saved ? [["list", saved.id] as const] : []),
];

const filterTexts = {
  ...{ tag: "Tag", folder: "Folder", type: "Type", status: "Status", to: "Leads to" },
  ...{ host: "Host", id: qrFields.externalId.label, scanned: "Last scan" },
} as const;

interface ChipsProps {
  readonly search: Filtered;
  readonly place: Place;
  readonly children: unknown;
}

/** The active filters, which can be removed individually, followed by the menu of other filters. */
function Chips({ search, place, children }: ChipsProps) {
  const { words, ...filters } = search;
  const chosen = Object.entries(filters) as [keyof typeof filterTexts, string][];
  return (
    <ul class="chips">
      {chosen.map(([name, value]) => {
        const { [name]: _removed, ...others } = filters;
        return (
          <li>
            <Chip
              label={filterTexts[name]}
              value={wordFor(name, value)}
              removeHref={placeAddress({ ...place, text: writeSearch({ words, ...others }) })}
            />
          </li>
        );
      })}
      <li>{children}</li>
      {(place.text !== "" || viewText(place.view) !== viewText(defaultView)) && !place.saved && (
        <li class="hidden-on-phones">
          <SaveLink place={place} />
        </li>
      )}
    </ul>
  );
}

/** Leads to the form that saves the list. */
const SaveLink = ({ place: { text, view } }: { place: Place }) => (
  <a class="chip add" href={saveAddress(text, view)}>
    <Icon name="bookmark" />
    Save list
  </a>
);

/** Returns the display text for a filter's value. */
function wordFor(name: keyof typeof filterTexts, value: string): string {
  const lastScan = name === "scanned" ? readLastScan(value) : undefined;
  if (lastScan !== undefined) return lastScanText(lastScan);
  const type = name === "type" ? QrType.safeParse(value.toLowerCase()).data : undefined;
  const status = name === "status" ? QrStatus.safeParse(value.toLowerCase()).data : undefined;
  return type === undefined ? (status === undefined ? value : statusNames[status]) : typeTexts[type].name;
}

const statusNames = { active: "Active", paused: "Paused" } as const;

interface FiltersProps extends Pick<Props, "place" | "choices"> {
  readonly search: Filtered;
}

/** The available filters. */
const Filters = ({ place, search, choices: { items, hasMore } }: FiltersProps) => (
  <FilterMenu path={path} kept={keptFields(place)}>
    <FilterSelect name="status" label="Status" value={search.status} choices={Object.entries(statusNames)} />
    <FilterSelect
      name="type"
      label="Type"
      value={search.type}
      choices={QrType.options.map((type) => [type, typeTexts[type].name])}
    />
    {items.length > 0 && (
      <FilterSelect
        name="folder"
        label="Folder"
        value={search.folder}
        choices={items.map((folder) => [nameInSearch(folder), folder.name])}
      />
    )}
    {hasMore && <FilterInput name={folderSource.findField} label={folderSource.findLabel} />}
    <FilterInput name="tag" label="Tag" value={search.tag} />
    <FilterInput name="to" label={filterTexts.to} value={search.to} />
    <FilterInput name="id" label={filterTexts.id} value={search.id} />
    <FilterSelect
      name="scanned"
      label={filterTexts.scanned}
      value={search.scanned}
      choices={scannedChoices(search.scanned)}
    />
  </FilterMenu>
);

/** The choices of the filter by the last scan, with another one that the address has. */
function scannedChoices(text: string | undefined): readonly Choice[] {
  const chosen = readLastScan(text);
  return chosen === undefined || lastScanChoices.some(([value]) => value === chosen)
    ? lastScanChoices
    : [...lastScanChoices, [chosen, lastScanText(chosen)]];
}

/** How many codes the list has, such as 214 of 1,284 codes. */
function Count({
  matched: { codes, isAll },
  total,
  isSearching,
}: Pick<Props, "matched" | "total" | "isSearching">) {
  const noun = total === 1 ? "code" : "codes";
  if (isAll && codes === total) {
    return (
      <p class="count quiet" id="list-count">
        <strong>{formatNumber(total)}</strong> {noun}
      </p>
    );
  }
  return (
    <p class="count quiet" id="list-count">
      {!isAll && !isSearching && "at least "}
      <strong>{codeCount(codes)}</strong>
      {!isAll && isSearching && " so far"} of {formatNumber(total)} {noun}
    </p>
  );
}

function OrderMenu({ place, isSorted }: Pick<Props, "place" | "isSorted">) {
  const { sort, order } = isSorted ? place.view : defaultView;
  return (
    <Menu
      text={
        <span class="order">
          <Icon name="arrow-down-narrow-wide" />
          <span class="hidden-on-phones">
            <span class="visually-hidden">Order: </span>
            {orderText({ sort, order })}
          </span>
        </span>
      }
    >
      {orders.map(([text, by, direction]) => (
        <a
          class="menu-item"
          href={placeAddress(place, { sort: by, order: direction })}
          aria-current={by === sort && direction === order ? "true" : undefined}
          data-view=""
        >
          {text}
        </a>
      ))}
    </Menu>
  );
}

/** The form that chooses the columns, and how many codes a page has. */
const ColumnsMenu = ({ place: { text, view, saved } }: Pick<Props, "place">) => (
  <Menu icon="columns-3" text={<span class="hidden-on-phones">Columns</span>} button="button columns-menu">
    <form method="get" action={path} data-view="">
      <HiddenFields
        values={[
          ["q", text],
          ["sort", view.sort],
          ["order", view.order],
          ["columns", ""],
          ...(saved ? [["list", saved.id] as const] : []),
        ]}
      />
      <div class="menu-fields">
        <fieldset class="field two-columns">
          <legend>Columns</legend>
          {columnNames.map((name) => (
            <label class="option">
              <input type="checkbox" name="columns" value={name} checked={view.columns.includes(name)} />
              <span>{columnTexts[name]}</span>
            </label>
          ))}
        </fieldset>
        <div class="field">
          <label for="list-rows">Codes per page</label>
          <select class="entry" id="list-rows" name="rows">
            {pageSizes.map((size) => (
              <option value={size} selected={size === view.rows}>
                {size}
              </option>
            ))}
          </select>
        </div>
        <button class="button primary" type="submit">
          Apply
        </button>
      </div>
    </form>
  </Menu>
);

import { qrFields } from "../../../contract/resources/codes/qr-fields.ts";
import { QrStatus, QrType } from "../../../contract/resources/enums.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import { Chip } from "../../../ui/chip.tsx";
import { HiddenFields } from "../../../ui/forms/hidden.tsx";
import { Search } from "../../../ui/forms/search.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuLink } from "../../../ui/menu.tsx";
import { codeCount, formatNumber } from "../../../ui/values/format.ts";
import type { Choices } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import { FilterInput, FilterMenu, FilterSelect } from "../../filters/menu.tsx";
import { typeTexts } from "../form/types.ts";
import { type Search as Filtered, listAddress, nameInSearch, type Order, readSearch } from "./search.ts";

interface Props {
  /** The search, as in the address. */
  readonly text: string;
  readonly order: Order | undefined;
  /** How many codes the list has, and whether all of them were counted. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
  /** Whether the search goes on by itself. */
  readonly isSearching: boolean;
  /** How many codes the workspace has. */
  readonly total: number;
  readonly choices: Choices<ListedFolder>;
}

const path = "/dashboard/codes/search";

/** The search, active filters, number of codes and order. Every selection has an address. */
export function ListControls({ text, order, matched, isSearching, total, choices }: Props) {
  const search = readSearch(text);
  return (
    <div class="toolbar list-controls">
      <Search path={path} name="words" label="Search codes" value={search.words}>
        <HiddenFields values={keptFields(text, order)} />
      </Search>
      <Chips search={search} order={order}>
        <Filters {...{ text, search, order, choices }} />
      </Chips>
      <div class="listed">
        <Count {...{ matched, total, isSearching }} />
        <OrderMenu text={text} order={order} />
      </div>
    </div>
  );
}

/** Parameters that a form of the list keeps unchanged. */
const keptFields = (text: string, order: Order | undefined) =>
  Object.entries({ q: text, ...(order === undefined ? {} : { order }) });

const filterTexts = {
  ...{ tag: "Tag", folder: "Folder", type: "Type", status: "Status", to: "Leads to" },
  ...{ host: "Host", id: qrFields.externalId.label },
} as const;

interface ChipsProps {
  readonly search: Filtered;
  readonly order: Order | undefined;
  readonly children: unknown;
}

/** The active filters, which can be removed individually, followed by the menu of other filters. */
function Chips({ search, order, children }: ChipsProps) {
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
              removeHref={listAddress({ words, ...others }, order)}
            />
          </li>
        );
      })}
      <li>{children}</li>
    </ul>
  );
}

/** Returns the display text for a filter's value. */
function wordFor(name: keyof typeof filterTexts, value: string): string {
  const type = name === "type" ? QrType.safeParse(value.toLowerCase()).data : undefined;
  const status = name === "status" ? QrStatus.safeParse(value.toLowerCase()).data : undefined;
  return type === undefined ? (status === undefined ? value : statusNames[status]) : typeTexts[type].name;
}

const statusNames = { active: "Active", paused: "Paused" } as const;

interface FiltersProps extends Pick<Props, "text" | "order" | "choices"> {
  readonly search: Filtered;
}

/** The available filters. */
const Filters = ({ text, search, order, choices: { items, hasMore } }: FiltersProps) => (
  <FilterMenu path={path} kept={keptFields(text, order)}>
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
  </FilterMenu>
);

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

const orderTexts = { oldest: "Oldest first", name: "Name", scans: "Most scanned" } as const;
const newest = "Newest first";

function OrderMenu({ text, order }: Pick<Props, "text" | "order">) {
  const search = readSearch(text);
  const orders = ["oldest", "name", ...(text === "" ? (["scans"] as const) : [])] as const;
  return (
    <Menu
      text={
        <span class="order">
          <Icon name="arrow-down-narrow-wide" />
          <span class="hidden-on-phones">
            <span class="visually-hidden">Order: </span>
            {order === undefined || (order === "scans" && text !== "") ? newest : orderTexts[order]}
          </span>
        </span>
      }
    >
      <MenuLink href={listAddress(search)} current={order === undefined}>
        {newest}
      </MenuLink>
      {orders.map((each) => (
        <MenuLink href={listAddress(search, each)} current={each === order}>
          {orderTexts[each]}
        </MenuLink>
      ))}
      {text !== "" && (
        <MenuLink href={listAddress({ words: "" }, "scans")} hint="all codes">
          {orderTexts.scans}
        </MenuLink>
      )}
    </Menu>
  );
}

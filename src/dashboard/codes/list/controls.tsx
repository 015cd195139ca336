import { QrType } from "../../../contract/resources/enums.ts";
import type { ListedFolder } from "../../../domain/folders/folders.ts";
import type { Choices } from "../../choices/choices.ts";
import { folderSource } from "../../choices/sources.ts";
import { codeCount, formatCount, formatNumber } from "../../components/values/format.ts";
import { typeTexts } from "../form/types.ts";
import { nameInSearch, type Order, readSearch, type Search, searchAddress } from "./search.ts";

interface Props {
  /** How many codes the list has, and whether all were counted. */
  readonly matched: { readonly codes: number; readonly isAll: boolean };
  /** Codes of the workspace. */
  readonly total: number;
  readonly text: string;
  readonly order: Order | undefined;
  readonly choices: Choices<ListedFolder>;
}

/** The search with its filters, and the order. One form, so that every selection is an address. */
export function ListControls({ matched, total, text, order, choices: { items, hasMore } }: Props) {
  const search = readSearch(text);
  return (
    <>
      <form class="filters" action="/dashboard/codes/search" method="get" hx-trigger="change, submit">
        <Choice name="type" label="Type" value={search.type} choices={typeChoices} />
        <Choice name="status" label="Status" value={search.status} choices={statusChoices} />
        {items.length > 0 && (
          <Choice
            name="folder"
            label="Folder"
            value={search.folder}
            choices={items.map((folder) => [nameInSearch(folder), folder.name])}
          />
        )}
        {hasMore && (
          <input
            class="entry choice"
            type="search"
            name={folderSource.findField}
            aria-label={folderSource.findLabel}
            placeholder={folderSource.findLabel}
          />
        )}
        <Choice
          name="order"
          label="Order"
          value={order}
          choices={[
            ["oldest", "Oldest first"],
            ["name", "By name"],
            ["scans", "Most scanned"],
          ]}
          other="Newest first"
        />
        <input type="hidden" name="q" value={text} />
        {/* With scripts, a choice takes effect at once. */}
        <span class="quiet">{countText(matched, total)}</span>
        <noscript>
          <button class="button" type="submit">
            Filter
          </button>
        </noscript>
      </form>
      <Chosen search={search} />
    </>
  );
}

/** How many codes a list has, such as 214 of 1,284 codes. */
function countText({ codes, isAll }: Props["matched"], total: number): string {
  const counted = isAll ? codeCount(codes) : `${formatNumber(codes)}+`;
  return codes === total ? formatCount(total, "code") : `${counted} of ${formatCount(total, "code")}`;
}

const typeChoices = QrType.options.map((type) => [type, typeTexts[type].name] as const);
const statusChoices = [
  ["active", "Active"],
  ["paused", "Paused"],
] as const;

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (readonly [value: string, text: string])[];
  /** The words for none of them. */
  readonly other?: string;
}

function Choice({ name, label, value, choices, other = `${label}: all` }: ChoiceProps) {
  return (
    <select class="entry choice" name={name} aria-label={label}>
      <option value="">{other}</option>
      {choices.map(([choice, text]) => (
        <option value={choice} selected={choice.toLowerCase() === value?.toLowerCase()}>
          {text}
        </option>
      ))}
    </select>
  );
}

const filterTexts = { tag: "Tag", folder: "Folder", type: "Type", status: "Status", to: "Leads to" } as const;

/** The filters in use, each with a link that takes it away. */
function Chosen({ search }: { search: Search }) {
  const { words, ...filters } = search;
  const chosen = Object.entries(filters) as [keyof typeof filterTexts, string][];
  if (chosen.length === 0 && words === "") return null;
  return (
    <p class="filters">
      {words !== "" && <span class="tag">Name has “{words}”</span>}
      {chosen.map(([name, value]) => {
        const { [name]: _removed, ...others } = filters;
        return (
          <a class="tag" href={searchAddress({ words, ...others })}>
            {filterTexts[name]}: {value} <span aria-hidden="true">×</span>
            <span class="visually-hidden">, remove this filter</span>
          </a>
        );
      })}
      <a class="small" href="/dashboard/codes">
        Show all codes
      </a>
    </p>
  );
}

import type { Comparison } from "../../contract/resources/scans/analytics.ts";
import { datesOfRange, type Range, ranges as rangeNames } from "../../domain/analytics/ranges.ts";
import { formatDay, parseDay } from "../../lib/time/calendar.ts";
import { comparisonName, formatDays } from "../../ui/charts/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuLink, MenuTitle } from "../../ui/menu.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import type { Choices, Item } from "../choices/choices.ts";
import { folderSource } from "../choices/sources.ts";
import { FilterInput, FilterMenu, FilterSelect } from "../filters/menu.tsx";
import { May } from "../frame/may.tsx";
import { DateRange, type RangeProps } from "./date-range.tsx";
import { ShareLink } from "./share-link.tsx";
import { viewAddress, viewFields } from "./view.ts";

interface Props extends RangeProps {
  /** The day the code or workspace was created, before which there is nothing to compare with. */
  readonly since: number;
  /** The folders to choose from; undefined for a report on one code. */
  readonly folders?: Choices<Item> | undefined;
  /** The path of the files, and that of the page that shares the report; undefined where the page itself offers it. */
  readonly files: string;
  readonly share?: string;
  /** The problem of the request. */
  readonly problem?: string | undefined;
}

/** The ranges that are one click away. The others are in the popover with the dates. */
const shortcuts = ["7d", "30d", "90d", "12m"] as const satisfies readonly Range[];

/** Where phones show the controls that don't fit beside the ranges. */
const optionsId = "report-options";

/**
 * Range, comparison, filters and files on one line. On phones, all but the range are in a popover. Every choice leads
 * to an address that shows the same view again.
 */
export function Controls(props: Props) {
  const { path, view, problem } = props;
  return (
    <div class="toolbar report-controls">
      <div class="range-track">
        <Segmented
          label="Range"
          items={shortcuts.map((range) => ({
            href: viewAddress(path, { ...view, range }),
            text: <RangeName range={range} />,
            current: range === view.range,
          }))}
        />
        <DateRange path={path} view={view} from={props.from} to={props.to} today={props.today} />
      </div>
      <button
        class="button options-button"
        type="button"
        popovertarget={optionsId}
        aria-label="Report options"
      >
        <Icon name="sliders-horizontal" />
      </button>
      <Chips {...props} />
      <div class="report-options" id={optionsId} popover="auto">
        <Compare {...props} />
        <Filters {...props} />
        <Files {...props} />
      </div>
      {problem !== undefined && (
        <p class="problem" id="problems" role="alert" tabindex={-1}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** `30 days`. Phones show `30 d`, which screen readers read in full. */
function RangeName({ range }: { range: (typeof shortcuts)[number] }) {
  const [, short, rest] = /^(\d+ (?:mo|d))(.*)$/.exec(rangeNames[range]) ?? [];
  return (
    <span>
      {short}
      <span class="rest">{rest}</span>
    </span>
  );
}

const comparisons = ["previous", "year", null] as const satisfies readonly (Comparison | null)[];

function Compare({ path, view, today, since }: Props) {
  const daysOf = (earlier: Comparison) => datesOfRange(view.range, view, today, earlier).compare;
  const lastYear = daysOf("year");
  const reachesLastYear = lastYear !== undefined && parseDay(lastYear.to) >= since;
  const { dates } = datesOfRange(view.range, view, today, null);
  const nameOf = (earlier: Comparison | null) => {
    const compared = earlier === null ? undefined : daysOf(earlier);
    if (compared === undefined) return "No comparison";
    if (earlier === "year") return "A year before";
    // Dates of one's own may have no first day.
    const from = dates.from === "" ? formatDay(parseDay(compared.to) + 1) : dates.from;
    return comparisonName({ ...dates, from }, compared);
  };
  const offered = comparisons.filter(
    (earlier) => earlier !== "year" || reachesLastYear || view.compare === "year",
  );
  return (
    <Menu
      icon="rotate-ccw-clock"
      text={
        <>
          <span class="visually-hidden">Comparison: </span>
          {nameOf(view.compare)}
        </>
      }
    >
      {offered.map((earlier) => {
        const days = earlier === null ? undefined : daysOf(earlier);
        return (
          <MenuLink
            href={viewAddress(path, { ...view, compare: earlier })}
            current={earlier === view.compare}
            hint={days && formatDays(days)}
          >
            {nameOf(earlier)}
          </MenuLink>
        );
      })}
    </Menu>
  );
}

/** The active filters. */
function Chips({ path, view, folders }: Props) {
  const folder = folders?.items.find(({ id }) => id === view.folderId);
  return (
    <>
      {view.folderId !== "" && (
        <Chip
          label="Folder"
          value={folder?.name ?? "Unknown"}
          removeHref={viewAddress(path, { ...view, folderId: "" })}
        />
      )}
      {view.tag !== "" && (
        <Chip label="Tag" value={view.tag} removeHref={viewAddress(path, { ...view, tag: "" })} />
      )}
      {!view.bots && (
        <Chip label="Bots" value="hidden" removeHref={viewAddress(path, { ...view, bots: true })} />
      )}
    </>
  );
}

const Filters = ({ path, view, folders }: Props) => (
  <FilterMenu
    path={path}
    kept={viewFields({ ...view, tag: "", folderId: "" })}
    items={
      <MenuLink href={viewAddress(path, { ...view, bots: !view.bots })}>
        {view.bots ? "Hide bots" : "Show bots"}
      </MenuLink>
    }
  >
    {folders && (
      <>
        <FilterSelect
          name="folder"
          label="Folder"
          none="All folders"
          value={view.folderId}
          choices={folders.items.map(({ id, name }) => [id, name])}
        />
        {folders.hasMore && <FilterInput name={folderSource.findField} label={folderSource.findLabel} />}
        <FilterInput name="tag" label="Tag" value={view.tag} />
      </>
    )}
  </FilterMenu>
);

function Files({ view, files, share, from, to }: Props) {
  const isFiltered = view.tag !== "" || view.folderId !== "";
  return (
    <span class="report-files">
      <Menu icon="download" text={<span class="long">Export</span>} label="Export">
        <MenuTitle>Report</MenuTitle>
        <MenuLink href={viewAddress(`${files}/report.csv`, view)} download="">
          Scans over time, CSV
        </MenuLink>
        <MenuLink href={viewAddress(`${files}/breakdowns.csv`, view)} download="">
          Breakdowns, CSV
        </MenuLink>
        {/* Individual scans can't be exported by tag or folder. */}
        {!isFiltered && (
          <>
            <MenuTitle>Scan log</MenuTitle>
            <MenuLink href={`${files}/scans.csv?${new URLSearchParams({ from, to })}`} download="">
              Scans, CSV
            </MenuLink>
          </>
        )}
      </Menu>
      {share !== undefined && (
        <May permission="codes.write">
          <ShareLink href={viewAddress(share, view)}>
            <span class="long">Share</span>
          </ShareLink>
        </May>
      )}
    </span>
  );
}

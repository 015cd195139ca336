import type { Child } from "hono/jsx";
import { limits } from "../../../contract/limits.ts";
import type { Qr } from "../../../contract/resources/codes/qr.ts";
import type { ScanEvent, ScanListResponse } from "../../../contract/resources/scans/scans.ts";
import { codeReport } from "../../../domain/analytics/reports.ts";
import { getVersionedQr } from "../../../domain/codes/codes.ts";
import { codeTitle } from "../../../domain/codes/titles.ts";
import { listScans } from "../../../domain/scans/list.ts";
import { describeAgent } from "../../../lib/text/user-agent.ts";
import { formatDay } from "../../../lib/time/calendar.ts";
import { type Zone, zoneOf } from "../../../lib/time/zone.ts";
import { countryName } from "../../../ui/charts/format.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Pages } from "../../../ui/pages.tsx";
import { deviceName } from "../../../ui/report/labels.ts";
import { formatInstant, formatTime } from "../../../ui/values/format.ts";
import { FilterBar } from "../../filters/bar.tsx";
import { addressOf, readFilters } from "../../filters/query.ts";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { CodeHead, readHead } from "../head/head.tsx";
import { scanChoices, scanFilters } from "./filters.ts";

/**
 * The scan log of a code: its individual scans, newest first. Filters and page are in the address. @throws not_found
 */
export async function scansOfCode(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const [edited, timeZone] = await Promise.all([
    getVersionedQr(deps, context, request.param("id")),
    request.timeZone(),
  ]);
  const { qr } = edited;
  const zone = zoneOf(timeZone);
  const filters = readFilters(scanFilters, query, zone);
  const [head, known, list] = await Promise.all([
    readHead(request, edited),
    knownValues(request, qr, zone),
    filters.query === undefined ? null : listScans(deps, context, qr.id, filters.query),
  ]);
  const { values } = filters;
  const path = `/dashboard/codes/${qr.id}/scans`;
  const isFirst = query.get("cursor") === null;
  return {
    title: `Scan log of ${codeTitle(qr)}`,
    status: list === null ? 400 : 200,
    content: (
      <>
        <CodeHead head={head} current="scans" />
        <FilterBar
          path={path}
          labels={scanFilters.labels}
          form={filters}
          choices={scanChoices(known, values)}
          none={{ kind: "By people" }}
          today={zone.dayOf(deps.now())}
        >
          <a class="button" href={addressOf(`${path}/log.csv`, values)} download="">
            <Icon name="download" />
            Export CSV
          </a>
        </FilterBar>
        {list !== null && (
          <>
            <Completeness list={list} timeZone={timeZone} />
            {filters.query?.kind !== "human" && <BotNote appOrigin={deps.settings.appOrigin} />}
            {list.events.length > 0 ? (
              <ScanTable events={list.events} timeZone={timeZone} />
            ) : (
              <NoScans id={qr.id} isFiltered={values.size > 0} hasMore={list.nextCursor !== null} />
            )}
            <Pages address={addressOf(path, values)} isFirst={isFirst} nextCursor={list.nextCursor} />
          </>
        )}
      </>
    ),
  };
}

/** Returns the countries and systems that a code was scanned from, most frequent first. */
async function knownValues({ deps, context }: DashboardRequest, qr: Qr, zone: Zone) {
  const { dimensions } = await codeReport(deps, context, qr.id, {
    from: formatDay(Math.min(zone.dayOf(Date.parse(qr.createdAt)), zone.dayOf(deps.now()))),
    interval: "month",
    dimensions: ["country", "os"],
    limit: limits.dimensionItems.max,
  });
  return dimensions;
}

/** Says from when on the list is complete, if it isn't. */
function Completeness({ list: { completeFrom }, timeZone }: { list: ScanListResponse; timeZone: string }) {
  if (completeFrom === null) return null;
  return (
    <Notice kind="info">
      <p>
        The list is complete from {formatTime(completeFrom, timeZone)}. Earlier scans may be archived or
        deleted, but still count in reports.
      </p>
    </Notice>
  );
}

/** Says what is kept of scans by bots, and where their rules are explained. */
const BotNote = ({ appOrigin }: { appOrigin: string }) => (
  <p class="small quiet">
    Of scans by bots, the time, the program and{" "}
    <a href={`${appOrigin}/api/v1/docs/bots.md`}>the rule that sorted them</a> are kept.
  </p>
);

interface NoScansProps {
  readonly id: string;
  readonly isFiltered: boolean;
  /** Whether there are more scans to search. */
  readonly hasMore: boolean;
}

function NoScans({ id, isFiltered, hasMore }: NoScansProps) {
  if (hasMore) return <Empty title="No scan matches so far" text="Older scans are on the next page." />;
  if (isFiltered) return <Empty title="No scan matches" text="Use fewer filters, or other days." />;
  return (
    <Empty title="No scans yet" text="Scan the code with your phone: it shows up here within two seconds.">
      <a class="button" href={`/dashboard/codes/${id}/test`}>
        Test it now
      </a>
    </Empty>
  );
}

function ScanTable({ events, timeZone }: { events: readonly ScanEvent[]; timeZone: string }) {
  return (
    <div class="fitting">
      <table class="table scans">
        <thead>
          <tr>
            <th scope="col">Time ({timeZone})</th>
            <th scope="col">Country</th>
            <th scope="col">City</th>
            <th scope="col">Device</th>
            <th scope="col" data-priority="2">
              System
            </th>
            <th scope="col" data-priority="3">
              Browser
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ scannedAt, country, city, device, os, userAgent, via, botRule = null }) => (
            <tr>
              <td>
                <time datetime={scannedAt}>{formatInstant(scannedAt, timeZone)}</time>
                {via !== null && <div class="caption quiet">by {via}</div>}
                {botRule !== null && <div class="caption quiet">bot: {botRule}</div>}
              </td>
              <Value>{country === null ? null : countryName(country)}</Value>
              <Value>{city}</Value>
              <Value>{device === null ? null : deviceName(device)}</Value>
              <Value priority="2">{os}</Value>
              <Value priority="3">{describeAgent(userAgent).browser}</Value>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A cell. Without a value, shows a dash that screen readers read as a word. */
function Value({ children, priority }: { children?: Child; priority?: "2" | "3" }) {
  if (children !== null && children !== undefined) return <td data-priority={priority}>{children}</td>;
  return (
    <td class="unknown" data-priority={priority}>
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">Unknown</span>
    </td>
  );
}

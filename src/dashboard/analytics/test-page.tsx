import type { ScanEvent } from "../../contract/resources/scans/scans.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { codeTitle, destinationText, pageTitlesOf } from "../../domain/codes/titles.ts";
import { latestScans } from "../../domain/scans/list.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { bounds } from "../../protocol/bounds.ts";
import { Finder } from "../../ui/finder.tsx";
import { Head } from "../../ui/head.tsx";
import { describeScan, scanWords } from "../../ui/report/labels.ts";
import { formatInstant, formatNumber } from "../../ui/values/format.ts";
import type { DashboardRequest, PageResponse, SeeOther } from "../frame/request.ts";

/** How many scans the list shows: as many as a live connection shows in a second. */
const shownScans = bounds.liveScansPerSecond;

/**
 * A code to scan, with the scans that arrive from now on. Its address has the latest one before, so that it can be
 * reloaded where there are no scripts. @throws not_found
 */
export async function testPage(request: DashboardRequest): Promise<PageResponse | SeeOther> {
  const { deps, context, param, query } = request;
  const qr = await getQr(deps, context, param("id"));
  const page = `/dashboard/codes/${qr.id}`;
  const after = query.get("after");
  if (after === null) {
    const { events } = await latestScans(deps, context, qr.id, 1);
    return { seeOther: `${page}/test?after=${events[0]?.id ?? ""}` };
  }
  const [{ events, latest }, pageTitles, timeZone] = await Promise.all([
    latestScans(deps, context, qr.id, shownScans),
    pageTitlesOf(deps, context, [qr]),
    request.timeZone(),
  ]);
  const earlier = events.findIndex(({ id }) => id === after);
  const fresh = earlier === -1 ? events : events.slice(0, earlier);
  const title = `Test ${codeTitle(qr)}`;
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: page, name: codeTitle(qr) }} />
        <div class="columns wide-right test-page">
          <div class="test-code sticky">
            <img
              src={`${deps.settings.scanOrigin}/${qr.hash}.svg`}
              width="256"
              height="256"
              alt="The code to scan"
            />
            <p>
              <strong>{codeTitle(qr)}</strong>
              <br />
              {destinationText(qr.data, pageTitles)}
            </p>
            <p>
              Scan it with your phone, or open{" "}
              <a class="address" href={qr.scanUrl} target="_blank" rel="noopener">
                {withoutScheme(qr.scanUrl)}
              </a>
            </p>
          </div>
          <section
            aria-labelledby="scans"
            data-live={`/api/v1/developer/qr/${qr.id}/scans/live?after=${latest}`}
            data-shown={shownScans}
            data-zone={timeZone}
            data-words={JSON.stringify(scanWords)}
          >
            <div class="section-head">
              <h2 id="scans">Scans</h2>
              <p class="caption quiet">Times in {timeZone}</p>
            </div>
            <p class="test-count">
              <span class="figure" data-count={fresh.length}>
                {formatNumber(fresh.length)}
              </span>{" "}
              <span class="quiet">since you opened this page</span>
            </p>
            <p class="waiting">
              <Finder />
              <span data-waiting>
                A scan shows up here within two seconds. <a href={request.address}>Reload the page</a> to see
                it.
              </span>
            </p>
            <ol class="live-scans" aria-live="polite" aria-label="Latest scans">
              {fresh.map((event) => (
                <Scan event={event} timeZone={timeZone} />
              ))}
            </ol>
          </section>
        </div>
      </>
    ),
  };
}

const Scan = ({ event, timeZone }: { event: ScanEvent; timeZone: string }) => (
  <li data-id={event.id}>
    <time datetime={event.scannedAt}>{formatInstant(event.scannedAt, timeZone)}</time>
    <span>{describeScan(event)}</span>
  </li>
);

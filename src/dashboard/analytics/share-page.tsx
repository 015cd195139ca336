import type { Dimension } from "../../contract/resources/analytics.ts";
import {
  endSharedReport,
  listSharedReports,
  type SharedReport,
  shareReport,
  type Subject,
} from "../../domain/analytics/sharing.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { ServiceError } from "../../domain/errors.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { Zone } from "../../lib/time/zone.ts";
import { formatDate, formatTime } from "../components/values/format.ts";
import { Action } from "../components/forms/buttons.tsx";
import { Head } from "../components/head.tsx";
import { Notice } from "../components/notice.tsx";
import type { DashboardResponse, PageResponse, DashboardRequest } from "../frame/request.ts";
import { type ListedDimension, listed } from "./labels.ts";
import { codeQuery, describeProblem } from "./load.ts";
import { type ReportView, readView, reportQuery } from "./view.ts";

/** The dimensions of a shared report that can be chosen. */
const choices: readonly (readonly [Dimension, string])[] = [
  ...(Object.keys(listed) as ListedDimension[]).map((name) => [name, listed[name]] as const),
  ["hourOfWeek", "Hours of the week"],
];

/** The subject of a shared report, in words, and the address of its page. */
interface Sharing {
  readonly subject: Subject;
  readonly name: string;
  readonly path: string;
  readonly back: { readonly path: string; readonly name: string };
}

/** Shares a report on a code, and shows its links. @throws not_found */
export const shareCode = async (request: DashboardRequest): Promise<PageResponse> =>
  page(request, await codeOf(request), {});
export const saveShareCode = async (request: DashboardRequest): Promise<DashboardResponse> =>
  save(request, await codeOf(request));

/** Shares a report on the codes with a tag, and shows its links. */
export const shareTag = (request: DashboardRequest): Promise<PageResponse> =>
  page(request, tagOf(request), {});
export const saveShareTag = (request: DashboardRequest): Promise<DashboardResponse> =>
  save(request, tagOf(request));

/** Ends a link, and leads back to the page that showed it. @throws not_found */
export async function endShare({ deps, context, param }: DashboardRequest): Promise<DashboardResponse> {
  const { qrId, tag } = await endSharedReport(deps, context, param("shared"));
  const page = qrId === null ? `share?${new URLSearchParams({ tag: tag ?? "" })}` : `codes/${qrId}/share`;
  return { seeOther: `/dashboard/${page}`, flash: "linkEnded" };
}

async function codeOf({ deps, context, param }: DashboardRequest): Promise<Sharing> {
  const qr = await getQr(deps, context, param("id"));
  const path = `/dashboard/codes/${qr.id}`;
  const name = codeTitle(qr);
  return { subject: { qrId: qr.id }, name, path: `${path}/share`, back: { path, name } };
}

function tagOf({ query }: DashboardRequest): Sharing {
  const tag = query.get("tag")?.trim() ?? "";
  const parameters = new URLSearchParams({ tag });
  return {
    subject: { tag },
    name: `tag ${tag}`,
    path: `/dashboard/share?${parameters}`,
    back: { path: `/dashboard?${parameters}`, name: "Overview" },
  };
}

async function save(request: DashboardRequest, sharing: Sharing): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const timeZone = await request.timeZone();
  const view = { ...readView(form), range: "custom" as const };
  const until = form.get("until")?.trim() ?? "";
  const chosen = choices.map(([name]) => name).filter((name) => form.getAll("dimension").includes(name));
  try {
    const query = codeQuery(reportQuery(view, new Zone(timeZone).dayOf(deps.now()), chosen));
    const { url } = await shareReport(deps, context, sharing.subject, query, until === "" ? null : until);
    return await page(request, sharing, { url });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.invalid === undefined) throw error;
    const problem = describeProblem(error.invalid);
    return { ...(await page(request, sharing, { problem, view, until, chosen })), status: 400 };
  }
}

/** Shown besides an empty form. */
interface State {
  /** The link that was just made. It can't be shown again. */
  readonly url?: string;
  readonly problem?: string;
  readonly view?: ReportView;
  readonly until?: string;
  readonly chosen?: readonly Dimension[];
}

async function page(request: DashboardRequest, sharing: Sharing, state: State): Promise<PageResponse> {
  const { deps, context } = request;
  const [timeZone, shared] = await Promise.all([
    request.timeZone(),
    listSharedReports(deps, context, sharing.subject),
  ]);
  const today = new Zone(timeZone).dayOf(deps.now());
  const asked = state.view ?? readView(request.query);
  const { from = formatDay(today - 29), to = formatDay(today) } = reportQuery(asked, today, []);
  const title = `Share a report: ${sharing.name}`;
  return {
    title,
    content: (
      <>
        <Head title={title} back={sharing.back} />
        {state.url !== undefined && <NewLink url={state.url} />}
        <form class="card" method="post" action={sharing.path}>
          <input type="hidden" name="compare" value={asked.compare ?? "none"} />
          <p>
            Anyone with the link sees these numbers, for the days below, and nothing else: no addresses, no
            single scans. You can end the link at any time.
          </p>
          {state.problem !== undefined && (
            <p class="problem" id="problems" role="alert" tabindex={-1}>
              {state.problem}
            </p>
          )}
          <div class="pair">
            <DayField name="from" label="First day" value={from} required />
            <DayField name="to" label="Last day" value={to} required />
          </div>
          <fieldset class="field">
            <legend>Also show</legend>
            <div class="options">
              {choices.map(([name, label]) => (
                <label class="option">
                  <input
                    type="checkbox"
                    name="dimension"
                    value={name}
                    checked={state.chosen === undefined || state.chosen.includes(name)}
                  />
                  {label}
                </label>
              ))}
            </div>
          </fieldset>
          <DayField
            name="until"
            label="Last day of the link (optional)"
            hint="Without one, the link works until you end it."
            value={state.until ?? ""}
          />
          <button class="button primary" type="submit">
            Make a link
          </button>
        </form>
        {shared.length > 0 && <Links shared={shared} now={deps.now()} timeZone={timeZone} />}
      </>
    ),
  };
}

interface DayFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly required?: boolean;
}

function DayField({ name, label, value, hint, required }: DayFieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <input class="entry narrow" type="date" id={name} name={name} value={value} required={required} />
    </div>
  );
}

function NewLink({ url }: { url: string }) {
  return (
    <Notice kind="good" role="status">
      <p>
        <strong>The link is ready.</strong> Copy it: it is shown only this once.
      </p>
      <div class="copy">
        <input class="entry" type="text" readonly value={url} aria-label="Link of the report" />
        <button class="button" type="button" hidden data-script="" data-copy={url} data-copied="Copied">
          Copy
        </button>
        <a class="button" href={url} target="_blank" rel="noopener" hx-boost="false">
          Open
        </a>
      </div>
    </Notice>
  );
}

interface LinksProps {
  readonly shared: readonly SharedReport[];
  readonly now: number;
  readonly timeZone: string;
}

function Links({ shared, now, timeZone }: LinksProps) {
  const time = (milliseconds: number) => formatTime(new Date(milliseconds).toISOString(), timeZone);
  return (
    <section class="card" aria-labelledby="links">
      <h2 id="links">Links</h2>
      <ul class="rows">
        {shared.map(({ id, query, createdAt, expiresAt }) => (
          <li>
            <span>
              {formatDate(query.from)} to {formatDate(query.to)}
              <br />
              <span class="small quiet">
                Made on {time(createdAt)}
                {expiresAt !== null &&
                  `, ${expiresAt > now ? "works until the end of" : "ended after"} ${formatDate(new Date(expiresAt - 1).toISOString(), timeZone)}`}
              </span>
            </span>
            <Action path={`/dashboard/shared/${id}/end`} danger>
              {expiresAt === null || expiresAt > now ? "End the link" : "Remove"}
            </Action>
          </li>
        ))}
      </ul>
    </section>
  );
}

import type { Child } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import type { Dimension } from "../../contract/resources/scans/analytics.ts";
import { isRange, type Range, ranges } from "../../domain/analytics/ranges.ts";
import {
  listSharedReports,
  replaceSharedLink,
  revokeSharedReport,
  type SharedReport,
  type Subject,
  shareReport,
  wholeWorkspace,
} from "../../domain/analytics/sharing.ts";
import { getQr } from "../../domain/codes/codes.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { ServiceError } from "../../domain/errors.ts";
import { getFolder } from "../../domain/folders/folders.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { formatDays } from "../../ui/charts/format.ts";
import { Action } from "../../ui/forms/buttons.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type ListedDimension, listed } from "../../ui/report/labels.ts";
import { formatDate } from "../../ui/values/format.ts";
import type { DashboardRequest, DashboardResponse, PageResponse } from "../frame/request.ts";
import { describeProblem } from "./load.ts";
import { type ReportView, readView, reportQuery } from "./view.ts";

/** The dimensions that a shared report can include. */
const choices: readonly (readonly [Dimension, string])[] = [
  ...(Object.keys(listed) as ListedDimension[]).map((name) => [name, listed[name]] as const),
  ["hourOfWeek", "Hours of the week"],
];

/** In the order shown to readers. */
const rangeNames = Object.keys(ranges) as Range[];

/** The subject of a shared report, described in words, and the address of its page. */
interface Sharing {
  readonly subject: Subject;
  readonly name: string;
  readonly path: string;
  readonly back: { readonly path: string; readonly name: string };
}

/** The page to share a report on a code, with its links. @throws not_found */
export const shareCode = async (request: DashboardRequest): Promise<PageResponse> =>
  page(request, await sharingOf(request, subjectOfCode(request)), {});
export const saveShareCode = async (request: DashboardRequest): Promise<DashboardResponse> =>
  save(request, await sharingOf(request, subjectOfCode(request)));

/**
 * The page to share a report on a tag, a folder or the workspace, with its links. @throws not_found for an unknown
 * folder
 */
export const shareCodes = async (request: DashboardRequest): Promise<PageResponse> =>
  page(request, await sharingOf(request, subjectOfCodes(request)), {});
export const saveShareCodes = async (request: DashboardRequest): Promise<DashboardResponse> =>
  save(request, await sharingOf(request, subjectOfCodes(request)));

/** Revokes a link, and returns to the page that showed it. @throws not_found */
export async function revokeLink({ deps, context, param }: DashboardRequest): Promise<DashboardResponse> {
  const shared = await revokeSharedReport(deps, context, param("shared"));
  return { seeOther: pathOf(shared), flash: "linkRevoked" };
}

/** Replaces a link with a new one, which only this response shows. @throws not_found */
export async function replaceLink(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, param } = request;
  const { shared, url } = await replaceSharedLink(deps, context, param("shared"));
  const { qrId, tag, folderId } = shared;
  return page(request, await sharingOf(request, { qrId, tag, folderId }), { url });
}

const subjectOfCode = ({ param }: DashboardRequest): Subject => ({ ...wholeWorkspace, qrId: param("id") });

function subjectOfCodes({ query }: DashboardRequest): Subject {
  const [tag, folderId] = [query.get("tag")?.trim(), query.get("folder")?.trim()];
  if (folderId !== undefined && folderId !== "") return { ...wholeWorkspace, folderId };
  return tag === undefined ? wholeWorkspace : { ...wholeWorkspace, tag };
}

/** Returns the address of the page that shares a subject. */
function pathOf({ qrId, tag, folderId }: Subject): string {
  if (qrId !== null) return `/dashboard/codes/${qrId}/share`;
  if (folderId !== null) return `/dashboard/share?${new URLSearchParams({ folder: folderId })}`;
  return tag === null ? "/dashboard/share" : `/dashboard/share?${new URLSearchParams({ tag })}`;
}

async function sharingOf({ deps, context, user }: DashboardRequest, subject: Subject): Promise<Sharing> {
  const { qrId, tag, folderId } = subject;
  const path = pathOf(subject);
  if (qrId !== null) {
    const qr = await getQr(deps, context, qrId);
    const name = codeTitle(qr);
    return { subject, name, path, back: { path: `/dashboard/codes/${qr.id}`, name } };
  }
  const overview = { path: path.replace("/share", ""), name: "Overview" };
  if (folderId !== null) {
    const { name } = await getFolder(deps, context, folderId);
    return { subject, name: `folder ${name}`, path, back: overview };
  }
  return { subject, name: tag === null ? user.workspaceName : `tag ${tag}`, path, back: overview };
}

async function save(request: DashboardRequest, sharing: Sharing): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const view = readView(form);
  const [name = "", until = ""] = ["name", "until"].map((field) => form.get(field)?.trim());
  const chosen = choices.map(([name]) => name).filter((name) => form.getAll("dimension").includes(name));
  const allowed = readRanges(form);
  try {
    const query = {
      ranges: allowed,
      from: allowed.includes("custom") ? view.from : "",
      to: allowed.includes("custom") ? view.to : "",
      compare: view.compare,
      dimensions: chosen,
    };
    const options = { name, lastDay: until === "" ? null : until };
    const { url } = await shareReport(deps, context, sharing.subject, query, options);
    return await page(request, sharing, { url });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.invalid === undefined) throw error;
    const problem = describeProblem(error.invalid);
    return {
      ...(await page(request, sharing, { problem, view, name, until, chosen, allowed })),
      status: 400,
    };
  }
}

/** Returns the ranges selected in a form, starting with the one shown first. */
function readRanges(form: URLSearchParams): Range[] {
  const selected = rangeNames.filter((range) => form.getAll("allow").includes(range));
  const first = form.get("first") ?? "";
  return isRange(first) ? [first, ...selected.filter((range) => range !== first)] : selected;
}

/** Shown in addition to an empty form. */
interface State {
  /** The link that was just created. It can't be shown again. */
  readonly url?: string;
  readonly problem?: string;
  readonly view?: ReportView;
  readonly name?: string;
  readonly until?: string;
  readonly chosen?: readonly Dimension[];
  readonly allowed?: readonly Range[];
}

async function page(request: DashboardRequest, sharing: Sharing, state: State): Promise<PageResponse> {
  const { deps, context } = request;
  const [timeZone, shared] = await Promise.all([
    request.timeZone(),
    listSharedReports(deps, context, sharing.subject),
  ]);
  const today = zoneOf(timeZone).dayOf(deps.now());
  const asked = state.view ?? readView(request.query);
  const { from = formatDay(today - 29), to = formatDay(today) } = state.view ?? datesOf(asked, today);
  const allowed = state.allowed ?? [asked.range];
  const [first = asked.range] = allowed;
  return {
    title: `Share report: ${sharing.name}`,
    content: (
      <div id="sharing">
        <Head title={`Share report: ${sharing.name}`} back={sharing.back} />
        {state.url !== undefined && <NewLink url={state.url} />}
        {shared.length > 0 && <Links shared={shared} now={deps.now()} timeZone={timeZone} />}
        <PostForm class="card share-form" action={sharing.path}>
          <input type="hidden" name="compare" value={asked.compare ?? "none"} />
          <p>
            Anyone with the link sees these numbers and nothing else: no destinations, no individual scans.
            You can revoke the link at any time.
          </p>
          {state.problem !== undefined && (
            <p class="problem" id="problems" role="alert" tabindex={-1}>
              {state.problem}
            </p>
          )}
          <TextField
            form={{ values: new URLSearchParams({ name: state.name ?? "" }), problems: {} }}
            name="name"
            label="Name"
            hint="To tell links apart. Readers don't see it."
            maxLength={limits.sharedReportName}
          />
          <div class="buttons">
            <button class="button primary" type="submit">
              Create link
            </button>
          </div>
          <details class="more" open={state.problem !== undefined}>
            <summary>
              Choose what it shows{" "}
              <span class="quiet">
                {allowed.map((range) => ranges[range]).join(", ")}
                {state.chosen === undefined && ", all breakdowns, no end"}
              </span>
            </summary>
            <fieldset class="field">
              <legend>Ranges</legend>
              <p class="hint">Readers can choose among these.</p>
              <div class="options">
                {rangeNames.map((range) => (
                  <Option name="allow" value={range} checked={allowed.includes(range)}>
                    {ranges[range]}
                  </Option>
                ))}
              </div>
            </fieldset>
            <div class="options">
              <div class="field">
                <label for="first">Shown first</label>
                <select class="entry" id="first" name="first">
                  {rangeNames.map((range) => (
                    <option value={range} selected={range === first}>
                      {ranges[range]}
                    </option>
                  ))}
                </select>
              </div>
              <DayField name="from" label="From" value={from} />
              <DayField name="to" label="To" value={to} />
            </div>
            <fieldset class="field">
              <legend>Breakdowns</legend>
              <div class="options">
                {choices.map(([name, label]) => (
                  <Option name="dimension" value={name} checked={state.chosen?.includes(name) ?? true}>
                    {label}
                  </Option>
                ))}
              </div>
            </fieldset>
            <DayField
              name="until"
              label="Expires"
              optional
              hint="Without one, the link works until you revoke it."
              value={state.until ?? ""}
            />
          </details>
        </PostForm>
      </div>
    ),
  };
}

const datesOf = (view: ReportView, today: number): { from?: string; to?: string } =>
  reportQuery(view, today, []).query;

interface OptionProps {
  readonly name: string;
  readonly value: string;
  readonly checked: boolean;
  readonly children?: Child;
}

const Option = ({ name, value, checked, children }: OptionProps) => (
  <label class="option">
    <input type="checkbox" name={name} value={value} checked={checked} />
    {children}
  </label>
);

interface DayFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  readonly optional?: boolean;
}

function DayField({ name, label, value, hint, optional = false }: DayFieldProps) {
  return (
    <div class="field">
      <label for={name}>
        {label}
        {optional && <span class="quiet optional"> optional</span>}
      </label>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <input class="entry narrow" type="date" id={name} name={name} value={value} />
    </div>
  );
}

function NewLink({ url }: { url: string }) {
  return (
    <Notice kind="good" role="status">
      <p>
        <strong>Link created.</strong> Copy it now: it is shown only once.
      </p>
      <div class="copy">
        <input class="entry" type="text" readonly value={url} aria-label="Link of the report" />
        <button class="button" type="button" hidden data-script="" data-copy={url} data-copied="Copied">
          Copy
        </button>
        <a class="button" href={url} target="_blank" rel="noopener">
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
  const day = (milliseconds: number) => formatDate(new Date(milliseconds).toISOString(), timeZone);
  return (
    <section class="card share-form" aria-labelledby="links">
      <h2 id="links">Links</h2>
      <ul class="rows">
        {shared.map(({ id, name, query, createdAt, expiresAt, openedOn }) => {
          const works = expiresAt === null || expiresAt > now;
          const shown = query.ranges
            .map((range) => (range === "custom" ? formatDays(query) : ranges[range]))
            .join(", ");
          return (
            <li>
              <span>
                <strong dir="auto">{name ?? shown}</strong>
                <br />
                <span class="small quiet">
                  {openedOn === null ? "No opening noted yet" : `Last opened ${formatDate(openedOn)}`}
                  {name !== null && ` · ${shown}`} · Created {day(createdAt)}
                  {expiresAt !== null &&
                    ` · ${works ? "Works until the end of" : "Ended after"} ${day(expiresAt - 1)}`}
                </span>
              </span>
              <span class="buttons">
                {works && <Action path={`/dashboard/shared/${id}/replace`}>Replace link</Action>}
                <Action path={`/dashboard/shared/${id}/revoke`} danger>
                  {works ? "Revoke link" : "Remove"}
                </Action>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

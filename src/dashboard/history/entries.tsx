import type { Child } from "hono/jsx";
import { BinKind } from "../../contract/resources/history/bin.ts";
import type { HistoryEntry, HistoryList } from "../../contract/resources/history/history.ts";
import { lazy } from "../../lib/lazy.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { actorName } from "../../ui/values/actors.ts";
import { Avatar } from "../../ui/values/avatar.tsx";
import { dateLocale, formatClock, formatCount, formatTime } from "../../ui/values/format.ts";
import { type Names, readNames } from "../bulk/change-facts.tsx";
import { May } from "../frame/may.tsx";
import type { DashboardRequest } from "../frame/request.ts";
import { historyKinds } from "./kinds.ts";
import { ChangedFields, shownChanges } from "./values.tsx";
import { isAboutActor, phraseOf } from "./words.ts";

interface Props {
  readonly entries: readonly HistoryEntry[];
  readonly names: Names;
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
  /** The page's path and query, to which undoing a change returns; null if one's role doesn't allow that. */
  readonly back: string | null;
}

/** Reads the names of the folders and templates that entries refer to. */
export const namesFor = (request: DashboardRequest, entries: readonly HistoryEntry[]): Promise<Names> =>
  readNames(
    request,
    entries.flatMap(({ changes: { folderId } }) => [idIn(folderId?.before), idIn(folderId?.after)]),
  );

const idIn = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Says that the newest changes aren't in the list yet, if so. */
export const NewestFollow = ({ newestFollow }: Pick<HistoryList, "newestFollow">) =>
  newestFollow && (
    <Notice kind="info">
      <p>The newest changes are still being recorded. Reload this page in a few seconds to see them.</p>
    </Notice>
  );

/** Entries by day, newest first. Successive changes of one kind by a bulk job are one line. */
export function Entries({ entries, names, now, timeZone, back }: Props) {
  const zone = zoneOf(timeZone);
  const today = zone.dayOf(now);
  const undone = undoneIn(entries);
  const days = groupBy(entries, ({ at }) => zone.dayOf(Date.parse(at)));
  return (
    <>
      {days.map(([day, ofDay]) => (
        <section class="history-day">
          <h2>{dayName(day, today)}</h2>
          <ol class="plain">
            {groupBy(ofDay, ({ id, jobId, action }) => (jobId === null ? id : `${jobId} ${action}`)).map(
              ([, [first, ...others]]) =>
                first !== undefined && (
                  <li>
                    {others.length === 0 ? (
                      <Entry {...{ names, timeZone, back, undone }} entry={first} />
                    ) : (
                      <JobEntries {...{ names, timeZone, back, undone }} entries={[first, ...others]} />
                    )}
                  </li>
                ),
            )}
          </ol>
        </section>
      ))}
    </>
  );
}

/** Returns the ids of the changes that later ones of the list undid, unless those were undone themselves. */
function undoneIn(entries: readonly HistoryEntry[]): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const { id, revertOf } of entries) {
    if (revertOf !== null && !undone.has(id)) undone.add(revertOf);
  }
  return undone;
}

/** Marks a change that was undone, in place of the button for that. */
const Undone = () => (
  <span class="was-undone quiet">
    <Icon name="check" />
    Undone
  </span>
);

/** Groups successive items with the same key. */
function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): [Key, Item[]][] {
  const groups: [Key, Item[]][] = [];
  for (const item of items) {
    const key = keyOf(item);
    const last = groups.at(-1);
    if (last?.[0] === key) last[1].push(item);
    else groups.push([key, [item]]);
  }
  return groups;
}

const fullDay = lazy(() => new Intl.DateTimeFormat(dateLocale, { dateStyle: "full", timeZone: "UTC" }));

/** @param day as in `calendar.ts` */
function dayName(day: number, today: number): string {
  if (day === today) return "Today";
  return day === today - 1 ? "Yesterday" : fullDay().format(new Date(formatDay(day)));
}

interface EntryProps extends Pick<Props, "names" | "timeZone" | "back"> {
  readonly entry: HistoryEntry;
  /** The ids of the changes that were undone. */
  readonly undone: ReadonlySet<string>;
}

/** One change: who did what, and in its details the values before and after. */
function Entry({ entry, names, timeZone, back, undone }: EntryProps) {
  const [before, after] = phraseOf(entry, names);
  return (
    <>
      <ActorMark actor={entry.actor} />
      <div>
        <p>
          <strong>{actorName(entry.actor)}</strong> {before}{" "}
          {!isAboutActor(entry) && <ObjectLink object={entry.object} />}
          {after !== undefined && ` ${after}`}
        </p>
        <Details entry={entry} timeZone={timeZone}>
          {shownChanges(entry).length > 0 && (
            <ChangedFields entry={entry} names={names} timeZone={timeZone} />
          )}
          <LeftOut entry={entry} />
        </Details>
      </div>
      {undone.has(entry.id) ? <Undone /> : back !== null && <Restore entry={entry} back={back} />}
    </>
  );
}

const LeftOut = ({ entry }: Pick<EntryProps, "entry">) =>
  entry.valuesLeftOut ? (
    <p class="small quiet">Values left out: too many changes were waiting to be recorded.</p>
  ) : null;

/** Returns whether an entry is about a change of a resource that can be undone. */
const isUndoable = ({ action, object, valuesLeftOut }: HistoryEntry): boolean =>
  BinKind.safeParse(object.kind).success && /\.(updated|deleted)$/.test(action) && !valuesLeftOut;

/** The button that undoes a change, if it is one of those. */
function Restore({ entry, back }: { entry: HistoryEntry; back: string }) {
  const { id, object } = entry;
  if (!isUndoable(entry) || object.name === null) return null;
  const isDeletion = entry.action.endsWith(".deleted");
  return (
    <PostForm action={`/dashboard/history/${id}/revert`}>
      <input type="hidden" name="back" value={back} />
      <button class={isDeletion ? "button" : "button plain"} type="submit">
        <Icon name={isDeletion ? "archive-arrow-up" : "rotate-ccw"} />
        {isDeletion ? "Restore" : "Undo"}
        {!isDeletion && <span class="hidden-on-phones"> this change</span>}
        <span class="visually-hidden"> {object.name}</span>
      </button>
    </PostForm>
  );
}

/** Several changes of one kind by a bulk job. */
function JobEntries({
  entries,
  names,
  timeZone,
  back,
  undone,
}: Omit<EntryProps, "entry"> & { entries: [HistoryEntry, ...HistoryEntry[]] }) {
  const [first] = entries;
  const [before, after] = phraseOf(first, names);
  return (
    <>
      <ActorMark actor={first.actor} />
      <div>
        <p>
          <strong>{actorName(first.actor)}</strong> {before.replace(/ the code$/, "")}{" "}
          {formatCount(entries.length, "code")}
          {after !== undefined && ` ${after}`}
        </p>
        <Details entry={first} timeZone={timeZone}>
          <ul class="plain">
            {entries.map((entry) => (
              <li>
                <ObjectLink object={entry.object} />
                <ChangedFields entry={entry} names={names} timeZone={timeZone} />
                <LeftOut entry={entry} />
              </li>
            ))}
          </ul>
        </Details>
      </div>
      {entries.every(({ id }) => undone.has(id)) ? (
        <Undone />
      ) : (
        back !== null &&
        first.jobId !== null && (
          <a class="button plain" href={`/dashboard/jobs/${first.jobId}/undo`}>
            <Icon name="rotate-ccw" />
            Undo job
          </a>
        )
      )}
    </>
  );
}

/** The icons of actors that aren't people. */
const actorIcons = {
  key: "key",
  operator: "settings",
  job: "list-checks",
  service: "settings",
} as const satisfies Partial<Record<HistoryEntry["actor"]["kind"], IconName>>;

const ActorMark = ({ actor: { kind, name } }: Pick<HistoryEntry, "actor">) =>
  kind === "person" ? (
    <Avatar name={name} />
  ) : (
    <span class="avatar" aria-hidden="true">
      <Icon name={actorIcons[kind]} />
    </span>
  );

/** The name of what was changed, with a link to its page. */
function ObjectLink({ object: { kind, id, name } }: Pick<HistoryEntry, "object">) {
  const { unnamed, path, permission = "codes.read" } = historyKinds[kind];
  const href = path(id);
  // There is one brand, which needs no name.
  const text = kind === "brand" ? unnamed : (name ?? unnamed);
  if (href === null) return <>{text}</>;
  return (
    <May permission={permission} otherwise={text}>
      <a href={href} dir="auto">
        {text}
      </a>
    </May>
  );
}

const viaTexts = {
  dashboard: "in the dashboard",
  api: "by the API",
  mcp: "by an agent",
  embed: "by a widget",
  service: "automatically",
} as const satisfies Record<HistoryEntry["via"], string>;

/** Returns how a change was made, such as `in a bulk job by an agent (Desk Helper 2)`. */
function viaText({ via, client, jobId }: Pick<HistoryEntry, "via" | "client" | "jobId">): string {
  const how = client === null ? viaTexts[via] : `${viaTexts[via]} (${client})`;
  if (jobId === null) return how;
  return via === "mcp" ? `in a bulk job ${how}` : "in a bulk job";
}

/** When and how a change was made. Opens its values. */
function Details({
  entry: { at, via, client, jobId, requestId },
  timeZone,
  children,
}: Pick<EntryProps, "entry" | "timeZone"> & { children: Child }) {
  return (
    <details>
      <summary class="small quiet">
        <span>
          <time datetime={at} title={formatTime(at, timeZone)}>
            {formatClock(at, timeZone)}
          </time>
          , {viaText({ via, client, jobId })}
        </span>
        <Icon name="chevron-down" />
      </summary>
      {children}
      <p class="caption quiet">
        {jobId !== null && (
          <>
            <a href={`/dashboard/jobs/${jobId}`}>View job</a>{" "}
          </>
        )}
        {requestId !== null && (
          <>
            Request <span class="address">{requestId}</span>
          </>
        )}
      </p>
    </details>
  );
}

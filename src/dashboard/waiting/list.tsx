import type { PropsWithChildren } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import type { WaitingItem, WaitingKind } from "../../contract/resources/waiting.ts";
import {
  listWaitingItems,
  postponeItems,
  waitingKey,
  waitingTitles,
} from "../../domain/workspaces/waiting.ts";
import { Empty } from "../../ui/empty.tsx";
import { Action } from "../../ui/forms/buttons.tsx";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Head } from "../../ui/head.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { formatDate } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import type { FlashName } from "../frame/flash.ts";
import { May } from "../frame/may.tsx";
import type { Answer, DashboardRequest, PageResponse } from "../frame/request.ts";
import { alertsPath } from "../frame/settings-page.tsx";
import { proposalsPath, waitingPath } from "../frame/waiting.tsx";

interface KindTexts {
  readonly icon: IconName;
  /** The button that acts on one of them. */
  readonly verb: string;
  /** Where it leads, if not to the item's page. */
  readonly href?: (id: string) => string;
  /** Where it sends a form, if it acts at once. */
  readonly action?: (id: string) => string;
}

const kinds: Readonly<Record<WaitingKind, KindTexts>> = {
  proposal: {
    ...{ icon: "pencil", verb: "Review" },
    href: (id) => `${proposalsPath}/${id}`,
  },
  webhook: {
    ...{ icon: "pause", verb: "Resume" },
    action: (id) => `/dashboard/developer/webhooks/${id}/resume`,
  },
  delivery: {
    ...{ icon: "send", verb: "Send again" },
    href: (id) => `/dashboard/developer/webhooks/${id}/replay`,
  },
  domain: {
    ...{ icon: "globe", verb: "Check now" },
    action: (id) => `/dashboard/domains/${id}/check`,
  },
  job: { icon: "list-checks", verb: "View job" },
  print: { icon: "printer", verb: "View job" },
  design: { icon: "qr-code", verb: "Change design" },
  closed: { icon: "scan-line", verb: "View code" },
  limit: { icon: "triangle-alert", verb: "View limit" },
};

/** Everything that waits for the person, by kind, each with its action. */
export async function waitingList({ deps, context, timeZone }: DashboardRequest): Promise<PageResponse> {
  const [{ items }, zone] = await Promise.all([listWaitingItems(deps, context), timeZone()]);
  const open = Map.groupBy(
    items.filter(({ postponedUntil }) => postponedUntil === null),
    ({ kind }) => kind,
  );
  const off = items.filter(({ postponedUntil }) => postponedUntil !== null);
  const times = { now: deps.now(), zone };
  return {
    title: "Waiting for you",
    content: (
      <>
        <Head title="Waiting for you" />
        {open.size === 0 && (
          <Empty
            title="Nothing waits for you"
            text="What needs a person is listed here: changes that agents propose, failed jobs and deliveries, domains with a problem, designs that phones can't read, codes scanned after their end, limits nearly reached."
          />
        )}
        {[...open].map(([kind, found]) => (
          <Kind kind={kind} items={found} {...times} />
        ))}
        {off.length > 0 && <Postponed items={off} zone={zone} />}
        <May permission="webhooks">
          <p class="small quiet below">
            To hear of it elsewhere, set an <a href={alertsPath}>address for alerts</a>.
          </p>
        </May>
      </>
    ),
  };
}

interface KindProps {
  readonly kind: WaitingKind;
  readonly items: readonly WaitingItem[];
  readonly now: number;
  readonly zone: string;
}

function Kind({ kind, items, now, zone }: KindProps) {
  const title = waitingTitles[kind];
  return (
    <section class="waiting-kind" aria-labelledby={kind}>
      <div class="waiting-head">
        <h2 id={kind}>
          {title} <span class="quiet digits">{items.length}</span>
        </h2>
        {items.length > 1 && (
          <PostponeForm path="not-now" items={items}>
            Not now: all {items.length}
            <span class="visually-hidden"> {title}</span>
          </PostponeForm>
        )}
      </div>
      <ul class="plain waiting-items">
        {items.map((item) => (
          <li>
            <Item item={item}>
              {item.since !== null && <RelativeTime time={item.since} now={now} timeZone={zone} />}
            </Item>
            <div class="buttons">
              <ItemAction item={item} />
              <PostponeForm path="not-now" items={[item]}>
                Not now<span class="visually-hidden"> {item.title}</span>
              </PostponeForm>
            </div>
          </li>
        ))}
      </ul>
      {items.length === limits.waiting.counted && (
        <p class="small quiet">The first {limits.waiting.counted} are listed.</p>
      )}
    </section>
  );
}

/** A thing that waits. @param children its time */
const Item = ({ item: { kind, title, text, link }, children }: PropsWithChildren<{ item: WaitingItem }>) => (
  <>
    <Icon name={kinds[kind].icon} />
    <div class="what">
      <a class="name" dir="auto" href={pathOf(link)}>
        {title}
      </a>
      <span class="second">{text}</span>
      <span class="second">{children}</span>
    </div>
  </>
);

/** Returns an address of the dashboard without its origin, so that scripts load it in place. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

interface PostponeProps {
  readonly path: "not-now" | "now";
  readonly items: readonly WaitingItem[];
}

/** A quiet button that puts things off, or brings them back. */
const PostponeForm = ({ path, items, children }: PropsWithChildren<PostponeProps>) => (
  <PostForm action={`${waitingPath}/${path}`}>
    <HiddenFields values={items.map(({ kind, id }) => ["item", waitingKey(kind, id)] as const)} />
    <button class="button plain" type="submit">
      {children}
    </button>
  </PostForm>
);

/** The things that the person has put off, for those who want it back earlier. */
const Postponed = ({ items, zone }: { items: readonly WaitingItem[]; zone: string }) => (
  <details class="unfold waiting-kind">
    <summary>Not now: {items.length}</summary>
    <ul class="plain waiting-items">
      {items.map((item) => (
        <li>
          <Item item={item}>
            {item.postponedUntil !== null && `Back on ${formatDate(item.postponedUntil, zone)}`}
          </Item>
          <div class="buttons">
            <PostponeForm path="now" items={[item]}>
              Bring back<span class="visually-hidden"> {item.title}</span>
            </PostponeForm>
          </div>
        </li>
      ))}
    </ul>
  </details>
);

/** Puts the things of a form off for a week, for this person. */
export const postpone = setPostponed(true, "waitingPostponed");

/** Shows them again. */
export const resumeWaiting = setPostponed(false, "waitingResumed");

function setPostponed(isOff: boolean, flash: FlashName): Answer {
  return async ({ deps, context, form }) => {
    await postponeItems(deps, context, form.getAll("item"), { isOff });
    return { seeOther: waitingPath, flash };
  };
}

/** The way back of a code that was scanned after its end, by why it doesn't answer. */
const endings: Readonly<
  Record<NonNullable<WaitingItem["reason"]>, Pick<KindTexts, "verb" | "href" | "action">>
> = {
  paused: { verb: "Resume", action: (id) => `/dashboard/codes/${id}/resume` },
  expired: { verb: "Extend", href: (id) => `/dashboard/codes/${id}/edit` },
  deleted: { verb: "Restore", action: (id) => `/dashboard/codes/${id}/restore` },
};

function ItemAction({ item: { kind, id, title, link, reason } }: { item: WaitingItem }) {
  const { verb, href, action } = reason === undefined ? kinds[kind] : endings[reason];
  const about = <span class="visually-hidden"> {title}</span>;
  if (action !== undefined) {
    return (
      <Action path={action(id)}>
        {verb}
        {about}
      </Action>
    );
  }
  return (
    <a class="button" href={href?.(id) ?? pathOf(link)}>
      {verb}
      {about}
    </a>
  );
}

import type { PropsWithChildren } from "hono/jsx";
import { limits } from "../../contract/limits.ts";
import type { Suspension } from "../../contract/resources/operations/suspension.ts";
import type { WaitingKind } from "../../contract/resources/waiting.ts";
import { codeTitle } from "../../domain/codes/titles.ts";
import { may } from "../../domain/context/permissions.ts";
import { waysToSignIn } from "../../domain/identity/ways.ts";
import { noticesListed, type WorkspaceNotices } from "../../domain/workspaces/notices.ts";
import { waitingKey } from "../../domain/workspaces/waiting.ts";
import { bounds } from "../../protocol/bounds.ts";
import { formatPercent } from "../../ui/charts/format.ts";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { daysLeft, formatNumber } from "../../ui/values/format.ts";
import { RelativeTime } from "../../ui/values/relative-time.tsx";
import { May } from "./may.tsx";
import type { DashboardRequest } from "./request.ts";
import { waitingPath } from "./waiting.tsx";

interface Props {
  readonly notices: WorkspaceNotices;
  /** The address of the page. */
  readonly address: string;
  readonly request: DashboardRequest;
}

/**
 * The workspace's notices, except those about its plan. The pages of suspended codes and hosted pages have their own.
 */
export function WorkspaceNotes({ notices, address, request: { deps, context, user } }: Props) {
  // The list of what waits has them already.
  const isOff = (kind: WaitingKind, id: string) =>
    address === waitingPath || (user.postponed[waitingKey(kind, id)] ?? 0) > deps.now();
  const unreadable = notices.unreadable.filter(({ id }) => !isOff("design", id));
  const { codes, pages, keys, expiringKeys, newPasskeys, pausedWebhooks } = notices;
  const { storage, rebuilding, historyUnusualAt } = notices;
  return (
    <>
      {newPasskeys.length > 0 && waysToSignIn(deps).passkeys && (
        <NewPasskeys passkeys={newPasskeys} now={deps.now()} />
      )}
      {codes.map((code) =>
        address === `/dashboard/codes/${code.id}` ? null : (
          <Notice kind="bad">
            <p>
              The operator of this service has suspended the code{" "}
              <a href={`/dashboard/codes/${code.id}`}>{codeTitle(code)}</a>. Visitors see a generic page.{" "}
              {code.suspended !== null && <Reason suspended={code.suspended} />}
            </p>
          </Notice>
        ),
      )}
      {unreadable.length > 0 &&
        unreadable.every(({ id }) => !address.startsWith(`/dashboard/codes/${id}`)) && (
          <Notice kind="warn">
            <p>
              Phones can't reliably read{" "}
              {unreadable.map((code, i) => (
                <>
                  {i > 0 && ", "}
                  <a href={`/dashboard/codes/${code.id}`}>{codeTitle(code)}</a>
                </>
              ))}
              {unreadable.length === noticesListed && " and maybe others"}. Change the{" "}
              {unreadable.length === 1 ? "design before you print it" : "designs before you print them"}.
            </p>
          </Notice>
        )}
      {pages.map(({ id, title, formClosed, suspended }) => (
        <>
          {suspended !== null && address !== `/dashboard/pages/${id}` && (
            <Notice kind="bad">
              <p>
                The operator of this service has suspended the hosted page{" "}
                <a href={`/dashboard/pages/${id}`}>{title}</a>. Visitors see a generic page.{" "}
                <Reason suspended={suspended} />
              </p>
            </Notice>
          )}
          {formClosed &&
            address !== `/dashboard/pages/${id}` &&
            address !== `/dashboard/pages/${id}/submissions` && (
              <Notice kind="warn">
                <p>
                  The form of the hosted page “{title}” is closed, because it has{" "}
                  {formatNumber(bounds.submissions)} submissions, the most that a page can have.{" "}
                  <May permission="submissions.manage">
                    <a href={`/dashboard/pages/${id}/submissions`}>Export them and erase some</a> to reopen
                    it.
                  </May>
                </p>
              </Notice>
            )}
        </>
      ))}
      {(may(context, "webhooks") ? pausedWebhooks.filter(({ id }) => !isOff("webhook", id)) : []).map(
        ({ id, url, reason }) => (
          <Notice kind="warn">
            <p>
              The webhook to {hostOf(url)} is paused. {reason}. Its events are not delivered.{" "}
              <a href={`/dashboard/developer/webhooks/${id}`}>View webhook</a>
            </p>
          </Notice>
        ),
      )}
      {(may(context, "keys") ? keys : []).map((name) => (
        <Notice kind="warn">
          <p>
            The publishable key “{name}” has created {formatNumber(limits.keyCreations.cap)} codes today,
            which is its limit. It can create codes again after midnight UTC.{" "}
            <a href="/dashboard/developer/keys">View keys</a>
          </p>
        </Notice>
      ))}
      {(may(context, "keys") ? expiringKeys : []).map(({ id, name, expiresAt }) => (
        <Notice kind="warn">
          <p>
            The API key “{name}” expires in {daysLeft(expiresAt - deps.now())}. From then on its requests are
            refused. <a href={`/dashboard/developer/keys/${id}/rotate`}>Rotate key</a>
          </p>
        </Notice>
      ))}
      <Storage status={storage} />
      {deps.now() - (historyUnusualAt ?? 0) < bounds.history.unusual.noticed && (
        <Notice kind="warn">
          <p>
            An unusual number of changes was made within an hour. The history keeps{" "}
            {formatNumber(bounds.history.rows)} changes, so earlier ones may soon be deleted from it, and
            can’t be undone then. Check who makes them. <a href="/dashboard/history">View history</a>
          </p>
        </Notice>
      )}
      {rebuilding !== null && (
        <Notice kind="info">
          <p>
            Reports are changing to the time zone {rebuilding.timeZone}: {formatPercent(rebuilding.progress)}{" "}
            of the scans have been recounted. In the meantime, reports use the previous time zone.
          </p>
        </Notice>
      )}
    </>
  );
}

/** Shows in every session of a person that a passkey was added, since its holder can sign in as them. */
const NewPasskeys = ({ passkeys, now }: { passkeys: WorkspaceNotices["newPasskeys"]; now: number }) => (
  <Notice kind="warn">
    <p>
      {passkeys.map(({ name, createdAt }, index) => (
        <>
          {index > 0 && ", and "}
          {index === 0 ? "The passkey" : "the passkey"} “{name}” was added to your account{" "}
          <RelativeTime time={new Date(createdAt).toISOString()} now={now} timeZone="UTC" />
        </>
      ))}
      . If that wasn't you, <a href="/dashboard/settings/sessions">remove it and sign out everywhere</a>.
    </p>
    <PostForm action="/dashboard/settings/passkeys/seen">
      <button class="button" type="submit">
        It was me
      </button>
    </PostForm>
  </Notice>
);

/** The operator's reason for a suspension, in their words. */
export function Reason({ suspended: { reason, legalOrder } }: { suspended: Suspension }) {
  return (
    <>
      {legalOrder ? "A legal order requires it. " : ""}The operator gives this reason: <q>{reason}</q>
    </>
  );
}

const hostOf = (url: string): string => new URL(url).host;

function Storage({ status }: { status: WorkspaceNotices["storage"] }) {
  if (status === "ok") return null;
  return status === "full" ? (
    <StorageNotice kind="bad">
      The storage for individual scans is full. Codes work and their scans are counted, but no longer listed
      one by one.
    </StorageNotice>
  ) : (
    <StorageNotice kind="warn">
      The storage for individual scans is filling up. Once it is full, scans are counted, but not listed one
      by one.
    </StorageNotice>
  );
}

const StorageNotice = ({ kind, children }: PropsWithChildren<{ kind: "warn" | "bad" }>) => (
  <Notice kind={kind}>
    <p>
      {children} <a href="/dashboard/settings/reports">Choose how long scans are kept</a>
    </p>
  </Notice>
);

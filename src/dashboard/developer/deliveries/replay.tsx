import { limits } from "../../../contract/limits.ts";
import { ReplayInput, type ReplayPreview } from "../../../contract/resources/webhooks/replays.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { notFound } from "../../../domain/errors.ts";
import { listDeliveries } from "../../../domain/webhooks/deliveries.ts";
import { listReplays, previewReplay, startReplay, stopReplay } from "../../../domain/webhooks/replays.ts";
import { getWebhook } from "../../../domain/webhooks/webhooks.ts";
import { fromLocalTime, toLocalTime } from "../../../lib/time/local-time.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import { Checkbox, TextField } from "../../../ui/forms/field.tsx";
import type { FormState } from "../../../ui/forms/form.ts";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { Problems } from "../../../ui/forms/problems.tsx";
import { Head } from "../../../ui/head.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { formatCount, formatNumber, formatTime } from "../../../ui/values/format.ts";
import type {
  DashboardRequest,
  DashboardResponse,
  Fragment,
  PageResponse,
  SeeOther,
} from "../../frame/request.ts";
import { type Rejection, submitForm } from "../../frame/submit-form.ts";
import { webhookPath, webhookTitle } from "../webhooks/texts.tsx";
import { ReplayProgress } from "./progress.tsx";

const day = 24 * 60 * 60_000;

/** How far back a replay begins where nothing failed, and which starts links offer, in milliseconds. */
const defaultAge = day;
const ages = [
  ["Last hour", day / 24],
  ["Last 24 hours", day],
  ["Last 7 days", 7 * day],
  ["Last 30 days", 30 * day],
] as const;

/** The form to start a replay, with an estimate of its size, and the progress of the last replay. @throws not_found */
export const replayForm = (request: DashboardRequest): Promise<PageResponse> => show(request);

/** Starts a replay; explains the problem if that fails. @throws not_found */
export async function beginReplay(request: DashboardRequest): Promise<DashboardResponse> {
  const { deps, context, form } = request;
  const id = request.param("id");
  const input = { since: form.get("since"), includeSkipped: form.get("includeSkipped") === "on" };
  const outcome = await submitForm(ReplayInput, input, (checked) => startReplay(deps, context, id, checked));
  if ("rejection" in outcome) return show(request, outcome.rejection);
  return { seeOther: `${webhookPath(id)}/replay`, flash: "replayStarted" };
}

/** The progress of the last replay, which pages request repeatedly. @throws not_found */
export async function replayProgress({ deps, context, param }: DashboardRequest): Promise<Fragment> {
  const [replay] = await listReplays(deps, context, param("id"));
  if (replay === undefined) throw notFound("Replay");
  return { fragment: <ReplayProgress path={webhookPath(param("id"))} replay={replay} /> };
}

/** Stops the running replay. @throws not_found */
export async function endReplay({ deps, context, param }: DashboardRequest): Promise<SeeOther> {
  const [replay] = await listReplays(deps, context, param("id"));
  if (replay === undefined) throw notFound("Replay");
  await stopReplay(deps, context, param("id"), replay.id);
  return { seeOther: `${webhookPath(param("id"))}/replay`, flash: "replayStopped" };
}

async function show(request: DashboardRequest, rejection?: Rejection): Promise<PageResponse> {
  const { deps, context, query } = request;
  const timeZone = await request.timeZone();
  const zone = zoneOf(timeZone);
  const text = query.get("since") ?? toLocalTime(await firstFailure(request), zone);
  const since = fromLocalTime(text, zone);
  const includeSkipped = query.get("includeSkipped") === "on";
  const problems = since === null ? { since: "must be a date and time" } : (rejection?.problems ?? {});
  const values = new URLSearchParams({ since: text, ...(includeSkipped ? { includeSkipped: "on" } : {}) });
  const id = request.param("id");
  const input = since === null ? null : { since: new Date(since).toISOString(), includeSkipped };
  const [webhook, [last], preview] = await Promise.all([
    getWebhook(deps, context, id),
    listReplays(deps, context, id),
    input && previewReplay(deps, context, id, input),
  ]);
  const path = webhookPath(id);
  return {
    title: "Replay failed deliveries",
    status: rejection?.status ?? (since === null ? 400 : 200),
    content: (
      <>
        <Head title="Replay failed deliveries" back={{ path, name: webhookTitle(webhook) }} />
        <Problems form={{ values, problems }} labels={{ since: "Since" }} />
        {last !== undefined && <ReplayProgress path={path} replay={last} />}
        {webhook.status === "paused" && <Paused path={path} />}
        {webhook.status === "active" && last?.status !== "running" && (
          <>
            <SinceForm form={{ values, problems }} path={path} now={deps.now()} timeZone={timeZone} />
            {input !== null && preview !== null && (
              <Estimate webhook={webhook} input={input} preview={preview} timeZone={timeZone} />
            )}
          </>
        )}
      </>
    ),
  };
}

/** Returns when the oldest of the latest failed deliveries was created, epoch milliseconds; a day ago if there is none. */
async function firstFailure({ deps, context, param }: DashboardRequest): Promise<number> {
  const { items } = await listDeliveries(deps, context, param("id"), {
    status: "failed",
    limit: limits.deliveryList.max,
  });
  const oldest = items.at(-1);
  return oldest === undefined ? deps.now() - defaultAge : Date.parse(oldest.createdAt);
}

const Paused = ({ path }: { path: string }) => (
  <Notice kind="warn">
    <p>This webhook is paused. Resume it to replay its deliveries.</p>
    <Action path={`${path}/resume`}>Resume</Action>
  </Notice>
);

interface SinceProps {
  readonly form: FormState;
  readonly path: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly timeZone: string;
}

function SinceForm({ form, path, now, timeZone }: SinceProps) {
  const zone = zoneOf(timeZone);
  return (
    <form class="card" method="get" action={`${path}/replay`}>
      <nav aria-label="Since when">
        <ul class="tabs">
          {ages.map(([name, age]) => {
            const since = toLocalTime(now - age, zone);
            return (
              <li>
                <a
                  href={`${path}/replay?since=${since}`}
                  aria-current={form.values.get("since") === since ? "true" : undefined}
                >
                  {name}
                </a>
              </li>
            );
          })}
        </ul>
      </nav>
      <TextField
        form={form}
        name="since"
        label="Since"
        hint={`When the deliveries were created. Time zone: ${timeZone}`}
        type="datetime-local"
        required
      />
      <div class="option-under">
        <Checkbox form={form} name="includeSkipped" label="Include skipped deliveries" />
      </div>
      <button class="button" type="submit">
        Count deliveries
      </button>
    </form>
  );
}

interface EstimateProps {
  readonly webhook: Webhook;
  readonly input: ReplayInput;
  readonly preview: ReplayPreview;
  readonly timeZone: string;
}

function Estimate({ webhook, input, preview: { deliveries, hasMore }, timeZone }: EstimateProps) {
  const kind = input.includeSkipped ? "failed or skipped" : "failed";
  const since = formatTime(input.since, timeZone);
  if (deliveries === 0) {
    return (
      <section class="card" aria-label="Estimate">
        <p>
          No {kind} deliveries since {since}.
        </p>
      </section>
    );
  }
  return (
    <section class="card" aria-labelledby="estimate">
      <h2 id="estimate">
        {hasMore && "More than "}
        {formatCount(deliveries, `${kind} delivery`, `${kind} deliveries`)} since {since}
      </h2>
      <p>
        Each is sent to {webhook.url} again, with the same id and body, in one attempt, oldest first.{" "}
        {hasMore && `A replay includes the oldest ${formatNumber(limits.replayDeliveries)}. `}
        New events take precedence.
      </p>
      <PostForm action={`${webhookPath(webhook.id)}/replay`} data-draft="none">
        <input type="hidden" name="since" value={input.since} />
        {input.includeSkipped && <input type="hidden" name="includeSkipped" value="on" />}
        <button class="button primary" type="submit">
          Replay {formatCount(deliveries, "delivery", "deliveries")}
        </button>
      </PostForm>
    </section>
  );
}

import type { Attempt, DeliveryWithAttempts } from "../../../contract/resources/webhooks/webhooks.ts";
import { findCodeTitles } from "../../../domain/codes/titles.ts";
import { getDelivery, replayDelivery as replay } from "../../../domain/webhooks/deliveries.ts";
import { getWebhook } from "../../../domain/webhooks/webhooks.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import { Head } from "../../../ui/head.tsx";
import { CodeBlock } from "../../../ui/values/code-block.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { formatInstant, formatNumber, formatTime } from "../../../ui/values/format.ts";
import type { DashboardRequest, Fragment, PageResponse, SeeOther } from "../../frame/request.ts";
import { webhookPath, webhookTitle } from "../webhooks/texts.tsx";
import { DeliveryStatusMark } from "./table.tsx";

/** The page refreshes itself while an attempt is in progress, or due within this many milliseconds. */
const soon = 35_000;

const pathOf = (request: DashboardRequest): string =>
  `${webhookPath(request.param("id"))}/deliveries/${request.param("delivery")}`;

const find = (request: DashboardRequest): Promise<DeliveryWithAttempts> =>
  getDelivery(request.deps, request.context, request.param("id"), request.param("delivery"));

/** A delivery: its status, its body, and its attempts with their responses. @throws not_found */
export async function showDelivery(request: DashboardRequest): Promise<PageResponse> {
  const [webhook, delivery, timeZone] = await Promise.all([
    getWebhook(request.deps, request.context, request.param("id")),
    find(request),
    request.timeZone(),
  ]);
  const title = delivery.test ? `Test of ${delivery.event}` : `Delivery of ${delivery.event}`;
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: webhookPath(webhook.id), name: webhookTitle(webhook) }} />
        <Progress
          request={request}
          delivery={delivery}
          timeZone={timeZone}
          canReplay={webhook.status === "active"}
        />
        <section class="card" aria-labelledby="body">
          <h2 id="body">Body</h2>
          {delivery.payload === null ? (
            <p>The data was erased together with its submission.</p>
          ) : (
            <CodeBlock
              text={JSON.stringify(delivery.payload, null, 2)}
              label="the body"
              language={<span>JSON</span>}
            />
          )}
        </section>
      </>
    ),
  };
}

/** The part of the page that refreshes itself while attempts are made. @throws not_found */
export async function deliveryPart(request: DashboardRequest): Promise<Fragment> {
  const [webhook, delivery, timeZone] = await Promise.all([
    getWebhook(request.deps, request.context, request.param("id")),
    find(request),
    request.timeZone(),
  ]);
  const canReplay = webhook.status === "active";
  return {
    fragment: <Progress request={request} delivery={delivery} timeZone={timeZone} canReplay={canReplay} />,
  };
}

/** Sends an ended delivery again. @throws not_found, invalid_input */
export async function replayDelivery(request: DashboardRequest): Promise<SeeOther> {
  await replay(request.deps, request.context, request.param("id"), request.param("delivery"));
  return { seeOther: pathOf(request), flash: "replayed" };
}

interface Props {
  readonly request: DashboardRequest;
  readonly delivery: DeliveryWithAttempts;
  readonly timeZone: string;
  /** Whether the webhook is active. */
  readonly canReplay: boolean;
}

async function Progress({ request, delivery, timeZone, canReplay }: Props) {
  const { status, nextAttemptAt, attemptLog } = delivery;
  const path = pathOf(request);
  const isWaiting =
    status === "pending" && nextAttemptAt !== null && Date.parse(nextAttemptAt) <= request.deps.now() + soon;
  const asks = isWaiting
    ? { "hx-get": `${path}/part`, "hx-trigger": "every 1s", "hx-swap": "outerHTML" }
    : {};
  const isEnded = status === "failed" || status === "skipped";
  const subject = await subjectOf(request, delivery.payload);
  return (
    <div id="delivery" {...asks}>
      <section class="card" aria-label="Status">
        <Facts
          items={[
            ["Status", <DeliveryStatusMark status={status} />],
            ["Event", delivery.test ? "Test, with made-up data" : null],
            ["About", subject === null ? null : <a href={subject.href}>{subject.name}</a>],
            ["Created", formatTime(delivery.createdAt, timeZone)],
            ["Next attempt", nextAttemptAt && formatTime(nextAttemptAt, timeZone)],
            ["Last error", delivery.lastError],
            ["ID", <code>{delivery.id}</code>],
          ]}
        />
        {isEnded && canReplay && delivery.payload !== null && (
          <div class="buttons">
            <Action path={`${path}/replay`}>Resend</Action>
          </div>
        )}
        {isEnded && !canReplay && <p class="quiet">Resume the webhook to resend the delivery.</p>}
      </section>
      <section class="card" aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        {attemptLog.length === 0 && (
          <p class="quiet">{isWaiting ? "Waiting for the receiver to respond…" : "No attempts were made."}</p>
        )}
        <ol class="plain attempts">
          {attemptLog.map((attempt, i) => (
            <AttemptEntry attempt={attempt} isOpen={i === attemptLog.length - 1} timeZone={timeZone} />
          ))}
        </ol>
        {isWaiting && (
          <p class="under-table">
            <a class="button" href={path}>
              Refresh
            </a>
          </p>
        )}
      </section>
    </div>
  );
}

interface AttemptProps {
  readonly attempt: Attempt;
  readonly isOpen: boolean;
  readonly timeZone: string;
}

/** An attempt, which opens its response. */
function AttemptEntry({ attempt, isOpen, timeZone }: AttemptProps) {
  const { at, status, durationMs, error, responseBody } = attempt;
  const summary = (
    <>
      <strong>{error ?? `HTTP ${status}`}</strong>{" "}
      <span class="quiet">
        in {formatNumber(durationMs)} ms, {formatInstant(at, timeZone)}
      </span>
    </>
  );
  return (
    <li>
      {responseBody === null || responseBody === "" ? (
        <p>{summary}</p>
      ) : (
        <details class="unfold" open={isOpen}>
          <summary>{summary}</summary>
          <CodeBlock text={responseBody} label="the response" language={<span>Response</span>} />
        </details>
      )}
    </li>
  );
}

/** The dashboard page of the resource that an event is about. */
interface Subject {
  readonly href: string;
  readonly name: string;
}

/** Returns the code or hosted page that a delivery's event is about; null for other events, batches and tests. */
async function subjectOf(
  { deps, context }: DashboardRequest,
  payload: Readonly<Record<string, unknown>> | null,
): Promise<Subject | null> {
  const { event, data } = payload ?? {};
  if (typeof event !== "string" || typeof data !== "object" || data === null || "test" in data) return null;
  const { id, qrId, pageId } = data as Readonly<Record<string, unknown>>;
  if (typeof pageId === "string") return { href: `/dashboard/pages/${pageId}`, name: "The hosted page" };
  const code = event === "qr.scanned" ? qrId : id;
  if (!event.startsWith("qr.") || typeof code !== "string") return null;
  const titles = await findCodeTitles(deps, context, [code]);
  return { href: `/dashboard/codes/${code}`, name: titles.get(code) ?? "The code" };
}

import type { Replay } from "../../../contract/resources/webhooks/replays.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { listKeyNames } from "../../../domain/identity/keys.ts";
import { listDeliveries } from "../../../domain/webhooks/deliveries.ts";
import { listReplays } from "../../../domain/webhooks/replays.ts";
import { getWebhook } from "../../../domain/webhooks/webhooks.ts";
import { bounds } from "../../../protocol/bounds.ts";
import { Action } from "../../../ui/forms/buttons.tsx";
import { Head } from "../../../ui/head.tsx";
import { Menu, MenuAction, MenuLinks } from "../../../ui/menu.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { formatNumber, formatTime } from "../../../ui/values/format.ts";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { ReplayProgress } from "../deliveries/progress.tsx";
import { DeliveryTable } from "../deliveries/table.tsx";
import { Verification } from "./secret.tsx";
import { modeTexts, WebhookStatus, webhookPath, webhookTitle } from "./texts.tsx";

/** How many deliveries the page shows. */
const shown = 5;

/** A webhook: its settings, its state and its last deliveries. @throws not_found */
export async function showWebhook(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const id = request.param("id");
  const [webhook, { items }, failed, replays, keys, timeZone] = await Promise.all([
    getWebhook(deps, context, id),
    listDeliveries(deps, context, id, { limit: shown }),
    listDeliveries(deps, context, id, { limit: shown, status: "failed" }),
    listReplays(deps, context, id),
    listKeyNames(deps, context),
    request.timeZone(),
  ]);
  const path = webhookPath(webhook.id);
  const title = webhookTitle(webhook);
  const key = keys.find((each) => each.id === webhook.keyId)?.name ?? "a key that was revoked";
  return {
    title,
    content: (
      <>
        <Head title={title} back={{ path: "/dashboard/developer/webhooks", name: "Webhooks" }}>
          <Action path={`${path}/test`}>Send test event</Action>
          {webhook.status === "paused" && <Action path={`${path}/resume`}>Resume</Action>}
          <a class="button" href={`${path}/edit`}>
            Edit
          </a>
          <Menu label="More actions" icon="ellipsis">
            {webhook.status === "active" && (
              <MenuAction path={`${path}/pause`} icon="pause">
                Pause
              </MenuAction>
            )}
            <MenuLinks
              items={[
                ["Replay failed deliveries", "rotate-ccw", `${path}/replay`],
                ["Replace signing secret", "key", `${path}/rotate`],
                "divider",
                ["Delete", "trash", `${path}/delete`],
              ]}
            />
          </Menu>
        </Head>
        <Trouble webhook={webhook} />
        {failed.items.length > 0 && (
          <section class="card" aria-labelledby="failed">
            <h2 id="failed">Failed deliveries</h2>
            <p>Your endpoint rejected every attempt. Open one to see its responses and resend it.</p>
            <DeliveryTable webhookId={webhook.id} deliveries={failed.items} timeZone={timeZone} />
            <p class="buttons under-table">
              <a class="button" href={`${path}/deliveries?status=failed`}>
                View failed deliveries
              </a>
              <a class="button" href={`${path}/replay`}>
                Replay failed deliveries
              </a>
            </p>
          </section>
        )}
        <section class="card" aria-label="Settings">
          <Facts
            items={[
              ["URL", <code>{webhook.url}</code>],
              ["Status", <WebhookStatus webhook={webhook} />],
              ["Events", <code>{webhook.events.join(", ")}</code>],
              ["Delivery", modeTexts[webhook.mode].text],
              [
                "Headers",
                webhook.headers.length === 0 ? null : (
                  <code>{webhook.headers.map(({ name }) => name).join(", ")}</code>
                ),
              ],
              ["Limited to code", webhook.scopeQrId && <ScopeLink area="codes" id={webhook.scopeQrId} />],
              ["Limited to page", webhook.scopePageId && <ScopeLink area="pages" id={webhook.scopePageId} />],
              ["Consecutive failures", formatNumber(webhook.consecutiveFailures)],
              ["Pending events", formatNumber(webhook.pendingEvents)],
              ["Address set by", webhook.keyId && `API key: ${key}`],
              ["Created", formatTime(webhook.createdAt, timeZone)],
            ]}
          />
        </section>
        <section class="card" aria-labelledby="deliveries">
          <h2 id="deliveries">Recent deliveries</h2>
          {items.length === 0 ? (
            <p class="quiet">No deliveries yet. Send a test event to see whether your receiver answers.</p>
          ) : (
            <DeliveryTable webhookId={webhook.id} deliveries={items} timeZone={timeZone} />
          )}
          <LastReplay path={path} replay={replays[0]} />
          <p class="buttons under-table">
            <a class="button" href={`${path}/deliveries`}>
              View all deliveries
            </a>
          </p>
        </section>
        <Verification />
        <section class="card" aria-labelledby="secret">
          <h2 id="secret">Signing secret</h2>
          <p>You saw it when you created the webhook. If it is lost or has leaked, replace it.</p>
          <a class="button" href={`${path}/rotate`}>
            Replace secret
          </a>
        </section>
      </>
    ),
  };
}

const ScopeLink = ({ area, id }: { area: "codes" | "pages"; id: string }) => (
  <a href={`/dashboard/${area}/${id}`}>{id}</a>
);

/** The problem that prevents the webhook from delivering. */
function Trouble({ webhook: { pausedReason, status, backlogFull } }: { webhook: Webhook }) {
  if (status === "paused") {
    return (
      <Notice kind="warn">
        <p>
          <strong>This webhook is paused.</strong> {pausedReason}. Its events are kept as skipped deliveries.
          Resume it, then replay the ones you need.
        </p>
      </Notice>
    );
  }
  if (!backlogFull) return null;
  return (
    <Notice kind="bad">
      <p>
        <strong>The backlog is full:</strong> {formatNumber(bounds.pendingEvents)} events are pending. New
        ones are skipped until your receiver answers.
      </p>
    </Notice>
  );
}

/** The running replay. */
function LastReplay({ path, replay }: { path: string; replay: Replay | undefined }) {
  return replay?.status === "running" ? <ReplayProgress path={path} replay={replay} /> : null;
}

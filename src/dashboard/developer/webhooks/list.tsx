import { plans } from "../../../contract/plans.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { listWebhooks } from "../../../domain/webhooks/webhooks.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Head } from "../../../ui/head.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Table } from "../../../ui/table.tsx";
import { formatCount, formatNumber } from "../../../ui/values/format.ts";
import { UpgradeLink } from "../../frame/notices.tsx";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { ReferenceLink } from "../reference-link.tsx";
import { DeveloperTabs } from "../tabs.tsx";
import { WebhookStatus, webhookPath } from "./texts.tsx";

const path = "/dashboard/developer/webhooks";

/** The webhooks of the workspace, oldest first. */
export async function webhookList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const { webhooks } = await listWebhooks(deps, context);
  const isFull = webhooks.length >= plans[context.plan].webhooks;
  return {
    title: "Webhooks",
    content: (
      <>
        <Head title="Developer">
          {!isFull && (
            <a class="button primary" href={`${path}/new`}>
              New webhook
            </a>
          )}
          <ReferenceLink request={request} section="webhooks" button>
            API reference
          </ReferenceLink>
        </Head>
        <DeveloperTabs current={path} />
        {isFull && <PlanNote request={request} />}
        {webhooks.length === 0 ? (
          <Empty
            title="No webhooks yet"
            text="A webhook calls your server when something happens: someone scans a code, submits a form or edits a code."
          >
            <a class="button primary" href={`${path}/new`}>
              Create webhook
            </a>
          </Empty>
        ) : (
          <WebhookTable webhooks={webhooks} />
        )}
      </>
    ),
  };
}

/** Says that the plan's limit of webhooks is reached. */
export function PlanNote({ request: { context, deps } }: { request: DashboardRequest }) {
  const { title, webhooks } = plans[context.plan];
  return (
    <Notice kind="info">
      <p>
        Your {title} plan allows {formatCount(webhooks, "webhook")}. Delete one to create another.
      </p>
      <UpgradeLink url={deps.settings.upgradeUrl} />
    </Notice>
  );
}

const WebhookTable = ({ webhooks }: { webhooks: readonly Webhook[] }) => (
  <Table
    kind="records"
    rows={webhooks}
    columns={[
      {
        head: "Receiver",
        cell: ({ id, url }) => (
          <a class="name" dir="auto" href={webhookPath(id)}>
            {url}
          </a>
        ),
      },
      { head: "Events", cell: ({ events }) => <code>{events.join(", ")}</code> },
      {
        head: "Status",
        cell: (webhook) => (
          <>
            <WebhookStatus webhook={webhook} />
            {webhook.pausedReason !== null && <span class="second quiet">{webhook.pausedReason}</span>}
          </>
        ),
      },
      ["Consecutive failures", ({ consecutiveFailures }) => formatNumber(consecutiveFailures)],
      ["Pending events", ({ pendingEvents }) => formatNumber(pendingEvents)],
    ]}
  />
);

import { plans } from "../../contract/plans.ts";
import type { ApiKey } from "../../contract/resources/identity/keys.ts";
import type { Delivery, Webhook } from "../../contract/resources/webhooks/webhooks.ts";
import { listKeys } from "../../domain/identity/keys.ts";
import { listDeliveries } from "../../domain/webhooks/deliveries.ts";
import { listWebhooks } from "../../domain/webhooks/webhooks.ts";
import { Head } from "../../ui/head.tsx";
import { Figures } from "../../ui/values/figures.tsx";
import { formatNumber } from "../../ui/values/format.ts";
import type { DashboardRequest, PageResponse } from "../frame/request.ts";
import { ConnectSamples } from "./keys/connect-samples.tsx";
import { KeySamples } from "./keys/key-samples.tsx";
import { ReferenceLink } from "./reference-link.tsx";
import { DeveloperTabs } from "./tabs.tsx";
import { WebhookStatus, webhookPath } from "./webhooks/texts.tsx";

const path = "/dashboard/developer";

/** Keys, webhooks and their state; first steps if there are none. */
export async function developerOverview(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const [{ keys }, { webhooks }] = await Promise.all([listKeys(deps, context), listWebhooks(deps, context)]);
  const failed = await lastFailures(request, webhooks);
  const isEmpty = keys.length === 0 && webhooks.length === 0;
  return {
    title: "Developer",
    content: (
      <>
        <Head title="Developer">
          <a class="button primary" href={`${path}/keys/new`}>
            New key
          </a>
          <ReferenceLink request={request} button>
            API reference
          </ReferenceLink>
        </Head>
        <DeveloperTabs current={path} />
        {isEmpty ? (
          <FirstSteps request={request} />
        ) : (
          <Health keys={keys} webhooks={webhooks} failed={failed} />
        )}
        <section class="card" aria-labelledby="samples">
          <h2 id="samples">Create a code by API</h2>
          <KeySamples request={request} created={undefined} />
        </section>
        <ConnectSamples request={request} created={undefined} />
      </>
    ),
  };
}

/** How many webhooks are asked for their failed deliveries. */
const examined = 20;

/** Returns the latest failed delivery of each webhook that has one, by its id. */
async function lastFailures(
  { deps, context }: DashboardRequest,
  webhooks: readonly Webhook[],
): Promise<ReadonlyMap<string, Delivery>> {
  const found = await Promise.all(
    webhooks.slice(0, examined).map(async ({ id }) => {
      const { items } = await listDeliveries(deps, context, id, { status: "failed", limit: 1 });
      return items.map((delivery) => [id, delivery] as const);
    }),
  );
  return new Map(found.flat());
}

function FirstSteps({ request }: { request: DashboardRequest }) {
  const { title, secretKeys } = plans[request.context.plan];
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol>
        <li>
          <a href={`${path}/keys/new`}>Create a key</a>
          {secretKeys
            ? ": a secret one for your server, a publishable one for a web page."
            : `. Your ${title} plan includes publishable keys; secret keys come with the ${plans.pro.title} plan.`}
        </li>
        <li>Create a code with one of the samples below. After you create a key, they contain it.</li>
        <li>
          <a href={`${path}/webhooks/new`}>Create a webhook</a> to receive scans and other events as they
          happen.
        </li>
        <li>
          Find every endpoint, with an example, in the{" "}
          <ReferenceLink request={request}>API reference</ReferenceLink>.
        </li>
      </ol>
    </section>
  );
}

interface HealthProps {
  readonly keys: readonly ApiKey[];
  readonly webhooks: readonly Webhook[];
  readonly failed: Awaited<ReturnType<typeof lastFailures>>;
}

function Health({ keys, webhooks, failed }: HealthProps) {
  const sum = (of: (webhook: Webhook) => number) => webhooks.reduce((total, each) => total + of(each), 0);
  const trouble = webhooks.filter(
    ({ id, status, consecutiveFailures, backlogFull }) =>
      status === "paused" || consecutiveFailures > 0 || backlogFull || failed.has(id),
  );
  return (
    <>
      <Figures
        items={[
          ["Keys", formatNumber(keys.length)],
          ["Webhooks", formatNumber(webhooks.length)],
          ["Paused webhooks", formatNumber(webhooks.filter(({ status }) => status === "paused").length)],
          ["Pending events", formatNumber(sum(({ pendingEvents }) => pendingEvents))],
        ]}
      />
      {trouble.length > 0 && (
        <section class="card" aria-labelledby="trouble">
          <h2 id="trouble">Webhooks that need your attention</h2>
          <ul class="plain row-links">
            {trouble.map((webhook) => (
              <li>
                <a href={webhookPath(webhook.id)}>{webhook.url}</a> <WebhookStatus webhook={webhook} />
                {webhook.pausedReason !== null && <span class="small quiet"> {webhook.pausedReason}</span>}
                <LastFailure webhook={webhook} delivery={failed.get(webhook.id)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function LastFailure({ webhook: { id }, delivery }: { webhook: Webhook; delivery: Delivery | undefined }) {
  if (delivery === undefined) return null;
  const { event, lastError, lastStatus } = delivery;
  return (
    <span class="small">
      {" "}
      <a href={`${webhookPath(id)}/deliveries/${delivery.id}`}>{event} failed</a>
      <span class="quiet">: {lastError ?? `HTTP ${lastStatus}`}</span>
    </span>
  );
}

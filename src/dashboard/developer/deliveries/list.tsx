import { listDeliveries } from "../../../domain/webhooks/deliveries.ts";
import { getWebhook } from "../../../domain/webhooks/webhooks.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Head } from "../../../ui/head.tsx";
import { Pages } from "../../../ui/pages.tsx";
import { FilterBar } from "../../filters/bar.tsx";
import { addressOf, readFilters } from "../../filters/query.ts";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { webhookPath, webhookTitle } from "../webhooks/texts.tsx";
import { deliveryChoices, deliveryFilters } from "./filters.ts";
import { DeliveryTable } from "./table.tsx";

/** A webhook's deliveries, newest first. Filters and page are in the address. @throws not_found, invalid_input */
export async function deliveryList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context, query } = request;
  const id = request.param("id");
  const timeZone = await request.timeZone();
  const zone = zoneOf(timeZone);
  const filters = readFilters(deliveryFilters, query, zone);
  const [webhook, list] = await Promise.all([
    getWebhook(deps, context, id),
    filters.query === undefined ? null : listDeliveries(deps, context, id, filters.query),
  ]);
  const { values } = filters;
  const page = webhookPath(webhook.id);
  const path = `${page}/deliveries`;
  return {
    title: "Deliveries",
    status: list === null ? 400 : 200,
    content: (
      <>
        <Head title="Deliveries" back={{ path: page, name: webhookTitle(webhook) }}>
          <a class="button" href={`${page}/replay`}>
            Replay failed deliveries
          </a>
        </Head>
        <FilterBar
          path={path}
          labels={deliveryFilters.labels}
          form={filters}
          choices={deliveryChoices}
          today={zone.dayOf(deps.now())}
        />
        {list !== null && (
          <>
            {list.items.length === 0 ? (
              <NoDeliveries isFiltered={values.size > 0} />
            ) : (
              <DeliveryTable webhookId={webhook.id} deliveries={list.items} timeZone={timeZone} />
            )}
            <Pages
              address={addressOf(path, values)}
              isFirst={query.get("cursor") === null}
              nextCursor={list.nextCursor}
            />
          </>
        )}
      </>
    ),
  };
}

const NoDeliveries = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No results" text="Deliveries are kept for 30 days after they end." />
  ) : (
    <Empty title="No deliveries yet" text="Each event sent to this webhook shows up here." />
  );

import { DeliveryStatus } from "../../../contract/resources/enums.ts";
import { listDeliveries } from "../../../domain/webhooks/deliveries.ts";
import { getWebhook } from "../../../domain/webhooks/webhooks.ts";
import { Empty } from "../../components/empty.tsx";
import { Head } from "../../components/head.tsx";
import { Pages } from "../../components/pages.tsx";
import type { PageAnswer, Visit } from "../../frame/visit.ts";
import { webhookPath, webhookTitle } from "../webhooks/texts.tsx";
import { DeliveryTable, statusTexts } from "./table.tsx";

/** Deliveries of a page. */
const pageSize = 50;

/** The deliveries of a webhook, newest first. Status and page are in the address. @throws not_found, invalid_input */
export async function deliveryList(visit: Visit): Promise<PageAnswer> {
  const { deps, owner, query } = visit;
  const id = visit.param("id");
  const status = DeliveryStatus.safeParse(query.get("status")).data;
  const cursor = query.get("cursor") ?? undefined;
  const [webhook, { items, nextCursor }, timeZone] = await Promise.all([
    getWebhook(deps, owner, id),
    listDeliveries(deps, owner, id, { status, cursor, limit: pageSize }),
    visit.timeZone(),
  ]);
  const path = webhookPath(webhook.id);
  const list = `${path}/deliveries`;
  return {
    title: "Deliveries",
    content: (
      <>
        <Head title="Deliveries" back={{ path, name: webhookTitle(webhook) }}>
          <a class="button" href={`${path}/replay`}>
            Replay all failed
          </a>
        </Head>
        <nav aria-label="Deliveries by status">
          <ul class="tabs">
            {[undefined, ...DeliveryStatus.options].map((each) => (
              <li>
                <a
                  href={each === undefined ? list : `${list}?status=${each}`}
                  aria-current={each === status ? "page" : undefined}
                >
                  {each === undefined ? "All" : statusTexts[each].text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {items.length === 0 ? (
          <NoDeliveries status={status} />
        ) : (
          <DeliveryTable webhookId={webhook.id} deliveries={items} timeZone={timeZone} />
        )}
        <Pages
          address={status === undefined ? list : `${list}?status=${status}`}
          isFirst={cursor === undefined}
          nextCursor={nextCursor}
        />
      </>
    ),
  };
}

const NoDeliveries = ({ status }: { status: DeliveryStatus | undefined }) =>
  status === undefined ? (
    <Empty title="No deliveries yet" text="Each event that the webhook is sent shows up here." />
  ) : (
    <Empty title={`No ${status} deliveries`} text="Deliveries are kept for 30 days after they have ended." />
  );

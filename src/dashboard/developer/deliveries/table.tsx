import type { DeliveryStatus } from "../../../contract/resources/enums.ts";
import type { Delivery } from "../../../contract/resources/webhooks.ts";
import { Badge } from "../../components/values/cells.tsx";
import { formatInstant, formatNumber } from "../../components/values/format.ts";
import { webhookPath } from "../webhooks/texts.tsx";

export const statusTexts = {
  pending: { text: "Pending", kind: "warn" },
  succeeded: { text: "Succeeded", kind: "good" },
  failed: { text: "Failed", kind: "bad" },
  skipped: { text: "Skipped", kind: "warn" },
} as const satisfies Record<DeliveryStatus, { text: string; kind: "good" | "warn" | "bad" }>;

/** The status of a delivery in a word. */
export const StatusBadge = ({ status }: { status: DeliveryStatus }) => (
  <Badge kind={statusTexts[status].kind}>{statusTexts[status].text}</Badge>
);

/** Sets a test apart from what happened. */
export const TestTag = () => <span class="tag">Test</span>;

/** The receiver's last answer, or why there is none. */
const lastAnswer = ({ lastStatus, lastError }: Pick<Delivery, "lastStatus" | "lastError">): string =>
  lastError ?? (lastStatus === null ? "None yet" : `HTTP ${lastStatus}`);

interface Props {
  readonly webhookId: string;
  readonly deliveries: readonly Delivery[];
  readonly timeZone: string;
}

/** Deliveries, each with its last answer. */
export function DeliveryTable({ webhookId, deliveries, timeZone }: Props) {
  return (
    <div class="fitting">
      <table class="table records">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Status</th>
            <th scope="col">Last response</th>
            <th scope="col">Attempts</th>
            <th scope="col">Created ({timeZone})</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr>
              <td>
                <a class="name" href={`${webhookPath(webhookId)}/deliveries/${delivery.id}`}>
                  {delivery.event}
                  {delivery.test && <TestTag />}
                  <span class="visually-hidden"> of {formatInstant(delivery.createdAt, timeZone)}</span>
                </a>
              </td>
              <td data-name="Status">
                <StatusBadge status={delivery.status} />
              </td>
              <td data-name="Last response">{lastAnswer(delivery)}</td>
              <td data-name="Attempts">{formatNumber(delivery.attempts)}</td>
              <td data-name={`Created (${timeZone})`}>
                <time class="nowrap" datetime={delivery.createdAt}>
                  {formatInstant(delivery.createdAt, timeZone)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import type { DeliveryStatus } from "../../../contract/resources/enums.ts";
import type { Delivery } from "../../../contract/resources/webhooks.ts";
import { formatInstant, formatNumber } from "../../components/values/format.ts";
import { Status } from "../../components/values/status.tsx";
import { webhookPath } from "../webhooks/texts.tsx";

export const statusTexts = {
  pending: { text: "Pending", kind: "scheduled" },
  succeeded: { text: "Succeeded", kind: "active" },
  failed: { text: "Failed", kind: "bad" },
  skipped: { text: "Skipped", kind: "ended" },
} as const satisfies Record<DeliveryStatus, { text: string; kind: string }>;

/** The status of a delivery in a word. */
export const DeliveryStatusMark = ({ status }: { status: DeliveryStatus }) => (
  <Status kind={statusTexts[status].kind}>{statusTexts[status].text}</Status>
);

/** Sets a test apart from what happened. */
const TestTag = () => <span class="tag">Test</span>;

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
            <th scope="col" data-priority="3">
              Attempts
            </th>
            <th scope="col">Created ({timeZone})</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr>
              <td>
                <a class="name" href={`${webhookPath(webhookId)}/deliveries/${delivery.id}`}>
                  {delivery.event}
                  <span class="visually-hidden"> of {formatInstant(delivery.createdAt, timeZone)}</span>
                </a>
                {delivery.test && <TestTag />}
              </td>
              <td>
                <DeliveryStatusMark status={delivery.status} />
              </td>
              <td>{lastAnswer(delivery)}</td>
              <td data-name="Attempts" data-priority="3">
                {formatNumber(delivery.attempts)}
              </td>
              <td>
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

import type { DeliveryStatus } from "../../../contract/resources/enums.ts";
import type { Delivery } from "../../../contract/resources/webhooks.ts";
import { Table } from "../../components/table.tsx";
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
export const DeliveryTable = ({ webhookId, deliveries, timeZone }: Props) => (
  <Table
    kind="records"
    rows={deliveries}
    columns={[
      {
        head: "Event",
        cell: ({ id, event, createdAt, test }) => (
          <>
            <a class="name" href={`${webhookPath(webhookId)}/deliveries/${id}`}>
              {event}
              <span class="visually-hidden"> of {formatInstant(createdAt, timeZone)}</span>
            </a>
            {test && <TestTag />}
          </>
        ),
      },
      { head: "Status", cell: DeliveryStatusMark },
      { head: "Last response", cell: lastAnswer },
      {
        head: "Attempts",
        name: "Attempts",
        priority: 3,
        cell: ({ attempts }) => formatNumber(attempts),
      },
      {
        head: `Created (${timeZone})`,
        cell: ({ createdAt }) => (
          <time class="nowrap" datetime={createdAt}>
            {formatInstant(createdAt, timeZone)}
          </time>
        ),
      },
    ]}
  />
);

import type { DeliveryStatus } from "../../../contract/resources/enums.ts";
import type { Delivery } from "../../../contract/resources/webhooks/webhooks.ts";
import { Table } from "../../../ui/table.tsx";
import { formatInstant, formatNumber } from "../../../ui/values/format.ts";
import { Status } from "../../../ui/values/status.tsx";
import { webhookPath } from "../webhooks/texts.tsx";

export const statusTexts = {
  pending: { text: "Pending", kind: "scheduled" },
  succeeded: { text: "Succeeded", kind: "active" },
  failed: { text: "Failed", kind: "bad" },
  skipped: { text: "Skipped", kind: "ended" },
} as const satisfies Record<DeliveryStatus, { text: string; kind: string }>;

/** A delivery's status, as a word. */
export const DeliveryStatusMark = ({ status }: { status: DeliveryStatus }) => (
  <Status kind={statusTexts[status].kind}>{statusTexts[status].text}</Status>
);

/** Distinguishes tests from real events. */
const TestTag = () => <span class="tag">Test</span>;

/** Returns the receiver's last response, or why there is none. */
export const lastAnswer = ({ lastStatus, lastError }: Pick<Delivery, "lastStatus" | "lastError">): string =>
  lastError ?? (lastStatus === null ? "None yet" : `HTTP ${lastStatus}`);

interface Props {
  readonly webhookId: string;
  readonly deliveries: readonly Delivery[];
  readonly timeZone: string;
}

/** Deliveries, each with its last response. */
export const DeliveryTable = ({ webhookId, deliveries, timeZone }: Props) => (
  <Table
    kind="records"
    rows={deliveries}
    columns={[
      {
        head: "Event",
        cell: ({ id, event, createdAt, test }) => (
          <>
            <a class="name" dir="auto" href={`${webhookPath(webhookId)}/deliveries/${id}`}>
              {event}
              <span class="visually-hidden"> of {formatInstant(createdAt, timeZone)}</span>
            </a>
            {test && <TestTag />}
          </>
        ),
      },
      { head: "Status", cell: DeliveryStatusMark },
      { head: "Last response", cell: lastAnswer },
      ["Attempts", ({ attempts }) => formatNumber(attempts), { priority: 3 }],
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

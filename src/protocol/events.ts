import type { EventKind } from "../contract/resources/enums.ts";
import type { EventData } from "../contract/resources/webhooks/events.ts";

/** An event of one of these kinds. Its producer generates the id, so that an event emitted twice counts once. */
export type EventOf<Kind extends EventKind> = {
  [K in Kind]: {
    readonly id: string;
    readonly kind: K;
    /** Epoch milliseconds. */
    readonly at: number;
    readonly data: EventData[K];
  };
}[Kind];

/** An event of any kind. */
export type ServiceEvent = EventOf<EventKind>;

/** An event about a change of one code. */
export type QrEvent = EventOf<"qr.created" | "qr.updated" | "qr.deleted">;

import type { WaitingKind } from "../contract/resources/waiting.ts";
import type { AlertAddress, AlertData } from "../contract/resources/webhooks/alerts.ts";
import type { Delivery } from "../contract/resources/webhooks/webhooks.ts";
import type { WorkspaceActor } from "./history.ts";

/** A thing that waits for a person, with what an alert says of it. */
export interface WaitingAlert {
  readonly kind: WaitingKind;
  readonly id: string;
  readonly text: string;
  readonly link: string;
}

/** Everything that waits in a workspace, each kind newest first, and the page that lists it. */
export interface WaitingAlerts {
  readonly items: readonly WaitingAlert[];
  readonly list: string;
}

/** An address for alerts to set. */
export interface AlertAddressChange {
  readonly id: string;
  readonly url: string;
  /** Encrypted. Only an address where there was none gets it. */
  readonly secret: string;
  readonly keyId: string | null;
  /** A new address isn't told of this. */
  readonly waiting: WaitingAlerts;
}

/** A command about the address for alerts. Secrets are encrypted. */
export type AlertCommand =
  | { readonly does: "read" }
  | { readonly does: "set"; readonly change: AlertAddressChange; readonly by: WorkspaceActor }
  | { readonly does: "rotate"; readonly secret: string; readonly by: WorkspaceActor }
  | { readonly does: "remove"; readonly by: WorkspaceActor }
  /** Sends alerts of what is new. */
  | { readonly does: "send"; readonly waiting: WaitingAlerts }
  /** Sends a test, in one attempt. */
  | { readonly does: "test"; readonly data: AlertData };

/** The address for alerts after a command. Only `rotate`, `send` and `test` need one. */
export interface AlertResult {
  readonly address: AlertAddress | undefined;
  /** Ids of receivers with deliveries due, for the caller to enqueue. */
  readonly due: readonly string[];
  readonly tested: Delivery | undefined;
}

/** The address for alerts of a workspace. 1.1.0 lacks it. */
export interface AlertMethods {
  alerts(command: AlertCommand, now: number): Promise<AlertResult>;
}

import type { ScansMessage } from "../../../src/protocol/messages.ts";
import type { Service } from "../service.ts";

/** A queue of scans that a test delivers, because the real one takes a second. */
export class HeldScans {
  readonly #messages: ScansMessage[] = [];

  readonly queue = {
    sendBatch: async (messages: Iterable<MessageSendRequest<ScansMessage>>) => {
      for (const { body } of messages) this.#messages.push(body);
    },
  } as unknown as Queue<ScansMessage>;

  /** Delivers the scans so far to a consumer. */
  async deliver(service: Service): Promise<void> {
    const messages = this.#messages.splice(0).map((body, i) => ({ id: `${i}`, body }));
    await service.consume("scans", messages);
  }
}

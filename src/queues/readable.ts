import { log } from "../lib/log.ts";

/**
 * Returns the messages that have the expected form. Logs and acknowledges the others, since a retry would not change
 * them.
 */
export const readableMessages = <Body>(
  { messages, queue }: MessageBatch<unknown>,
  isReadable: (body: unknown) => body is Body,
): Message<Body>[] =>
  messages.filter((message): message is Message<Body> => {
    if (isReadable(message.body)) return true;
    log("error", "unreadable message acknowledged", { queue, id: message.id });
    message.ack();
    return false;
  });

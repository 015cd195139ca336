import { log } from "../lib/log.ts";

/**
 * The messages of a batch that have the expected form. Others are logged and acknowledged, since no retry would change them.
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

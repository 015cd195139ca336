import { checkLimit, checkMinimum, platform } from "./platform.ts";
import { messageBytes } from "./sizes.ts";

const { queue } = platform;

/** Checks the arguments of a queue's `send`. @throws PlatformLimitError */
export function checkSend(body: unknown, options: QueueSendOptions = {}): void {
  checkDelay(options);
  checkLimit("bytes of a queue message", sizeOf(body, options.contentType), queue.message);
}

/** Checks the arguments of a queue's `sendBatch`. @throws PlatformLimitError */
export function checkSendBatch(
  messages: readonly MessageSendRequest[],
  options: QueueSendBatchOptions = {},
): void {
  checkDelay(options);
  for (const { body, ...own } of messages) checkSend(body, own);
  checkMinimum("messages of a batch", messages.length, 1);
  checkLimit("messages of a batch", messages.length, queue.batchMessages);
  const bytes = messages.reduce((sum, { body, contentType }) => sum + sizeOf(body, contentType), 0);
  checkLimit("bytes of a batch", bytes, queue.batch);
}

const sizeOf = (body: unknown, contentType?: QueueContentType) =>
  messageBytes(body, contentType) + queue.metadata;

const checkDelay = ({ delaySeconds = 0 }: { delaySeconds?: number }) =>
  checkLimit("delaySeconds of a queue message", delaySeconds, queue.delaySeconds);

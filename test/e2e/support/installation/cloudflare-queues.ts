import { randomUUID } from "node:crypto";
import { type Request, refuse } from "./cloudflare-answers.ts";

/** A queue, and the Worker that takes its messages. */
export interface Queue {
  readonly id: string;
  consumer?: string;
  deadLetters?: string | undefined;
  settings?: { message_retention_period?: number; delivery_paused?: boolean } | undefined;
}

/** The queues of an account, by name. */
interface Queues {
  readonly queues: Map<string, Queue>;
  readonly plan: "free" | "paid" | undefined;
}

/** Answers the part of Cloudflare's API that is about queues. */
export function answerQueues(
  account: Queues,
  { method, body, query }: Request,
  [id, , consumerId]: string[],
) {
  const describe = ([name, queue]: [string, Queue]) => ({
    queue_id: queue.id,
    queue_name: name,
    settings: { message_retention_period: account.plan === "free" ? 86_400 : 345_600, ...queue.settings },
    consumers:
      queue.consumer === undefined
        ? []
        : [
            {
              consumer_id: queue.id,
              script: queue.consumer,
              type: "worker",
              dead_letter_queue: queue.deadLetters,
            },
          ],
    producers: [],
  });
  if (id === undefined && method === "GET") {
    const named = query.getAll("name");
    return [...account.queues]
      .map(describe)
      .filter(({ queue_name }) => named.length === 0 || named.includes(queue_name));
  }
  if (id === undefined) {
    const { queue_name, settings } = JSON.parse(body.toString()) as {
      queue_name: string;
      settings?: Queue["settings"];
    };
    if (account.queues.has(queue_name)) return refuse(409, 11_009, "Queue name is already taken");
    account.queues.set(queue_name, { id: randomUUID().replaceAll("-", ""), settings });
    return describe([queue_name, { id: account.queues.get(queue_name)?.id ?? "" }]);
  }
  const entry = [...account.queues].find(([, queue]) => queue.id === id);
  if (entry === undefined) return refuse(404, 11_000, "Queue does not exist");
  const [, queue] = entry;
  if (method === "GET") return describe(entry).consumers;
  if (method === "DELETE") return account.queues.delete(entry[0]) && {};
  if (method === "PATCH") {
    const { settings } = JSON.parse(body.toString()) as { settings?: Queue["settings"] };
    if (account.plan === "free")
      return refuse(400, 11_014, "Message retention can't be changed on this plan");
    queue.settings = settings;
    return describe(entry);
  }
  const { script_name, dead_letter_queue } = JSON.parse(body.toString()) as {
    script_name: string;
    dead_letter_queue?: string;
  };
  const isOther = queue.consumer !== undefined && queue.consumer !== script_name;
  if (isOther || (queue.consumer !== undefined && consumerId === undefined)) {
    return refuse(409, 11_004, "workers.api.error.consumer_exists");
  }
  queue.consumer = script_name;
  queue.deadLetters = dead_letter_queue;
  return describe(entry).consumers[0];
}

import type { EventKind, QrCodes, Webhook, WebhookInput, WebhookUpdate } from "../../index.ts";
import { command, filterOf } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { listHelp, listOptions, pageOf, printList, tableOf, wholeList } from "../list.ts";
import type { Output } from "../output.ts";
import { findCode } from "./codes.ts";

const webhookHelp = "WEBHOOK is its id or its address";

/** The scope with which a key can read the deliveries of each kind of event. */
export const eventScopes = {
  "qr.created": "qr:read",
  "qr.updated": "qr:read",
  "qr.deleted": "qr:read",
  "qr.scanned": "scans:read",
  "bulk.completed": "qr:read",
  "subscription.updated": "qr:read",
  "page.submitted": "submissions:read",
} as const satisfies Readonly<Record<EventKind, string>>;

const choices = {
  event: Object.keys(eventScopes),
  mode: ["realtime", "batched_5m"],
  status: ["active", "paused"],
};

/** Finds a webhook by its id or address. @throws UsageError if several have the address */
export async function findWebhook(client: QrCodes, given: string, signal: AbortSignal): Promise<Webhook> {
  const { webhooks } = await client.webhooks.list({ signal });
  const found = webhooks.filter(({ id, url }) => id === given || url === given);
  const [webhook, another] = found;
  if (another !== undefined) {
    throw new UsageError(`Several webhooks have this address: ${found.map(({ id }) => id).join(", ")}`);
  }
  // An id answers with the service's own 404.
  return webhook ?? client.webhooks.get(given, { signal });
}

function printWebhook(output: Output, webhook: Webhook & { readonly secret?: string }): void {
  output.result(webhook, () =>
    output.fields({
      ...{ id: webhook.id, url: webhook.url, events: webhook.events.join(", "), mode: webhook.mode },
      ...{ code: webhook.scopeQrId, page: webhook.scopePageId, status: webhook.status },
      ...{ headers: webhook.headers.map(({ name }) => name).join(", "), reason: webhook.pausedReason },
      secret: webhook.secret ?? null,
    }),
  );
}

const secretNote = "The secret isn't shown again: give it to the receiver.";

export const listWebhooks = command({
  usage: "webhooks list",
  about: "List webhooks",
  help: `
Lists webhooks. Needs the scope webhooks:read.

Options:${wholeList.help}
`,
  options: wholeList.options,
  async run({ output, signal, connect }) {
    const client = await connect();
    return printList(
      client.webhooks.list({ signal }),
      { values: wholeList.values, output },
      tableOf(
        output,
        ["ADDRESS", "EVENTS", "STATUS", "PENDING", "ID"],
        ({ url, events, status, pendingEvents, id }) => [
          ...[url, events.join(", "), status, String(pendingEvents), id],
        ],
        [0, 1],
      ),
    );
  },
});

export const createWebhook = command({
  usage: "webhooks create URL",
  about: "Create a webhook, and print its secret",
  help: `
Creates a webhook that sends events to URL, and prints its secret, once. Needs
the scope webhooks:write, and those of the events.

Options:
  --event NAME   ${choices.event.slice(0, 3).join(", ")}, qr.scanned,
                 bulk.completed, subscription.updated or page.submitted: any
                 number of times
  --mode MODE    realtime (default), or batched_5m: all of five minutes at once
  --code CODE    Only events of this code
  --json         Print JSON
`,
  options: {
    event: { type: "string", multiple: true },
    mode: { type: "string" },
    code: { type: "string" },
  },
  choices,
  async run({ args: [url = ""], values, output, signal, connect }) {
    const { event: events, mode, code } = values;
    if (events === undefined) throw new UsageError("--event is missing, such as qr.scanned");
    const client = await connect();
    const input = {
      ...{ url, events },
      ...(mode === undefined ? {} : { mode }),
      ...(code === undefined ? {} : { scopeQrId: (await findCode(client, code, signal)).id }),
    };
    printWebhook(output, await client.webhooks.create(input as WebhookInput, { signal }));
    output.note(secretNote);
    return exitCodes.ok;
  },
});

export const setWebhook = command({
  usage: "webhooks set WEBHOOK",
  about: "Change, pause or resume a webhook",
  help: `
Changes, pauses or resumes a webhook. ${webhookHelp}. Needs
the scope webhooks:write, and those of its events.

Options:
  --url URL         Where it sends events
  --event NAME      An event, any number of times. Replaces those that it has
  --mode MODE       realtime or batched_5m
  --status STATUS   active, or paused: nothing is sent, but kept for qr listen
  --json            Print JSON
`,
  options: {
    url: { type: "string" },
    event: { type: "string", multiple: true },
    mode: { type: "string" },
    status: { type: "string" },
  },
  choices,
  async run({ args: [given = ""], values, output, signal, connect }) {
    const { url, event: events, mode, status } = values;
    const changes = Object.entries({ url, events, mode, status }).filter(([, value]) => value !== undefined);
    if (changes.length === 0) throw new UsageError("Nothing to change: see qr webhooks set --help");
    const client = await connect();
    const { id } = await findWebhook(client, given, signal);
    const update = Object.fromEntries(changes) as WebhookUpdate;
    printWebhook(output, await client.webhooks.update(id, update, { signal }));
    return exitCodes.ok;
  },
});

export const deleteWebhook = command({
  usage: "webhooks delete WEBHOOK",
  about: "Delete a webhook and its deliveries",
  help: `
Deletes a webhook and its deliveries, for good. Needs the scope webhooks:write,
and those of its events. ${webhookHelp}.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const { id, url } = await findWebhook(client, given, signal);
    const deleted = await client.webhooks.delete(id, { signal });
    output.result(deleted, () => output.line(`Deleted the webhook of ${url}`));
    return exitCodes.ok;
  },
});

export const rotateSecret = command({
  usage: "webhooks rotate WEBHOOK",
  about: "Replace the secret of a webhook",
  help: `
Replaces the secret of a webhook, and prints the new one, once. For 24 hours,
the previous one signs as well. ${webhookHelp}. Needs the
scope webhooks:write, and those of its events.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const { id } = await findWebhook(client, given, signal);
    const rotated = await client.webhooks.rotate(id, { signal });
    output.result(rotated, () => output.line(rotated.secret));
    output.note(secretNote);
    return exitCodes.ok;
  },
});

export const testWebhook = command({
  usage: "webhooks test WEBHOOK",
  about: "Send a sample event",
  help: `
Sends a sample of the webhook's first kind of event, once. Needs the scope
webhooks:write. ${webhookHelp}.

Options:
  --json   Print JSON
`,
  options: {},
  async run({ args: [given = ""], output, signal, connect }) {
    const client = await connect();
    const { id } = await findWebhook(client, given, signal);
    const delivery = await client.webhooks.test(id, { signal });
    output.result(delivery, () => output.line(`Sending ${delivery.event} as ${delivery.id}`));
    return exitCodes.ok;
  },
});

export const listDeliveries = command({
  usage: "webhooks deliveries WEBHOOK",
  about: "List the deliveries of a webhook",
  help: `
Lists the deliveries of a webhook, newest first: those of events that the key's
scopes can read. ${webhookHelp}. Needs webhooks:read.

Options:
  --filter NAME=VALUE  Only with: status (pending, succeeded, failed, skipped),
                       from, to (days or times)${listHelp}
`,
  options: { filter: { type: "string", multiple: true }, ...listOptions },
  async run({ args: [given = ""], values, output, signal, connect }) {
    const client = await connect();
    const { id } = await findWebhook(client, given, signal);
    return printList(
      client.webhooks.deliveries(id, { ...filterOf(values.filter), ...pageOf(values) }, { signal }),
      { values, output },
      tableOf(
        output,
        ["TIME", "EVENT", "STATUS", "ATTEMPTS", "LAST", "ID"],
        ({ createdAt, event, status, attempts, lastError, lastStatus, id: delivery }) => [
          ...[createdAt, event, status, String(attempts), lastError ?? String(lastStatus ?? ""), delivery],
        ],
        [4],
      ),
    );
  },
});

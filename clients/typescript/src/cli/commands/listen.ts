import type { Me, QrCodes, Webhook } from "../../index.ts";
import { ask, canAsk } from "../ask.ts";
import { command } from "../command.ts";
import { exitCodes, UsageError } from "../exit-codes.ts";
import { type Followed, followDeliveries } from "../listen/deliveries.ts";
import { type LocalReceiver, type Outcome, receiverUrl, sendTo } from "../listen/local-receiver.ts";
import type { Output } from "../output.ts";
import { eventScopes, findWebhook } from "./webhooks.ts";

const secretName = "QR_WEBHOOK_SECRET";

export const listen = command({
  usage: "listen URL",
  about: "Send the deliveries of a webhook to this machine, too",
  help: `
Sends the new deliveries of a webhook to URL, such as localhost:9000/hook, until
Ctrl-C: body and headers as the service sends them, signed with the secret in
${secretName}. Needs webhooks:read, and the scopes of the events.

Options:
  --webhook WEBHOOK     Its id or address, if the workspace has several
  --from TIME           Also its deliveries since a day or time
  --header NAME=VALUE   A header of the webhook's own: their values are never
                        shown, so none is sent unless you give it
  --public              Allow a URL outside this machine and private networks
  --json                Print a line of JSON for each delivery
`,
  options: {
    webhook: { type: "string" },
    from: { type: "string" },
    header: { type: "string", multiple: true },
    public: { type: "boolean" },
  },
  async run({ args: [given = ""], values, output, signal, connect }) {
    const isPublic = values.public === true;
    const [url, headers] = [receiverUrl(given, isPublic), headersOf(values.header)];
    const client = await connect();
    const webhook = await chosenWebhook(client, values.webhook, signal);
    const receiver = { url, headers, isPublic, secrets: await readSecrets(webhook, signal) };
    for (const line of missing(webhook, await client.me({ signal }), headers)) output.note(line);
    const count = { sent: 0, failed: 0 };
    try {
      const deliveries = followDeliveries(client, webhook.id, {
        from: values.from,
        signal,
        onReady: () => output.note(`Deliveries of ${webhook.url} go to ${url.href}, too. Ctrl-C ends.`),
        onLeftOut: (read) => output.note(`Too many at once: only the newest ${read} are sent.`),
        onTrouble: ({ message }, milliseconds) =>
          output.note(`${message} Going on in ${Math.ceil(milliseconds / 1_000)} s.`),
      });
      for await (const delivery of deliveries) {
        const outcome = await send(receiver, delivery, signal);
        if (outcome.error === null) count.sent += 1;
        else count.failed += 1;
        print(output, delivery, outcome);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    output.note(`Sent ${count.sent} deliveries${count.failed > 0 ? `, and ${count.failed} failed` : ""}.`);
    return exitCodes.ok;
  },
});

/** @throws UsageError if none is named, and there are several or none */
async function chosenWebhook(
  client: QrCodes,
  given: string | undefined,
  signal: AbortSignal,
): Promise<Webhook> {
  if (given !== undefined) return findWebhook(client, given, signal);
  const { webhooks } = await client.webhooks.list({ signal });
  const [webhook, another] = webhooks;
  if (webhook === undefined) {
    throw new UsageError("The workspace has no webhook. Create one with qr webhooks create.");
  }
  if (another === undefined) return webhook;
  const all = webhooks.map(({ id, url }) => `  ${id}  ${url}`).join("\n");
  throw new UsageError(`Name a webhook with --webhook:\n${all}`);
}

/** Reads the secret, or several that commas divide: while one is replaced, both sign. */
async function readSecrets({ url }: Webhook, signal: AbortSignal): Promise<string[]> {
  let given = process.env[secretName];
  if (!given && canAsk()) given = await ask(`Secret of ${url} (not shown): `, signal, true);
  const secrets = (given ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (secrets.length > 0) return secrets;
  throw new UsageError(
    `Set ${secretName} to the webhook's secret, with which your receiver verifies. qr webhooks rotate makes a new one.`,
  );
}

function headersOf(given: readonly string[] | undefined): Record<string, string> {
  return Object.fromEntries(
    (given ?? []).map((each) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)=([ -~]*)$/.exec(each) ?? [];
      if (name === undefined || value === undefined) {
        throw new UsageError(`--header takes NAME=VALUE, such as x-tenant=harbour, not ${each}`);
      }
      return [name.toLowerCase(), value];
    }),
  );
}

/** Says what the receiver won't get. */
function missing(webhook: Webhook, { key }: Me, headers: Readonly<Record<string, string>>): string[] {
  const hidden = webhook.events.filter((event) => {
    const scope = eventScopes[event];
    return ![scope, scope.replace(":read", ":write")].some((each) => (key.scopes as string[]).includes(each));
  });
  const own = webhook.headers.map(({ name }) => name).filter((name) => headers[name] === undefined);
  return [
    ...hidden.map((event) => `This key lacks the scope ${eventScopes[event]}: no ${event} is sent.`),
    ...(own.length > 0 ? [`Not sent: ${own.join(", ")}. Give their values with --header.`] : []),
  ];
}

async function send(receiver: LocalReceiver, delivery: Followed, signal: AbortSignal): Promise<Outcome> {
  if (delivery.payload === undefined) return { status: null, milliseconds: 0, error: delivery.problem };
  const { payload } = delivery;
  if (payload === null) return { status: null, milliseconds: 0, error: "its data was erased" };
  return sendTo(receiver, delivery, payload, signal);
}

function print(output: Output, { id, event }: Followed, outcome: Outcome): void {
  if (output.format !== "text") {
    output.object({ deliveryId: id, event, ...outcome });
    return;
  }
  const { status, milliseconds, error } = outcome;
  const result = error === null ? `${status}` : `failed: ${error}`;
  const time = new Date().toTimeString().slice(0, 8);
  output.line(`${time}  ${event.padEnd(20)}  ${id}  ${result} (${milliseconds} ms)`);
}

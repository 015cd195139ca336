import type { DueDeliveries } from "../../protocol/messages.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type { Deps } from "../deps.ts";
import { hex, hmac, hmacKey, encryptionKey, decryptText } from "../../lib/crypto/crypto.ts";
import { describeError, log } from "../../lib/log.ts";
import { readAtMost } from "../../lib/web/read-at-most.ts";
import type { AttemptOutcome } from "../../protocol/workspace-ledger.ts";
import type { ClaimedDelivery } from "../../protocol/workspace-ledger.ts";
import { tellDue } from "./enqueue.ts";

/** How long one run goes on claiming, milliseconds: with its last attempts it must stay below the platform's 30 s. */
const runMilliseconds = 15_000;

/** Makes the attempts of one webhook that are due, some at a time, until there are none. */
export async function deliverDue(deps: Deps, { workspaceId, webhookId }: DueDeliveries): Promise<void> {
  const ledger = deps.ledger(workspaceId);
  const began = deps.now();
  for (let run = 0; ; run += 1) {
    const work = await ledger.claim(webhookId, deps.now());
    if (work === undefined || work.deliveries.length === 0) return;
    // Too much for one: another runs beside it, as long as the ledger has room for more.
    if (work.more && run === 0) await tellDue(deps, workspaceId, [webhookId]);
    const keys = await signingKeys(deps, work.secrets);
    await Promise.all(
      work.deliveries.map(async (delivery) => {
        const outcome = await attempt(deps, work.url, delivery, keys);
        await ledger.settle(webhookId, delivery.id, delivery.attempt, outcome, deps.now());
      }),
    );
    if (deps.now() - began > runMilliseconds) return tellDue(deps, workspaceId, [webhookId]);
  }
}

/** Keys of the secrets that can be read. One that was sealed with another WEBHOOK_SECRET can't. */
async function signingKeys(deps: Deps, secrets: readonly string[]): Promise<CryptoKey[]> {
  const key = await encryptionKey(deps.webhookSecret);
  const opened = await Promise.allSettled(
    secrets.map(async (secret) => hmacKey(await decryptText(key, secret))),
  );
  return opened.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

/** One POST. The time-out is on all of it: the answer's head, and the part of its body that is read. */
async function attempt(
  deps: Deps,
  url: string,
  delivery: ClaimedDelivery,
  keys: readonly CryptoKey[],
): Promise<AttemptOutcome> {
  const at = deps.now();
  const signal = deps.timeoutSignal(webhookRules.timeout);
  let status: number | null = null;
  const outcome = (error: string | null, responseBody: string | null): AttemptOutcome => ({
    at,
    status,
    durationMs: deps.now() - at,
    error,
    responseBody,
    timedOut: signal.aborted && error !== null,
  });
  if (keys.length === 0) return outcome("The signing secret can't be read; rotate it", null);
  try {
    const response = await deps.fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "qr-service-webhooks/1",
        "x-service-event": delivery.event,
        "x-service-delivery": delivery.id,
        "x-service-signature": await signatureOf(delivery.body, keys, at),
      },
      body: delivery.body,
      redirect: "manual",
      signal,
    });
    status = response.status;
    const text = await readAtMost(response.body, webhookRules.keptResponse, signal);
    return outcome(problemOf(response), text);
  } catch (error) {
    if (signal.aborted) return outcome(`No answer within ${webhookRules.timeout / 1000} s`, null);
    log("info", "receiver not reached", { delivery: delivery.id, error: describeError(error) });
    return outcome("The receiver could not be reached", null);
  }
}

function problemOf(response: Response): string | null {
  if (response.ok) return null;
  const redirected = response.status >= 300 && response.status < 400;
  return redirected
    ? `Answered ${response.status}; redirects are not followed`
    : `Answered ${response.status}`;
}

/** `t=…,v1=…`, with one `v1` for each secret: HMAC-SHA256 over time, dot and body. @param at epoch milliseconds */
async function signatureOf(body: string, keys: readonly CryptoKey[], at: number): Promise<string> {
  const t = Math.floor(at / 1000);
  const signatures = await Promise.all(keys.map(async (key) => `v1=${hex(await hmac(key, `${t}.${body}`))}`));
  return [`t=${t}`, ...signatures].join(",");
}

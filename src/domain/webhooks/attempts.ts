import { enqueueDeliveries } from "../../edge/scans/enqueue.ts";
import { hmac, hmacKey } from "../../lib/crypto/digest.ts";
import { decryptText } from "../../lib/crypto/encryption.ts";
import { describeError, log } from "../../lib/log.ts";
import { readAtMost } from "../../lib/web/read-at-most.ts";
import { TimeoutError, withTimeout } from "../../lib/with-timeout.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { DueDeliveries } from "../../protocol/messages.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type {
  AttemptOutcome,
  Claim,
  ClaimedDelivery,
  StoredHeader,
} from "../../protocol/workspace-ledger.ts";
import type { Deps } from "../deps.ts";

/**
 * How long one run claims attempts, milliseconds. Including its last attempts, it must stay below the platform's 30 s.
 */
const runMilliseconds = 15_000;

/**
 * Makes a webhook's due delivery attempts, one claim after another, until none are due or the run's time is up.
 * @param onAttempts gets how many attempts were made, and how many failed
 */
export async function deliverDue(
  deps: Deps,
  { workspaceId, webhookId }: DueDeliveries,
  onAttempts: (attempts: number, failed: number) => void = () => {},
): Promise<void> {
  const ledger = deps.ledger(workspaceId);
  const end = deps.now() + runMilliseconds;
  let claim = await ledger.claim(webhookId, deps.now());
  // A concurrent run helps with a large backlog. The ledger limits the attempts in flight.
  if (claim?.more) await enqueueDeliveries(deps, workspaceId, [webhookId]);
  let attempts = 0;
  while (claim !== undefined && claim.deliveries.length > 0) {
    onAttempts(claim.deliveries.length, await makeAttempts(deps, ledger, webhookId, claim));
    attempts += claim.deliveries.length;
    if (deps.now() > end || attempts + webhookRules.claimSize > bounds.externalRequests) {
      return enqueueDeliveries(deps, workspaceId, [webhookId]);
    }
    claim = await ledger.claim(webhookId, deps.now());
  }
}

/** @returns how many attempts failed */
async function makeAttempts(
  deps: Deps,
  ledger: ReturnType<Deps["ledger"]>,
  webhookId: string,
  { url, secrets, headers = [], deliveries }: Claim,
): Promise<number> {
  const keys = await signingKeys(deps, secrets);
  const own = await decryptHeaders(deps, headers).catch(() => undefined);
  const errors = await Promise.all(
    deliveries.map(async (delivery) => {
      const outcome = await attempt(deps, { url, keys, own }, delivery);
      await ledger.settle(webhookId, delivery.id, delivery.attempt, outcome, deps.now());
      return outcome.error;
    }),
  );
  return errors.filter((error) => error !== null).length;
}

/** Returns the keys of all secrets that can be decrypted. Those encrypted with a WEBHOOK_SECRET that is gone can't be. */
async function signingKeys(deps: Deps, secrets: readonly string[]): Promise<CryptoKey[]> {
  const decrypted = await Promise.allSettled(
    secrets.map(async (secret) => hmacKey(await decryptText(deps.settings.webhookSecrets, secret))),
  );
  return decrypted.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

const decryptHeaders = async (
  deps: Deps,
  headers: readonly StoredHeader[],
): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    await Promise.all(
      headers.map(async ({ name, value }) => [name, await decryptText(deps.settings.webhookSecrets, value)]),
    ),
  ) as Readonly<Record<string, string>>;

/** A webhook's receiver. */
interface Receiver {
  readonly url: string;
  /** Empty if none can be decrypted. */
  readonly keys: readonly CryptoKey[];
  /** The webhook's own headers; undefined if one can't be decrypted. */
  readonly own: Readonly<Record<string, string>> | undefined;
}

/**
 * Makes one POST. The status within the timeout decides. In the time left, it reads the part of the body that is
 * stored.
 */
async function attempt(
  deps: Deps,
  { url, keys, own }: Receiver,
  delivery: ClaimedDelivery,
): Promise<AttemptOutcome> {
  const at = deps.now();
  let status: number | null = null;
  let failure: string | null = null;
  let responseBody: string | null = null;
  const outcome = (error: string | null): AttemptOutcome => ({
    at,
    status,
    durationMs: deps.now() - at,
    error,
    responseBody,
  });
  if (keys.length === 0) return outcome("The signing secret can't be decrypted. Rotate it.");
  if (own === undefined) return outcome("A header can't be decrypted. Set its value again.");
  const post = async (signal: AbortSignal): Promise<void> => {
    const response = await deps.fetch(url, {
      method: "POST",
      headers: {
        ...own,
        "content-type": "application/json",
        "user-agent": "qr-service-webhooks/1",
        "x-service-event": delivery.event,
        "x-service-delivery": delivery.id,
        "x-service-signature": await deliverySignature(delivery.body, keys, at),
      },
      body: delivery.body,
      redirect: "manual",
      signal,
    });
    status = response.status;
    failure = failureOf(response);
    responseBody = await readAtMost(response.body, webhookRules.storedResponseBytes, signal);
  };
  try {
    await withTimeout(deps, webhookRules.timeout, post);
  } catch (error) {
    if (status === null) return outcome(unanswered(delivery, error));
    log("info", "receiver's response not read", { delivery: delivery.id, error: describeError(error) });
  }
  return outcome(failure);
}

/** Says why there is no status. */
function unanswered(delivery: ClaimedDelivery, error: unknown): string {
  if (error instanceof TimeoutError) return `No response within ${webhookRules.timeout / 1000} s`;
  log("info", "receiver not reached", { delivery: delivery.id, error: describeError(error) });
  return "The receiver could not be reached";
}

function failureOf(response: Response): string | null {
  if (response.ok) return null;
  const redirected = response.status >= 300 && response.status < 400;
  return redirected ? `HTTP ${response.status}; redirects are not followed` : `HTTP ${response.status}`;
}

/**
 * Returns the signature header: `t=…` in seconds, and for each secret `v1=…`, the HMAC-SHA256 of the time, a dot and
 * the body.
 * @param at epoch milliseconds
 */
async function deliverySignature(body: string, keys: readonly CryptoKey[], at: number): Promise<string> {
  const t = Math.floor(at / 1000);
  const signatures = await Promise.all(
    keys.map(async (key) => `v1=${new Uint8Array(await hmac(key, `${t}.${body}`)).toHex()}`),
  );
  return [`t=${t}`, ...signatures].join(",");
}

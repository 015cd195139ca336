import * as z from "zod";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { readAtMost } from "../../lib/web/read-at-most.ts";
import { withTimeout } from "../../lib/with-timeout.ts";
import type { Deps } from "../deps.ts";
import { shortDetail } from "./finding.ts";
import { ask, waitForRequest } from "./requests.ts";

const api = "https://api.cloudflare.com/client/v4";

const second = 1000;
const minute = 60 * second;

/** Times in milliseconds, the size of an answer in bytes, the smallest page of a list, the longest common name. */
const rules = {
  timeout: 10 * second,
  answer: 256 * 1024,
  perPage: 5,
  /** Cloudflare answers nothing for five minutes after 1,200 requests in five minutes. */
  retryAfter: 5 * minute,
  longestRetryAfter: 60 * minute,
  commonName: 64,
};

/** Codes of Cloudflare's errors. */
const codes = {
  /** The zone has no Cloudflare for SaaS; its quota is used up. */
  noQuota: 1404,
  quotaExceeded: 1405,
  duplicate: 1406,
  invalidId: 1435,
  notFound: 1436,
  /** A malformed token. */
  headers: [1403, 6003, 6111],
};

/** How a request to Cloudflare failed. */
export type CustomHostnameFailure =
  /** It isn't configured, or Cloudflare refuses the token or the zone. */
  | "unready"
  /** No further custom hostnames are allowed in the zone. */
  | "full"
  /** The hostname exists already. */
  | "duplicate"
  /** This host can't be a custom hostname. */
  | "refused"
  | "not_found"
  /** Too many requests. */
  | "limited"
  /** Cloudflare didn't answer, or failed. */
  | "unavailable";

/** A request about a custom hostname failed. */
export class CustomHostnameError extends Error {
  readonly failure: CustomHostnameFailure;
  /** In our words, except for `refused`: one short line. */
  readonly detail: string;
  /** Milliseconds until the next request makes sense; null if unknown. */
  readonly retryAfter: number | null;

  constructor(failure: CustomHostnameFailure, detail: string, retryAfter: number | null = null) {
    super(`custom hostnames: ${failure}: ${detail}`);
    this.name = "CustomHostnameError";
    this.failure = failure;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

const Messages = z
  .array(z.object({ message: z.string().optional() }))
  .nullish()
  .transform((errors) => (errors ?? []).flatMap(({ message }) => message ?? []));

const Hostname = z
  .object({
    id: z.string().regex(/^[\w-]{1,64}$/),
    hostname: z.string(),
    status: z.string().default("pending"),
    verification_errors: z
      .array(z.string())
      .nullish()
      .transform((errors) => errors ?? []),
    created_at: z.string().nullish(),
    ssl: z
      .object({
        status: z.string().default("initializing"),
        method: z.string().default("http"),
        validation_errors: Messages,
      })
      .nullish(),
  })
  .transform(({ ssl, verification_errors, created_at, ...rest }) => ({
    ...rest,
    hostname: rest.hostname.toLowerCase(),
    /** Why the host isn't active, in Cloudflare's words. */
    errors: verification_errors.map(shortDetail),
    /** Epoch milliseconds; null if Cloudflare doesn't say. */
    createdAt: Date.parse(created_at ?? "") || null,
    certificate: {
      status: ssl?.status ?? "initializing",
      method: ssl?.method ?? "http",
      /** Why it isn't issued, in Cloudflare's words. */
      errors: (ssl?.validation_errors ?? []).map(shortDetail),
    },
  }));

/** A host of a customer at Cloudflare. */
export type CustomHostname = z.output<typeof Hostname>;

const Envelope = z.object({
  success: z.boolean(),
  errors: z
    .array(z.object({ code: z.int(), message: z.string() }))
    .nullish()
    .transform((errors) => errors ?? []),
  result: z.unknown().optional(),
  result_info: z.unknown().optional(),
});
type Envelope = z.output<typeof Envelope>;

const noErrors = { success: true, errors: [] };

/** Until when an isolate asks nothing, because Cloudflare refused a request as one too many. */
const pause = perIsolate(() => ({ until: 0 }));

/**
 * Sends a request about the zone's custom hostnames.
 * @throws CustomHostnameError
 */
async function send(deps: Deps, method: string, path: string, body?: object): Promise<Envelope> {
  const { customHostnames } = deps.settings;
  if (customHostnames === null) throw new CustomHostnameError("unready", "Custom hostnames aren't set up");
  const paused = pause(deps);
  const wait = paused.until - deps.now();
  if (wait > 0) throw limited(wait);
  const unbudgeted = await waitForRequest(deps);
  if (unbudgeted > 0) throw limited(unbudgeted);
  const { zoneId, token } = customHostnames;
  const { status, headers, text } = await withTimeout(deps, rules.timeout, async (signal) => {
    const response = await ask(deps, `${api}/zones/${encodeURIComponent(zoneId)}/custom_hostnames${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal,
    });
    return { ...answerOf(response), text: await readAtMost(response.body, rules.answer, signal) };
  }).catch((error: unknown) => {
    log("warn", "custom hostnames not reached", { error: describeError(error) });
    throw new CustomHostnameError("unavailable", "Cloudflare didn't answer");
  });
  const envelope = envelopeOf(text);
  const isDone = status >= 200 && status < 300;
  if (isDone && envelope?.success === true) return envelope;
  // A deletion is answered with the id alone.
  if (isDone && method === "DELETE") return noErrors;
  const error = errorOf(status, headers, envelope?.errors ?? []);
  if (error.failure === "limited") paused.until = deps.now() + (error.retryAfter ?? 0);
  const level = error.failure === "not_found" || error.failure === "duplicate" ? "info" : "warn";
  log(level, "custom hostnames refused a request", {
    method,
    status,
    codes: envelope?.errors.map(({ code }) => code),
    failure: error.failure,
  });
  throw error;
}

const answerOf = ({ status, headers }: Response) => ({ status, headers });

const limited = (wait: number) =>
  new CustomHostnameError("limited", "Cloudflare takes no more requests at the moment", wait);

function envelopeOf(text: string): Envelope | null {
  try {
    return Envelope.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Returns an error for an unsuccessful answer. */
function errorOf(
  status: number,
  headers: Headers,
  errors: readonly { code: number; message: string }[],
): CustomHostnameError {
  const has = (...wanted: readonly number[]) => errors.some(({ code }) => wanted.includes(code));
  if (status === 429) return limited(retryAfterOf(headers));
  if (has(codes.duplicate)) return new CustomHostnameError("duplicate", "Cloudflare has this host already");
  if (has(codes.quotaExceeded)) {
    return new CustomHostnameError("full", "The zone's quota of custom hostnames is used up");
  }
  if (has(codes.noQuota)) {
    return new CustomHostnameError("unready", "The zone doesn't have Cloudflare for SaaS");
  }
  if (has(codes.notFound, codes.invalidId)) return new CustomHostnameError("not_found", "It is gone");
  if (status === 401 || status === 403 || has(...codes.headers)) {
    return new CustomHostnameError("unready", "Cloudflare refuses the token");
  }
  // An unknown zone. It must not be taken for a hostname that is gone.
  if (status === 404) return new CustomHostnameError("unready", "Cloudflare doesn't know the zone");
  if (status === 400) {
    return new CustomHostnameError("refused", shortDetail(errors.map(({ message }) => message).join(" ")));
  }
  return new CustomHostnameError("unavailable", `Cloudflare answered with status ${status}`);
}

/** Returns how long to wait by `retry-after`, in milliseconds: a number of seconds. */
function retryAfterOf(headers: Headers): number {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const wait = Number.isFinite(seconds) ? seconds * second : rules.retryAfter;
  return Math.min(Math.max(wait, second), rules.longestRetryAfter);
}

/** Returns what an answer holds. @throws CustomHostnameError for anything else than it should hold */
function resultOf<Result>(schema: z.ZodType<Result>, result: unknown): Result {
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  log("warn", "custom hostnames not understood", { error: describeError(parsed.error) });
  throw new CustomHostnameError("unavailable", "Cloudflare's answer wasn't understood");
}

const hostnameOf = ({ result }: Envelope): CustomHostname => resultOf(Hostname, result);

/**
 * Creates a custom hostname and orders its certificate.
 * @throws CustomHostnameError
 */
export async function createCustomHostname(deps: Deps, host: string): Promise<CustomHostname> {
  return hostnameOf(await send(deps, "POST", "", { hostname: host, ssl: certificateOf(host, "http") }));
}

/** Returns the certificate to order. @param method how the authority checks the host */
const certificateOf = (host: string, method: string) => ({
  method,
  type: "dv",
  settings: { min_tls_version: "1.2" },
  // The common name of a certificate can't be longer. With this, it is one of Cloudflare's.
  ...(host.length > rules.commonName ? { cloudflare_branding: true } : {}),
});

/** Returns the custom hostname of a host; null if there is none. @throws CustomHostnameError */
export async function findCustomHostname(deps: Deps, host: string): Promise<CustomHostname | null> {
  const query = new URLSearchParams({ hostname: host, per_page: `${rules.perPage}` });
  const { result } = await send(deps, "GET", `?${query}`);
  const found = resultOf(z.array(Hostname), result);
  return found.find(({ hostname }) => hostname === host) ?? null;
}

/** Returns how many custom hostnames the zone has. @throws CustomHostnameError */
export async function countCustomHostnames(deps: Deps): Promise<number> {
  const { result_info: info } = await send(deps, "GET", `?per_page=${rules.perPage}`);
  return resultOf(z.object({ total_count: z.int().nonnegative() }), info).total_count;
}

/** Returns a custom hostname; null if it is gone. @throws CustomHostnameError */
export async function getCustomHostname(deps: Deps, id: string): Promise<CustomHostname | null> {
  try {
    return hostnameOf(await send(deps, "GET", `/${encodeURIComponent(id)}`));
  } catch (error) {
    if (error instanceof CustomHostnameError && error.failure === "not_found") return null;
    throw error;
  }
}

/** Has Cloudflare check a custom hostname and its certificate anew. @throws CustomHostnameError */
export async function restartCustomHostname(
  deps: Deps,
  { id, hostname, certificate: { method } }: CustomHostname,
): Promise<CustomHostname> {
  // The same certificate as before means that nothing changes but the check.
  const ssl = certificateOf(hostname, method);
  return hostnameOf(await send(deps, "PATCH", `/${encodeURIComponent(id)}`, { ssl }));
}

/** Deletes a custom hostname with its certificates, unless it is gone already. @throws CustomHostnameError */
export async function deleteCustomHostname(deps: Deps, id: string): Promise<void> {
  try {
    await send(deps, "DELETE", `/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof CustomHostnameError && error.failure === "not_found")) throw error;
  }
}

import type { Context } from "hono";
import type { KeyEndpoint } from "../contract/endpoints/endpoint.ts";
import { limits } from "../contract/limits.ts";
import { invalid } from "../domain/errors.ts";
import type { Idempotency } from "../domain/idempotency.ts";
import { sha256Hex } from "../lib/crypto/digest.ts";
import { callerOf } from "./authorization.ts";
import type { ApiEnv } from "./context.ts";

const maxLength = limits.idempotency.key;

/** The request's Idempotency-Key, with a fingerprint of endpoint and body. @throws invalid_input */
export async function readIdempotency(
  c: Context<ApiEnv>,
  endpoint: KeyEndpoint,
): Promise<Idempotency | undefined> {
  const key = c.req.header("idempotency-key");
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > maxLength) {
    throw invalid("Idempotency-Key", `must be 1 to ${maxLength} printable ASCII characters`);
  }
  const prefix = new TextEncoder().encode(`${endpoint.method} ${endpoint.path}\n`);
  const request = new Blob([prefix, await c.req.arrayBuffer()]);
  const { keyId } = callerOf(c, "key");
  return { keyId, key, fingerprint: await sha256Hex(new Uint8Array(await request.arrayBuffer())) };
}

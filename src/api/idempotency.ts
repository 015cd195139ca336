import type { Context } from "hono";
import type { Endpoint } from "../contract/endpoints/endpoint.ts";
import { limits } from "../contract/limits.ts";
import { invalid } from "../domain/errors.ts";
import type { Idempotency } from "../domain/idempotency.ts";
import { callerOf } from "./authorization.ts";
import type { ApiEnv } from "./context.ts";

const maxLength = limits.idempotency.key;

/** A request with an Idempotency-Key, whose endpoint and body are fingerprinted as they are read. */
export class IdempotentRequest {
  readonly #c: Context<ApiEnv>;
  readonly #key: string;
  readonly #digest = new crypto.DigestStream("SHA-256");
  readonly #writer = this.#digest.getWriter();

  private constructor(c: Context<ApiEnv>, key: string) {
    this.#c = c;
    this.#key = key;
  }

  /** Returns undefined for a request without a key. @throws invalid_input for a malformed one */
  static async of(c: Context<ApiEnv>, endpoint: Endpoint): Promise<IdempotentRequest | undefined> {
    if (endpoint.auth !== "key" || !endpoint.idempotent) return undefined;
    const key = c.req.header("idempotency-key");
    if (key === undefined) return undefined;
    if (!/^[\x21-\x7e]+$/.test(key) || key.length > maxLength) {
      throw invalid("Idempotency-Key", `must have 1 to ${maxLength} printable ASCII characters`);
    }
    const request = new IdempotentRequest(c, key);
    await request.write(new TextEncoder().encode(`${endpoint.method} ${endpoint.path}\n`));
    return request;
  }

  /** The next bytes of the body. */
  async write(bytes: ArrayBuffer | Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /**
   * Returns the key with the request's fingerprint. The whole body must have been written. Marks a replay with a
   * header.
   */
  async end(): Promise<Idempotency> {
    await this.#writer.close();
    return {
      keyId: callerOf(this.#c, "key").keyId,
      key: this.#key,
      fingerprint: new Uint8Array(await this.#digest.digest).toHex(),
      onReplay: () => this.#c.header("idempotent-replayed", "true"),
    };
  }
}

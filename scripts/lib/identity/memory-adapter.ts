import type { Adapter, AdapterPayload } from "oidc-provider";

/** The entries of all adapters, by kind and id. */
const entries = new Map<string, { payload: AdapterPayload; expiresAt: number }>();

/** Stores the provider's sessions and codes in memory. */
export class MemoryAdapter implements Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    entries.set(this.#key(id), { payload, expiresAt: Date.now() + seconds * 1000 });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = entries.get(this.#key(id));
    if (entry === undefined || entry.expiresAt <= Date.now()) return undefined;
    return entry.payload;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#find((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#find((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const entry = entries.get(this.#key(id));
    if (entry !== undefined) entry.payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    entries.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of entries) {
      if (key.startsWith(this.#key("")) && payload.grantId === grantId) entries.delete(key);
    }
  }

  #key(id: string): string {
    return `${this.#kind} ${id}`;
  }

  #find(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, expiresAt }] of entries) {
      if (key.startsWith(this.#key("")) && expiresAt > Date.now() && matches(payload)) return payload;
    }
    return undefined;
  }
}

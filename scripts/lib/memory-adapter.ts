import type { Adapter, AdapterPayload } from "oidc-provider";

/** What all adapters keep, by kind and id, until the process ends. */
const kept = new Map<string, { payload: AdapterPayload; until: number }>();

/** Keeps the provider's sessions and codes in memory. */
export class MemoryAdapter implements Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    kept.set(this.#key(id), { payload, until: Date.now() + seconds * 1000 });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = kept.get(this.#key(id));
    if (entry === undefined || entry.until <= Date.now()) return undefined;
    return entry.payload;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#first((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#first((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const entry = kept.get(this.#key(id));
    if (entry !== undefined) entry.payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    kept.delete(this.#key(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, { payload }] of kept) {
      if (key.startsWith(this.#key("")) && payload.grantId === grantId) kept.delete(key);
    }
  }

  #key(id: string): string {
    return `${this.#kind} ${id}`;
  }

  #first(fits: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    for (const [key, { payload, until }] of kept) {
      if (key.startsWith(this.#key("")) && until > Date.now() && fits(payload)) return payload;
    }
    return undefined;
  }
}

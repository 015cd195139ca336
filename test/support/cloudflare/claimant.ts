import { expect } from "vitest";
import type { Deps } from "../../../src/domain/deps.ts";
import {
  advanceClaim,
  type Claim,
  type ClaimOptions,
  type ClaimProgress,
} from "../../../src/domain/domains/claims.ts";
import { CloudflareStandIn } from "../cloudflare-stand-in.ts";
import { FakeClock, Service } from "../service.ts";

const minute = 60_000;

/** Returns the dependencies of an isolate that uses the stand-in's zone. */
export const depsOf = (
  { now }: FakeClock,
  { fetch, settings }: CloudflareStandIn,
  others: Partial<Deps["settings"]> = {},
  timers: Partial<Pick<Deps, "startTimer">> = {},
): Deps =>
  new Service({
    now,
    fetch,
    ...timers,
    settings: { scanOrigin: "https://qr.service.net", ...settings, ...others },
  }).deps;

/** A workspace's claim, stored between two calls as the service does. */
export class Claimant {
  claim: Claim;
  /** The states and problems so far, without repetitions. */
  readonly seen: string[] = [];
  readonly #world: ClaimWorld;
  #last: ClaimProgress | undefined;

  constructor(world: ClaimWorld, claim: Claim) {
    this.#world = world;
    this.claim = claim;
  }

  /** Advances the claim now. @param through the dependencies of another isolate */
  async advance(options: Partial<ClaimOptions> = {}, through?: Deps): Promise<ClaimProgress> {
    const { clock, cloudflare, deps } = this.#world;
    const alone = { mayTake: async () => true, inUse: async () => 0 };
    const last = await advanceClaim(through ?? deps, this.claim, { ...alone, ...options });
    const { status, provedAt, customHostnameId, problem, detail } = last;
    this.claim = { ...this.claim, status, provedAt, customHostnameId };
    const line = [status, problem].filter(Boolean).join(": ");
    if (this.seen.at(-1) !== line) this.seen.push(line);
    cloudflare.note(`${this.claim.host} of ${this.claim.token} is ${line}${detail ? ` (${detail})` : ""}`);
    expect(last.checkAt - clock.now(), "an interval that isn't hot").toBeGreaterThanOrEqual(2 * minute);
    this.#last = last;
    return last;
  }

  /** Advances at each time that the progress names, until the status is this one. */
  async until(status: ClaimProgress["status"], most = 12): Promise<ClaimProgress> {
    const { clock, cloudflare } = this.#world;
    for (let i = 0; i < most; i += 1) {
      if (this.#last?.status === status) return this.#last;
      clock.advance(Math.max(0, (this.#last?.checkAt ?? 0) - clock.now()));
      await this.advance();
    }
    throw new Error(`not ${status}: ${this.seen.join(", ")}\n${cloudflare.log.join("\n")}`);
  }
}

/** A clock, Cloudflare's stand-in, and an isolate of the service. */
export class ClaimWorld {
  readonly clock = new FakeClock();
  readonly cloudflare = new CloudflareStandIn(this.clock.now);
  readonly deps = depsOf(this.clock, this.cloudflare);
  readonly #host: string;

  /** @param host that is claimed if a claim names no other */
  constructor(host: string) {
    this.#host = host;
  }

  claimant(claim: Partial<Claim> = {}): Claimant {
    return new Claimant(this, {
      host: this.#host,
      token: "acme-token",
      status: "unproved",
      provedAt: null,
      customHostnameId: null,
      createdAt: this.clock.now(),
      ...claim,
    });
  }
}

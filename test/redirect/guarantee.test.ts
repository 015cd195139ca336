import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { regions } from "../../src/contract/routing.ts";
import type { Client } from "../support/service.ts";
import { type Edge, World } from "../support/world.ts";

/**
 * The guarantee: once an update has been answered, no scan anywhere follows the old route later than a second.
 * Random lives of two codes at two or three edges are played, and every scan is held against it.
 */

/** What a scan of a code may answer: a destination, or nothing. */
type Outcome = string | null;

interface Version {
  readonly version: number;
  readonly outcome: Outcome;
  readonly answeredAt: number;
}

interface PlayedCode {
  readonly id: string;
  readonly hash: string;
  /** As they were answered, oldest first. */
  readonly versions: Version[];
}

const edge = fc.nat(2);
const code = fc.nat(1);
const someRegions = fc.subarray([...regions.filter((region) => ["weur", "wnam", "apac"].includes(region))]);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("scan" as const), edge, code }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("redirect" as const), edge, code }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause" as const), edge, code }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume" as const), edge, code }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("race" as const), edge, code }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), edge, code }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      milliseconds: fc.constantFrom(1, 200, 501, 999, 1000, 1001, 5000, 10_001, 30_000, 61_000, 600_001),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("putFails" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("publishFails" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("feedOut" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("repairsFail" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), edge }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("evict" as const), edge }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A life of a world: two codes, some edges, and what has been promised so far. */
class Life {
  readonly world: World;
  readonly #client: Client;
  readonly #codes: PlayedCode[] = [];
  #destinations = 0;

  private constructor(world: World, client: Client) {
    this.world = world;
    this.#client = client;
  }

  static async begin(edges: number, options?: ConstructorParameters<typeof World>[1]): Promise<Life> {
    const world = new World(edges, options);
    const first = world.edges[0] as Edge;
    const life = new Life(world, await first.service.workspace());
    for (let i = 0; i < 2; i += 1) {
      const url = life.#destination();
      const { id, hash } = await life.#client.createQr({ data: { type: "url", url } });
      life.#codes.push({ id, hash, versions: [{ version: 1, outcome: url, answeredAt: world.clock.now() }] });
    }
    return life;
  }

  #destination(): string {
    this.#destinations += 1;
    return `https://example.com/${this.#destinations}`;
  }

  #edge(index: number): Edge {
    return this.world.edges[index % this.world.edges.length] as Edge;
  }

  async take(step: Step): Promise<void> {
    const { world } = this;
    const { faults } = world;
    switch (step.do) {
      case "scan":
        return this.#scan(step.edge, step.code);
      case "redirect":
        return this.#change(step.code, [
          () => this.#patch(step, { data: { type: "url", url: this.#destination() } }),
        ]);
      case "pause":
        return this.#change(step.code, [() => this.#patch(step, { status: "paused" })]);
      case "resume":
        return this.#change(step.code, [() => this.#patch(step, { status: "active" })]);
      case "remove":
        return this.#change(step.code, [() => this.#send(step, "DELETE")]);
      case "race": {
        const urls = [this.#destination(), this.#destination()];
        const patches = urls.map((url, i) => {
          const at = { ...step, edge: step.edge + i };
          return () => this.#patch(at, { data: { type: "url", url } });
        });
        return this.#change(step.code, [...patches, () => this.#anyScan(step.edge, step.code)], urls);
      }
      case "wait":
        return world.advance(step.milliseconds);
      case "putFails":
        world.faults = { ...faults, kvPut: step.on };
        return;
      case "publishFails":
        world.faults = { ...faults, publish: new Set(step.regions) };
        return;
      case "feedOut":
        return world.setUnreadable(step.regions);
      case "repairsFail":
        world.faults = { ...faults, repairSend: step.on };
        return;
      case "restart":
        return world.restart(this.#edge(step.edge));
      case "evict":
        return world.evictFeed(this.#edge(step.edge).region);
    }
  }

  #send(at: { edge: number; code: number }, method: string, body?: object): Promise<unknown> {
    const { id } = this.#code(at.code);
    const headers = { authorization: `Bearer ${this.#client.key}`, "content-type": "application/json" };
    return this.#edge(at.edge).service.fetch(`/api/v1/qr/${id}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  #patch = (at: { edge: number; code: number }, body: object) => this.#send(at, "PATCH", body);

  #code(index: number) {
    return this.#codes[index] as PlayedCode;
  }

  /**
   * Runs changes at once and notes what the catalogue says since: that is promised from now on.
   * @param urls of racing changes: the one that is not there at the end was there for a moment
   */
  async #change(index: number, changes: (() => Promise<unknown>)[], urls: string[] = []): Promise<void> {
    const { hash, versions } = this.#code(index);
    await Promise.all(changes.map((change) => change()));
    const { version, outcome } = await this.#truth(hash);
    if (version === versions.at(-1)?.version) return;
    const answeredAt = this.world.clock.now();
    const passing = outcome === null ? [] : urls.filter((url) => url !== outcome);
    for (const url of passing) versions.push({ version: version - 1, outcome: url, answeredAt });
    versions.push({ version, outcome, answeredAt });
  }

  async #truth(hash: string): Promise<{ version: number; outcome: Outcome }> {
    const row = await env.DB.prepare(
      "SELECT version, status, data->>'url' AS url, deleted_at AS deletedAt FROM qr_codes WHERE hash = ?",
    )
      .bind(hash)
      .first<{ version: number; status: string; url: string; deletedAt: number | null }>();
    if (row === null) throw new Error(`no code ${hash}`);
    const leads = row.status === "active" && row.deletedAt === null;
    return { version: row.version, outcome: leads ? row.url : null };
  }

  async #anyScan(edgeIndex: number, index: number): Promise<Outcome> {
    const at = this.#edge(edgeIndex);
    const response = await at.service.fetch(`/${this.#code(index).hash}`, { method: "HEAD", cf: at.cf });
    expect([302, 404]).toContain(response.status);
    return response.headers.get("location");
  }

  async #scan(edgeIndex: number, index: number): Promise<void> {
    const { hash, versions } = this.#code(index);
    const at = this.#edge(edgeIndex);
    const outcome = await this.#anyScan(edgeIndex, index);
    const oldest = versions.findLastIndex(({ version, answeredAt }) =>
      this.world.mustFollow(at, hash, version, answeredAt),
    );
    const allowed = versions.slice(Math.max(0, oldest)).map((version) => version.outcome);
    expect(allowed).toContain(outcome);
  }

  /** When all is quiet for two minutes, the caches say what the catalogue says, and so does every edge. */
  async end(): Promise<void> {
    this.world.heal();
    await this.world.advance(120_000);
    for (const { hash } of this.#codes) {
      const { version, outcome } = await this.#truth(hash);
      const cached = await env.ROUTES.get<{ version: number; status: string; destination: string }>(
        hash,
        "json",
      );
      if (version > 1) expect(cached?.version).toBe(version);
      if (cached !== null) expect(cached.status === "active" ? cached.destination : null).toBe(outcome);
    }
    for (const [index] of this.#codes.entries()) {
      for (const [edgeIndex] of this.world.edges.entries()) {
        expect(await this.#anyScan(edgeIndex, index)).toBe(
          (await this.#truth(this.#code(index).hash)).outcome,
        );
      }
    }
    const left = await env.DB.prepare("SELECT count(*) AS n FROM unsettled_routes").first("n");
    expect(left).toBe(0);
  }
}

const lives = fc.asyncProperty(
  fc.integer({ min: 2, max: 3 }),
  fc.array(step, { minLength: 10, maxLength: 60 }),
  async (edges, steps) => {
    const life = await Life.begin(edges);
    for (const step of steps) await life.take(step);
    await life.end();
  },
);

it("no scan follows an old route later than a second after the update was answered", async () => {
  await fc.assert(lives, { numRuns: 100, endOnFailure: true });
}, 300_000);

it("fails without the feed: the property can tell", async () => {
  const withoutFeed = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
    const life = await Life.begin(2, { feed: "off" });
    for (const step of steps) await life.take(step);
  });
  const result = await fc.check(withoutFeed, { numRuns: 200, endOnFailure: true });
  expect(result.failed).toBe(true);
  expect(result.counterexample).not.toBeNull();
}, 300_000);

import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import { regions } from "../../src/protocol/regions.ts";
import type { PageRoute, Route } from "../../src/protocol/routes.ts";
import { runs } from "../support/runs.ts";
import { type Client, origin, type SessionClient } from "../support/service.ts";
import { type Edge, World } from "../support/world.ts";

/**
 * The guarantee: once an update has been answered, no scan anywhere follows the old route later than a second.
 * Random scenarios change two codes and a hosted page at two or three edges, and check every scan against it.
 */

/** The result of a scan: a destination, a page's title, or null for a 404. */
type ScanOutcome = string | null;

interface Version {
  readonly version: number;
  readonly outcome: ScanOutcome;
  readonly answeredAt: number;
}

/** A code or a hosted page. */
interface Resource {
  readonly kind: "code" | "page";
  readonly id: string;
  /** Its key in KV and in the feeds. */
  readonly key: string;
  /** In the order in which their changes were answered. */
  readonly versions: Version[];
}

const edge = fc.nat(2);
const resource = fc.nat(2);
const someRegions = fc.subarray([...regions.filter((region) => ["weur", "wnam", "apac"].includes(region))]);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("scan" as const), edge, resource }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("redirect" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("race" as const), edge, resource }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), edge, resource }) },
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
type Target = { readonly edge: number; readonly resource: number };
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A run of steps in a world, with the versions that scans may still follow. */
class Scenario {
  readonly world: World;
  readonly #client: Client;
  readonly #session: SessionClient;
  readonly #resources: Resource[] = [];
  #destinations = 0;

  private constructor(world: World, client: Client, session: SessionClient) {
    this.world = world;
    this.#client = client;
    this.#session = session;
  }

  static async start(edges: number, options?: ConstructorParameters<typeof World>[1]): Promise<Scenario> {
    const world = new World(edges, options);
    const first = world.edges[0] as Edge;
    const client = await first.service.workspace();
    const session = await first.service.sessionIn(client.workspaceId);
    const scenario = new Scenario(world, client, session);
    const addResource = (kind: Resource["kind"], id: string, key: string, outcome: string) => {
      const versions = [{ version: 1, outcome, answeredAt: world.clock.now() }];
      scenario.#resources.push({ kind, id, key, versions });
    };
    for (let i = 0; i < 2; i += 1) {
      const url = scenario.#destination();
      const { id, hash } = await scenario.#client.createQr({ data: { type: "url", url } });
      addResource("code", id, hash, url);
    }
    const title = scenario.#destination();
    const { id } = await session.expect(201, Page, "POST", "/developer/pages", { title });
    addResource("page", id, `page:${id}`, title);
    return scenario;
  }

  #destination(): string {
    this.#destinations += 1;
    return `https://example.com/${this.#destinations}`;
  }

  #edge(index: number): Edge {
    return this.world.edges[index % this.world.edges.length] as Edge;
  }

  async run(step: Step): Promise<void> {
    const { world } = this;
    const { faults } = world;
    switch (step.do) {
      case "scan":
        return this.#checkScan(step.edge, step.resource);
      case "redirect":
        return this.#change(step.resource, [() => this.#redirect(step, this.#destination())]);
      case "pause":
        return this.#change(step.resource, [() => this.#setStatus(step, "paused")]);
      case "resume":
        return this.#change(step.resource, [() => this.#setStatus(step, "active")]);
      case "remove":
        return this.#change(step.resource, [() => this.#send(step, "DELETE")]);
      case "race": {
        const urls = [this.#destination(), this.#destination()];
        const patches = urls.map((url, i) => {
          const target = { ...step, edge: step.edge + i };
          return () => this.#redirect(target, url);
        });
        return this.#change(
          step.resource,
          [...patches, () => this.#scanOutcome(step.edge, step.resource)],
          urls,
        );
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

  #send(target: Target, method: string, body?: object): Promise<unknown> {
    const { kind, id } = this.#resource(target.resource);
    const path = kind === "code" ? `qr/${id}` : `developer/pages/${id}`;
    const credentials =
      kind === "code"
        ? { authorization: `Bearer ${this.#client.key}` }
        : { cookie: this.#session.cookie, origin };
    return this.#edge(target.edge).service.fetch(`/api/v1/${path}`, {
      method,
      headers: { ...credentials, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Gives a code another destination, or a page another title. */
  #redirect(target: Target, to: string): Promise<unknown> {
    const { kind } = this.#resource(target.resource);
    return this.#send(target, "PATCH", kind === "code" ? { data: { type: "url", url: to } } : { title: to });
  }

  /** Pauses or resumes a code. Does nothing for a page, which can't be paused. */
  async #setStatus(target: Target, status: "active" | "paused"): Promise<void> {
    if (this.#resource(target.resource).kind === "code") await this.#send(target, "PATCH", { status });
  }

  #resource(index: number) {
    return this.#resources[index] as Resource;
  }

  /**
   * Runs changes concurrently and adds the catalogue's new version, which scans must follow within the guarantee.
   * @param urls of concurrent changes: those that the catalogue does not have at the end may have been there before
   */
  async #change(index: number, changes: (() => Promise<unknown>)[], urls: string[] = []): Promise<void> {
    const resource = this.#resource(index);
    const { versions } = resource;
    await Promise.all(changes.map((change) => change()));
    const { version, outcome } = await this.#catalogueState(resource);
    if (version === versions.at(-1)?.version) return;
    const answeredAt = this.world.clock.now();
    const overwritten = outcome === null ? [] : urls.filter((url) => url !== outcome);
    for (const url of overwritten) versions.push({ version: version - 1, outcome: url, answeredAt });
    versions.push({ version, outcome, answeredAt });
  }

  async #catalogueState({ kind, id }: Resource): Promise<{ version: number; outcome: ScanOutcome }> {
    const sql =
      kind === "code"
        ? "SELECT version, status, data->>'url' AS target, deleted_at AS deletedAt FROM qr_codes WHERE id = ?"
        : "SELECT version, 'active' AS status, content->>'title' AS target, deleted_at AS deletedAt FROM pages WHERE id = ?";
    const row = await env.DB.prepare(sql)
      .bind(id)
      .first<{ version: number; status: string; target: string; deletedAt: number | null }>();
    if (row === null) throw new Error(`no ${kind} ${id}`);
    const isActive = row.status === "active" && row.deletedAt === null;
    return { version: row.version, outcome: isActive ? row.target : null };
  }

  async #scanOutcome(edgeIndex: number, index: number): Promise<ScanOutcome> {
    const edge = this.#edge(edgeIndex);
    const { kind, id, key } = this.#resource(index);
    if (kind === "page") {
      const response = await edge.service.fetch(`/pages/${id}`, { cf: edge.cf });
      expect([200, 404]).toContain(response.status);
      const html = await response.text();
      return response.ok ? (/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? "") : null;
    }
    const response = await edge.service.fetch(`/${key}`, { method: "HEAD", cf: edge.cf });
    expect([302, 404]).toContain(response.status);
    return response.headers.get("location");
  }

  async #checkScan(edgeIndex: number, index: number): Promise<void> {
    const { key, versions } = this.#resource(index);
    const edge = this.#edge(edgeIndex);
    const outcome = await this.#scanOutcome(edgeIndex, index);
    const oldestAllowed = versions.findLastIndex(({ version, answeredAt }) =>
      this.world.mustFollow(edge, key, version, answeredAt),
    );
    const allowed = versions.slice(Math.max(0, oldestAllowed)).map((version) => version.outcome);
    expect(allowed).toContain(outcome);
  }

  /** Checks that the caches and every edge agree with the catalogue after two minutes without faults and changes. */
  async expectConvergence(): Promise<void> {
    this.world.clearFaults();
    await this.world.advance(120_000);
    for (const [index, resource] of this.#resources.entries()) {
      const { version, outcome } = await this.#catalogueState(resource);
      const cached = await env.ROUTES.get<Route & PageRoute>(resource.key, "json");
      if (version > 1) expect(cached?.version).toBe(version);
      if (cached !== null) {
        const target = resource.kind === "code" ? cached.destination : cached.content.title;
        expect(cached.status === "active" ? target : null).toBe(outcome);
      }
      for (const [edgeIndex] of this.world.edges.entries()) {
        expect(await this.#scanOutcome(edgeIndex, index)).toBe(outcome);
      }
    }
    const pending = await env.DB.prepare("SELECT count(*) AS n FROM pending_publications").first("n");
    expect(pending).toBe(0);
  }
}

const scenarios = fc.asyncProperty(
  fc.integer({ min: 2, max: 3 }),
  fc.array(step, { minLength: 10, maxLength: 60 }),
  async (edges, steps) => {
    const scenario = await Scenario.start(edges);
    for (const step of steps) await scenario.run(step);
    await scenario.expectConvergence();
  },
);

it("no scan follows an old route later than a second after the update was answered", async () => {
  await fc.assert(scenarios, { numRuns: runs(25, 200), endOnFailure: true });
});

it("finds a violation when the feed is switched off, which shows that the property can fail", async () => {
  const withoutFeed = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
    const scenario = await Scenario.start(2, { feed: "off" });
    for (const step of steps) await scenario.run(step);
  });
  const result = await fc.check(withoutFeed, { numRuns: 200, endOnFailure: true });
  expect(result.failed).toBe(true);
  expect(result.counterexample).not.toBeNull();
});

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
 * Random lives of two codes and a hosted page at two or three edges are played, and every scan is held against it.
 */

/** What a scan may answer: a destination, a page's title, or nothing. */
type AttemptOutcome = string | null;

interface Version {
  readonly version: number;
  readonly outcome: AttemptOutcome;
  readonly answeredAt: number;
}

/** A code, or a hosted page. */
interface Subject {
  readonly kind: "code" | "page";
  readonly id: string;
  /** What it stands under at the edges. */
  readonly key: string;
  /** As they were answered, oldest first. */
  readonly versions: Version[];
}

const edge = fc.nat(2);
const subject = fc.nat(2);
const someRegions = fc.subarray([...regions.filter((region) => ["weur", "wnam", "apac"].includes(region))]);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("scan" as const), edge, subject }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("redirect" as const), edge, subject }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause" as const), edge, subject }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume" as const), edge, subject }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("race" as const), edge, subject }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), edge, subject }) },
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
type At = { readonly edge: number; readonly subject: number };
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A life of a world: two codes, a page, some edges, and what has been promised so far. */
class Life {
  readonly world: World;
  readonly #client: Client;
  readonly #session: SessionClient;
  readonly #subjects: Subject[] = [];
  #destinations = 0;

  private constructor(world: World, client: Client, session: SessionClient) {
    this.world = world;
    this.#client = client;
    this.#session = session;
  }

  static async begin(edges: number, options?: ConstructorParameters<typeof World>[1]): Promise<Life> {
    const world = new World(edges, options);
    const first = world.edges[0] as Edge;
    const client = await first.service.workspace();
    const session = await first.service.sessionIn(client.workspaceId);
    const life = new Life(world, client, session);
    const subject = (kind: Subject["kind"], id: string, key: string, outcome: string) => {
      const versions = [{ version: 1, outcome, answeredAt: world.clock.now() }];
      life.#subjects.push({ kind, id, key, versions });
    };
    for (let i = 0; i < 2; i += 1) {
      const url = life.#destination();
      const { id, hash } = await life.#client.createQr({ data: { type: "url", url } });
      subject("code", id, hash, url);
    }
    const title = life.#destination();
    const { id } = await session.expect(201, Page, "POST", "/developer/pages", { title });
    subject("page", id, `page:${id}`, title);
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
        return this.#scan(step.edge, step.subject);
      case "redirect":
        return this.#change(step.subject, [() => this.#redirect(step, this.#destination())]);
      case "pause":
        return this.#change(step.subject, [() => this.#setStatus(step, "paused")]);
      case "resume":
        return this.#change(step.subject, [() => this.#setStatus(step, "active")]);
      case "remove":
        return this.#change(step.subject, [() => this.#send(step, "DELETE")]);
      case "race": {
        const urls = [this.#destination(), this.#destination()];
        const patches = urls.map((url, i) => {
          const at = { ...step, edge: step.edge + i };
          return () => this.#redirect(at, url);
        });
        return this.#change(step.subject, [...patches, () => this.#anyScan(step.edge, step.subject)], urls);
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

  #send(at: At, method: string, body?: object): Promise<unknown> {
    const { kind, id } = this.#subject(at.subject);
    const path = kind === "code" ? `qr/${id}` : `developer/pages/${id}`;
    const credentials =
      kind === "code"
        ? { authorization: `Bearer ${this.#client.key}` }
        : { cookie: this.#session.cookie, origin };
    return this.#edge(at.edge).service.fetch(`/api/v1/${path}`, {
      method,
      headers: { ...credentials, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Sends a code elsewhere, or gives a page another title. */
  #redirect(at: At, to: string): Promise<unknown> {
    const { kind } = this.#subject(at.subject);
    return this.#send(at, "PATCH", kind === "code" ? { data: { type: "url", url: to } } : { title: to });
  }

  /** Pauses or resumes a code; a page is never paused. */
  async #setStatus(at: At, status: "active" | "paused"): Promise<void> {
    if (this.#subject(at.subject).kind === "code") await this.#send(at, "PATCH", { status });
  }

  #subject(index: number) {
    return this.#subjects[index] as Subject;
  }

  /**
   * Runs changes at once and notes what the catalogue says since: that is promised from now on.
   * @param urls of racing changes: the one that is not there at the end was there for a moment
   */
  async #change(index: number, changes: (() => Promise<unknown>)[], urls: string[] = []): Promise<void> {
    const subject = this.#subject(index);
    const { versions } = subject;
    await Promise.all(changes.map((change) => change()));
    const { version, outcome } = await this.#truth(subject);
    if (version === versions.at(-1)?.version) return;
    const answeredAt = this.world.clock.now();
    const passing = outcome === null ? [] : urls.filter((url) => url !== outcome);
    for (const url of passing) versions.push({ version: version - 1, outcome: url, answeredAt });
    versions.push({ version, outcome, answeredAt });
  }

  async #truth({ kind, id }: Subject): Promise<{ version: number; outcome: AttemptOutcome }> {
    const sql =
      kind === "code"
        ? "SELECT version, status, data->>'url' AS leads, deleted_at AS deletedAt FROM qr_codes WHERE id = ?"
        : "SELECT version, 'active' AS status, content->>'title' AS leads, deleted_at AS deletedAt FROM pages WHERE id = ?";
    const row = await env.DB.prepare(sql)
      .bind(id)
      .first<{ version: number; status: string; leads: string; deletedAt: number | null }>();
    if (row === null) throw new Error(`no ${kind} ${id}`);
    const leads = row.status === "active" && row.deletedAt === null;
    return { version: row.version, outcome: leads ? row.leads : null };
  }

  async #anyScan(edgeIndex: number, index: number): Promise<AttemptOutcome> {
    const at = this.#edge(edgeIndex);
    const { kind, id, key } = this.#subject(index);
    if (kind === "page") {
      const response = await at.service.fetch(`/pages/${id}`, { cf: at.cf });
      expect([200, 404]).toContain(response.status);
      const html = await response.text();
      return response.ok ? (/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? "") : null;
    }
    const response = await at.service.fetch(`/${key}`, { method: "HEAD", cf: at.cf });
    expect([302, 404]).toContain(response.status);
    return response.headers.get("location");
  }

  async #scan(edgeIndex: number, index: number): Promise<void> {
    const { key, versions } = this.#subject(index);
    const at = this.#edge(edgeIndex);
    const outcome = await this.#anyScan(edgeIndex, index);
    const oldest = versions.findLastIndex(({ version, answeredAt }) =>
      this.world.mustFollow(at, key, version, answeredAt),
    );
    const allowed = versions.slice(Math.max(0, oldest)).map((version) => version.outcome);
    expect(allowed).toContain(outcome);
  }

  /** When all is quiet for two minutes, the caches say what the catalogue says, and so does every edge. */
  async end(): Promise<void> {
    this.world.heal();
    await this.world.advance(120_000);
    for (const [index, subject] of this.#subjects.entries()) {
      const { version, outcome } = await this.#truth(subject);
      const cached = await env.ROUTES.get<Route & PageRoute>(subject.key, "json");
      if (version > 1) expect(cached?.version).toBe(version);
      if (cached !== null) {
        const leads = subject.kind === "code" ? cached.destination : cached.content.title;
        expect(cached.status === "active" ? leads : null).toBe(outcome);
      }
      for (const [edgeIndex] of this.world.edges.entries()) {
        expect(await this.#anyScan(edgeIndex, index)).toBe(outcome);
      }
    }
    const left = await env.DB.prepare("SELECT count(*) AS n FROM pending_publications").first("n");
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
  await fc.assert(lives, { numRuns: runs(25, 200), endOnFailure: true });
});

it("fails without the feed: the property can tell", async () => {
  const withoutFeed = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
    const life = await Life.begin(2, { feed: "off" });
    for (const step of steps) await life.take(step);
  });
  const result = await fc.check(withoutFeed, { numRuns: 200, endOnFailure: true });
  expect(result.failed).toBe(true);
  expect(result.counterexample).not.toBeNull();
});

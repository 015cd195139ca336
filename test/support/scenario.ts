import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { Page } from "../../src/contract/resources/pages.ts";
import type { PageRoute, Route } from "../../src/protocol/routes.ts";
import type { MortalIsolate } from "./mortal-isolate.ts";
import { catalogueState, isPublished, type Resource, type ScanOutcome } from "./scenario-resources.ts";
import type { Step, Target } from "./scenario-steps.ts";
import { type Client, origin, type SessionClient } from "./service.ts";
import { type Edge, World } from "./world.ts";

/** The request of each change. */
const requests = {
  redirect: { method: "PATCH" },
  pause: { method: "PATCH" },
  remove: { method: "DELETE" },
  restore: { method: "POST", action: "/restore" },
};

/** A run of steps in a world, with the versions that scans may still follow. */
export class Scenario {
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
        return this.#change(step.resource, [() => this.#send(step, requests.remove)]);
      case "restore":
        return this.#change(step.resource, [() => this.#restore(step)]);
      case "dies":
        return this.#dyingChange(step);
      case "scanDuringChange":
        world.duringKvRead = async () => {
          // At another edge, because the isolate of a change remembers it.
          const elsewhere = { ...step, edge: step.edge + 1 };
          await this.#change(step.resource, [() => this.#redirect(elsewhere, this.#destination())]);
          world.tick(step.milliseconds);
        };
        await this.#checkScan(step.edge, step.resource);
        world.duringKvRead = undefined;
        return;
      case "busy":
        for (let round = 0; round < 6; round += 1) {
          for (const edge of [step.edge, step.edge + 1]) await this.#checkScan(edge, step.resource);
          if (round === step.changeAfter) {
            const elsewhere = { ...step, edge: step.edge + 2 };
            await this.#change(step.resource, [() => this.#redirect(elsewhere, this.#destination())]);
          }
          await world.advance(step.pace);
        }
        return;
      case "feedReadsTake":
        world.feedReadTime = step.milliseconds;
        return;
      case "race": {
        const urls = [this.#destination(), this.#destination()];
        const patches = urls.map((url, i) => {
          const target = { ...step, edge: step.edge + i };
          return () => this.#redirect(target, url);
        });
        return this.#change(step.resource, [...patches, () => this.#scan(step.edge, step.resource)], urls);
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
      case "feedOverload":
        world.faults = { ...faults, feedOverload: new Set(step.regions) };
        return;
      case "repairsFail":
        world.faults = { ...faults, repairSend: step.on };
        return;
      case "restart":
        return world.restart(this.#edge(step.edge));
      case "evict":
        return world.evictFeed(this.#edge(step.edge).region);
    }
  }

  /**
   * A change whose isolate dies, perhaps after it was stored; and then the same request again, in another isolate. Every
   * edge is scanned before and after, because only an edge that remembers the old route can still follow it.
   */
  async #dyingChange(step: Extract<Step, { do: "dies" }>): Promise<void> {
    const { kind } = this.#resource(step.resource);
    if (kind === "page" && (step.change === "pause" || step.change === "restore")) return;
    const url = this.#destination();
    const bodies = {
      redirect: kind === "code" ? { data: { type: "url", url } } : { title: url },
      pause: { status: "paused" },
      remove: undefined,
      restore: undefined,
    };
    const scanEverywhere = async () => {
      for (const edge of this.world.edges.keys()) await this.#checkScan(edge, step.resource);
    };
    await scanEverywhere();
    const request = requests[step.change];
    const mortal = this.world.mortalIsolate(this.#edge(step.edge), step.calls);
    await this.#change(step.resource, [() => this.#send(step, request, bodies[step.change], mortal)]);
    if (!step.isRepeated) return;
    const elsewhere = { ...step, edge: step.edge + 1 };
    await this.#change(step.resource, [() => this.#send(elsewhere, request, bodies[step.change])]);
    await this.world.advance(1001);
    await scanEverywhere();
  }

  /** Sends a request. @param request method and, for some, a part after the path @returns whether its answer promises that the catalogue's state has been published */
  async #send(
    target: Target,
    { method, action = "" }: { readonly method: string; readonly action?: string },
    body?: object,
    isolate: Pick<MortalIsolate, "fetch"> = this.#edge(target.edge).service,
  ): Promise<boolean> {
    const { kind, id } = this.#resource(target.resource);
    const path = kind === "code" ? `qr/${id}` : `developer/pages/${id}`;
    const credentials =
      kind === "code"
        ? { authorization: `Bearer ${this.#client.key}` }
        : { cookie: this.#session.cookie, origin };
    const response = await isolate.fetch(`/api/v1/${path}${action}`, {
      method,
      headers: { ...credentials, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response === undefined) return false;
    // A repeated DELETE is answered 404, which promises that scans get one, too.
    return response.ok || (method === "DELETE" && response.status === 404);
  }

  /** Gives a code another destination, or a page another title. */
  #redirect(target: Target, to: string): Promise<boolean> {
    const { kind } = this.#resource(target.resource);
    return this.#send(
      target,
      requests.redirect,
      kind === "code" ? { data: { type: "url", url: to } } : { title: to },
    );
  }

  /** Restores a deleted code. Does nothing for a page. */
  async #restore(target: Target): Promise<boolean> {
    if (this.#resource(target.resource).kind === "page") return false;
    return this.#send(target, requests.restore);
  }

  /** Pauses or resumes a code. Does nothing for a page, which can't be paused. */
  async #setStatus(target: Target, status: "active" | "paused"): Promise<boolean> {
    if (this.#resource(target.resource).kind === "page") return false;
    return this.#send(target, requests.pause, { status });
  }

  #resource(index: number) {
    return this.#resources[index] as Resource;
  }

  /**
   * Runs changes concurrently and adds the catalogue's new version, which scans must follow within the guarantee. A
   * version whose request died must be followed once another request has been answered with its state.
   * @param urls of concurrent changes: those that the catalogue does not have at the end may have been there before
   */
  async #change(index: number, changes: (() => Promise<unknown>)[], urls: string[] = []): Promise<void> {
    const resource = this.#resource(index);
    const { versions } = resource;
    const results = await Promise.all(changes.map((change) => change()));
    const { version, outcome } = await catalogueState(resource);
    const answeredAt = results.includes(true) ? this.world.clock.now() : Number.POSITIVE_INFINITY;
    const latest = versions.at(-1);
    if (version === latest?.version) {
      if (latest.answeredAt > answeredAt) versions.splice(-1, 1, { ...latest, answeredAt });
      return;
    }
    const overwritten = outcome === null ? [] : urls.filter((url) => url !== outcome);
    for (const url of overwritten) versions.push({ version: version - 1, outcome: url, answeredAt });
    versions.push({ version, outcome, answeredAt });
  }

  /** @returns the outcome of a scan, and when it was answered */
  async #scan(edgeIndex: number, index: number): Promise<{ outcome: ScanOutcome; at: number }> {
    const edge = this.#edge(edgeIndex);
    const { kind, id, key } = this.#resource(index);
    let at = 0;
    const onResponse = () => {
      at = this.world.clock.now();
    };
    if (kind === "page") {
      const response = await edge.service.fetch(`/pages/${id}`, { cf: edge.cf }, onResponse);
      expect([200, 404]).toContain(response.status);
      const html = await response.text();
      return { outcome: response.ok ? (/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? "") : null, at };
    }
    const response = await edge.service.fetch(`/${key}`, { method: "HEAD", cf: edge.cf }, onResponse);
    expect([302, 404]).toContain(response.status);
    return { outcome: response.headers.get("location"), at };
  }

  async #checkScan(edgeIndex: number, index: number): Promise<void> {
    const { key, versions } = this.#resource(index);
    const edge = this.#edge(edgeIndex);
    const { outcome, at } = await this.#scan(edgeIndex, index);
    const oldestAllowed = versions.findLastIndex(({ version, answeredAt }) =>
      this.world.mustFollow(edge, key, version, answeredAt, at),
    );
    const allowed = versions.slice(Math.max(0, oldestAllowed)).map((version) => version.outcome);
    expect(allowed).toContain(outcome);
  }

  /** Checks that the caches and every edge agree with the catalogue after three minutes without faults and changes. */
  async expectConvergence(): Promise<void> {
    this.world.clearFaults();
    this.world.feedReadTime = 0;
    await this.world.advance(200_000);
    for (const [index, resource] of this.#resources.entries()) {
      const { version, outcome } = await catalogueState(resource);
      const cached = await env.ROUTES.get<Route & PageRoute>(resource.key, "json");
      if (version > 1) expect(cached?.version).toBe(version);
      expect(await isPublished(resource)).toBe(true);
      if (cached !== null) {
        const target = resource.kind === "code" ? cached.destination : cached.content.title;
        expect(cached.status === "active" ? target : null).toBe(outcome);
      }
      for (const [edgeIndex] of this.world.edges.entries()) {
        expect((await this.#scan(edgeIndex, index)).outcome).toBe(outcome);
      }
    }
  }
}

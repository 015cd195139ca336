import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { Page } from "../../../src/contract/resources/pages.ts";
import type { PageRoute, Route } from "../../../src/protocol/routes.ts";
import type { MortalIsolate } from "./mortal-isolate.ts";
import { startBulkUpdate, succeededItems } from "./scenario-bulk.ts";
import { type Change, type Owners, sendChange } from "./scenario-requests.ts";
import {
  catalogueState,
  isPublished,
  outcomeIn,
  type Resource,
  tagged,
  unlimited,
  type Version,
} from "./scenario-resources.ts";
import { outcomeOf, scanResource } from "./scenario-scans.ts";
import { type Step, workspaceIndex } from "./scenario-steps.ts";
import { type Edge, World } from "./world.ts";

/** Runs steps in a world, and tracks the versions that scans may still follow. */
export class Scenario {
  readonly world: World;
  readonly #owners: Owners;
  /** Two codes, a page, and their workspace. */
  readonly #resources: Resource[] = [];
  #destinations = 0;

  private constructor(world: World, owners: Owners) {
    this.world = world;
    this.#owners = owners;
  }

  static async start(edges: number, isHidden?: ConstructorParameters<typeof World>[1]): Promise<Scenario> {
    const world = new World(edges, isHidden);
    const first = world.edges[0] as Edge;
    const client = await first.service.workspace();
    const session = await first.service.sessionIn(client.workspaceId);
    const scenario = new Scenario(world, { client, session });
    const addResource = (kind: Resource["kind"], id: string, key: string, outcome: string | null) => {
      const version = kind === "workspace" ? 0 : 1;
      const state = { version, outcome, isDeleted: false, lifeSpan: unlimited };
      const versions = [{ ...state, answeredAt: world.clock.now() }];
      scenario.#resources.push({ kind, id, key, versions });
    };
    for (let i = 0; i < 2; i += 1) {
      const url = scenario.#destination();
      const { id, hash } = await client.createQr({ data: { type: "url", url } });
      addResource("code", id, hash, url);
    }
    const title = scenario.#destination();
    const { id } = await session.expect(201, Page, "POST", "/developer/pages", { title });
    addResource("page", id, `page:${id}`, title);
    addResource("workspace", client.workspaceId, `workspace:${client.workspaceId}`, null);
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
      case "change":
        return this.#change(step.resource, [() => this.#send(step, step.change)]);
      case "dies":
        return this.#dyingChange(step);
      case "bulk":
        return this.#bulkUpdate(step);
      case "scanDuringChange":
        world.duringKvRead = async () => {
          // At another edge, because the isolate that made the change has it in memory.
          await this.#changeAt(step.edge + 1, step.changed);
          world.tick(step.milliseconds);
        };
        await this.#checkScan(step.edge, this.#scanned(step.changed.resource));
        world.duringKvRead = undefined;
        return;
      case "busy":
        for (let round = 0; round < 6; round += 1) {
          for (const edge of [step.edge, step.edge + 1]) {
            await this.#checkScan(edge, this.#scanned(step.changed.resource));
          }
          if (round === step.changeAfter) await this.#changeAt(step.edge + 2, step.changed);
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
          return () => this.#send(target, "redirect", url);
        });
        return this.#change(step.resource, [...patches, () => this.#scan(step.edge, step.resource)], urls);
      }
      case "raceSuspension":
        return this.#raceSuspension(step);
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
   * A change whose isolate dies, possibly after it was stored; then the same request again, in another isolate. Every
   * edge is scanned before and after, because only an edge that has cached the old route can still follow it.
   */
  async #dyingChange(step: Extract<Step, { do: "dies" }>): Promise<void> {
    const { change, resource } = step.changed;
    const to = this.#destination();
    const scanEverywhere = async () => {
      for (const edge of this.world.edges.keys()) await this.#checkScan(edge, this.#scanned(resource));
    };
    await scanEverywhere();
    const mortal = this.world.mortalIsolate(this.#edge(step.edge), step.calls);
    const target = { edge: step.edge, resource };
    await this.#change(resource, [() => this.#send(target, change, to, mortal)]);
    if (!step.isRepeated) return;
    await this.#change(resource, [() => this.#send({ edge: step.edge + 1, resource }, change, to)]);
    await this.world.advance(1001);
    await scanEverywhere();
  }

  /**
   * A bulk update of both codes. Scans must follow each code once its item has succeeded. If the consumer dies, another
   * isolate continues when its lease has ended. Every edge is scanned before and after.
   */
  async #bulkUpdate({ edge: index, change, calls }: Extract<Step, { do: "bulk" }>): Promise<void> {
    const codes = [0, 1];
    const edge = this.#edge(index);
    const scanEverywhere = async () => {
      for (const each of this.world.edges.keys()) {
        for (const code of codes) await this.#checkScan(each, code);
      }
    };
    await scanEverywhere();
    const ids = codes.map((code) => this.#resource(code).id);
    const jobId = await startBulkUpdate(edge.service, this.#owners, ids, change, this.#destination());
    const messages = this.world.takeBulkRuns();
    const record = async (deliver: () => Promise<unknown>) => {
      const settled = deliver().then(() => succeededItems(edge.service, this.#owners, jobId));
      const isSettled = (code: number) => async () => (await settled).has(this.#resource(code).id);
      await Promise.all(codes.map((code) => this.#change(code, [isSettled(code)])));
    };
    if (calls !== undefined) {
      await record(() => this.world.mortalIsolate(edge, calls).consume("bulk", messages));
      // Longer than a lease, whatever the difference between clocks.
      await this.world.advance(40_000);
    }
    await record(() => edge.service.consume("bulk", messages));
    await this.world.advance(1001);
    await scanEverywhere();
  }

  /** A new destination and a suspension at the same time, each at its own edge, while a third one is scanned. */
  async #raceSuspension(step: Extract<Step, { do: "raceSuspension" }>): Promise<void> {
    const url = this.#destination();
    const redirect = () => this.#send(step, "redirect", url);
    const scan = () => this.#scan(step.edge + 2, step.resource);
    if (step.ofWorkspace) {
      const workspace = { edge: step.edge + 1, resource: workspaceIndex };
      await Promise.all([
        this.#change(step.resource, [redirect, scan]),
        this.#change(workspaceIndex, [() => this.#send(workspace, "suspend")]),
      ]);
      return;
    }
    const suspend = () => this.#send({ ...step, edge: step.edge + 1 }, "suspend");
    // Scans see the new destination only if nothing hides it before and the suspension comes after it.
    const isShown = this.#resource(step.resource).versions.at(-1)?.lifeSpan.isShown === true;
    await this.#change(step.resource, [redirect, suspend, scan], isShown ? [url] : []);
  }

  /** Makes a change at an edge. */
  #changeAt(edge: number, { change, resource }: { change: Change; resource: number }): Promise<void> {
    return this.#change(resource, [() => this.#send({ edge, resource }, change)]);
  }

  /** @returns whether the response promises that the catalogue's state has been published */
  #send(
    target: { readonly edge: number; readonly resource: number },
    change: Change,
    to = this.#destination(),
    isolate: Pick<MortalIsolate, "fetch"> = this.#edge(target.edge).service,
  ): Promise<boolean> {
    return sendChange(isolate, this.#owners, this.#resource(target.resource), change, to);
  }

  /** Returns the code or page to scan after a change of a resource. */
  #scanned(resource: number): number {
    return resource === workspaceIndex ? 0 : resource;
  }

  #resource(index: number) {
    return this.#resources[index] as Resource;
  }

  /**
   * Runs changes concurrently and records the catalogue's new version, which scans must follow within the guarantee. A
   * version whose request died must be followed once another request has been answered with its state.
   * @param urls of concurrent changes; those that the catalogue doesn't have at the end may have been there before
   */
  async #change(index: number, changes: (() => Promise<unknown>)[], urls: string[] = []): Promise<void> {
    const resource = this.#resource(index);
    const { versions } = resource;
    const results = await Promise.all(changes.map((change) => change()));
    const state = await catalogueState(resource);
    const { version, outcome, lifeSpan } = state;
    const answeredAt = results.includes(true) ? this.world.clock.now() : Number.POSITIVE_INFINITY;
    const latest = versions.at(-1);
    if (version === latest?.version) {
      if (latest.answeredAt > answeredAt) versions.splice(-1, 1, { ...latest, answeredAt });
      return;
    }
    const shown = { ...lifeSpan, isShown: true };
    const possible = outcome === null ? [] : urls.map((url) => tagged(url, shown));
    for (const each of possible.filter((each) => each !== outcome)) {
      versions.push({
        version: version - 1,
        outcome: each,
        isDeleted: false,
        lifeSpan: shown,
        answeredAt,
      });
    }
    versions.push({ ...state, answeredAt });
  }

  #scan(edgeIndex: number, index: number): ReturnType<typeof scanResource> {
    return scanResource(this.#edge(edgeIndex), this.#resource(index), this.world.clock.now);
  }

  async #checkScan(edgeIndex: number, index: number): Promise<void> {
    const edge = this.#edge(edgeIndex);
    const { outcome, at } = await this.#scan(edgeIndex, index);
    const workspaces = this.#allowedVersions(edge, workspaceIndex, at);
    const allowed = this.#allowedVersions(edge, index, at).flatMap((version) =>
      workspaces.map((workspace) => outcomeIn(version, workspace, at + edge.clockError)),
    );
    expect(allowed).toContain(outcome);
  }

  /** Returns the versions of a resource that a scan may follow. @param at when the scan was answered */
  #allowedVersions(edge: Edge, index: number, at: number): Version[] {
    const { key, versions } = this.#resource(index);
    const oldest = versions.findLastIndex(({ version, answeredAt }) =>
      this.world.mustFollow(edge, key, version, answeredAt, at),
    );
    return versions.slice(Math.max(0, oldest));
  }

  /** Checks that the caches and every edge agree with the catalogue after three minutes without faults and changes. */
  async expectConvergence(): Promise<void> {
    this.world.clearFaults();
    this.world.feedReadTime = 0;
    await this.world.advance(200_000);
    const workspace = await catalogueState(this.#resource(workspaceIndex));
    for (const [index, resource] of this.#resources.entries()) {
      const state = await catalogueState(resource);
      const cached = await env.ROUTES.get<Route & PageRoute>(resource.key, "json");
      if (state.version > 1) expect(cached?.version).toBe(state.version);
      expect(await isPublished(resource)).toBe(true);
      if (cached !== null) expect(outcomeOf(resource, cached)).toBe(state.outcome);
      if (index === workspaceIndex) continue;
      for (const [edgeIndex, { clockError }] of this.world.edges.entries()) {
        const { outcome, at } = await this.#scan(edgeIndex, index);
        expect(outcome).toBe(outcomeIn(state, workspace, at + clockError));
      }
    }
  }
}

import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect } from "vitest";
import { regions } from "../../../src/protocol/regions.ts";
import { aliasKey, domainKey } from "../../../src/protocol/routes.ts";
import type { Client } from "../service.ts";
import type { MortalIsolate } from "./mortal-isolate.ts";
import { suspended } from "./scenario-resources.ts";
import { type Edge, World } from "./world.ts";

/** Random scenarios of the addresses of codes: a domain, two codes, and two aliases that they have in turn. */

const edge = fc.nat(3);
/** The index of a code, or of an alias. */
const either = fc.nat(1);
const someRegions = fc.subarray([...regions.filter((region) => ["weur", "wnam", "apac"].includes(region))]);
/** After how many calls of its bindings the isolate of a change dies; undefined for one that lives. */
const calls = fc.option(fc.nat(20), { nil: undefined, freq: 4 });

/** A step of a scenario. */
export const addressStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("scan" as const), edge, address: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("redirect" as const), edge, code: either, calls }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("alias" as const), edge, code: either, alias: either, calls }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("move" as const), edge, code: either, alias: either, calls }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("domain" as const),
      edge,
      to: fc.constantFrom("given" as const, "given" as const, "removed" as const, "suspended" as const),
      calls,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      milliseconds: fc.constantFrom(1, 501, 1000, 1001, 5000, 30_000, 61_000, 600_001),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("putFails" as const), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("publishFails" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("feedOut" as const), regions: someRegions }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const), edge }) },
);
type Step = typeof addressStep extends fc.Arbitrary<infer S> ? S : never;

/** The content of one route record, by the versions that scans may still follow. */
interface Tracked {
  readonly key: string;
  readonly versions: {
    readonly version: number;
    readonly value: string | null;
    readonly answeredAt: number;
  }[];
}

/** Runs steps in a world, and checks each scan against what the domain, the alias and the code may say at its edge. */
export class AddressScenario {
  readonly #world: World;
  readonly #client: Client;
  readonly #host: string;
  readonly #codes: readonly { readonly id: string; readonly hash: string; readonly route: Tracked }[];
  readonly #domain: Tracked;
  readonly #aliases: readonly { readonly address: string; readonly route: Tracked }[];
  #destinations = 0;

  private constructor(
    world: World,
    client: Client,
    host: string,
    codes: { id: string; hash: string; url: string }[],
  ) {
    const track = (key: string, version: number, value: string | null): Tracked => ({
      key,
      versions: [{ version, value, answeredAt: world.clock.now() }],
    });
    this.#world = world;
    this.#client = client;
    this.#host = host;
    this.#codes = codes.map(({ id, hash, url }) => ({ id, hash, route: track(hash, 1, url) }));
    this.#domain = track(domainKey(host), 0, "none");
    this.#aliases = ["Old/Menu", "x1"].map((path) => {
      const address = `${host}/${path}`;
      return { address, route: track(aliasKey(client.workspaceId, address), 0, null) };
    });
  }

  static async start(
    edges: number,
    isHidden?: ConstructorParameters<typeof World>[1],
  ): Promise<AddressScenario> {
    const world = new World(edges, isHidden);
    const client = await (world.edges[0] as Edge).service.workspace();
    const codes = await Promise.all(
      [1, 2].map(async (number) => {
        const url = `https://example.com/code-${number}`;
        const { id, hash } = await client.createQr({ data: { type: "url", url } });
        return { id, hash, url };
      }),
    );
    const host = `go.${client.workspaceId}.example`;
    const scenario = new AddressScenario(world, client, host, codes);
    await scenario.run({ do: "domain", edge: 0, to: "given", calls: undefined });
    return scenario;
  }

  async run(step: Step): Promise<void> {
    const world = this.#world;
    switch (step.do) {
      case "scan":
        return this.#checkScan(step.edge, step.address);
      case "wait":
        await world.advance(step.milliseconds);
        // A sweep may have completed the claim of a request that died.
        return this.#record(Number.POSITIVE_INFINITY);
      case "putFails":
        world.faults = { ...world.faults, kvPut: step.on };
        return;
      case "publishFails":
        world.faults = { ...world.faults, publish: new Set(step.regions) };
        return;
      case "feedOut":
        return world.setUnreadable(step.regions);
      case "restart":
        return world.restart(this.#edge(step.edge));
      default:
        return this.#change(step);
    }
  }

  /** Every scan answers what the catalogue says, after three minutes without faults and changes. */
  async expectConvergence(): Promise<void> {
    this.#world.clearFaults();
    await this.#world.advance(200_000);
    await this.#record(this.#world.clock.now());
    for (const all of [
      this.#domain,
      ...this.#codes.map(({ route }) => route),
      ...this.#aliases.map(({ route }) => route),
    ]) {
      all.versions.splice(0, all.versions.length - 1);
    }
    for (const edge of this.#world.edges.keys()) {
      for (let address = 0; address < 4; address += 1) await this.#checkScan(edge, address);
    }
  }

  #edge(index: number): Edge {
    return this.#world.edges[index % this.#world.edges.length] as Edge;
  }

  async #change(step: Extract<Step, { readonly calls: number | undefined }>): Promise<void> {
    const edge = this.#edge(step.edge);
    const isolate = step.calls === undefined ? edge.service : this.#world.mortalIsolate(edge, step.calls);
    const isAnswered = await this.#send(isolate, step);
    await this.#record(isAnswered ? this.#world.clock.now() : Number.POSITIVE_INFINITY);
  }

  /** Records what the catalogue says now. @param answeredAt when the change was answered, if it was */
  async #record(answeredAt: number): Promise<void> {
    for (const [route, state] of await this.#catalogue()) {
      const latest = route.versions.at(-1);
      if (latest?.value !== state.value || latest.version < state.version) {
        route.versions.push({ ...state, answeredAt });
      } else if (latest.answeredAt > answeredAt) {
        route.versions.splice(-1, 1, { ...latest, answeredAt });
      }
    }
  }

  /** @returns whether the response promises that the catalogue's state has been published */
  async #send(
    isolate: Pick<MortalIsolate, "fetch">,
    step: Extract<Step, { readonly calls: number | undefined }>,
  ): Promise<boolean> {
    const send = async (method: string, path: string, body?: object) => {
      const secret = path.startsWith("/operator") ? this.#client.service.operatorSecret : this.#client.key;
      const response = await isolate.fetch(`/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return response?.ok === true;
    };
    if (step.do === "domain") {
      const path = `/operator/domains/${this.#host}`;
      if (step.to === "removed") return send("DELETE", path);
      if (step.to === "suspended") return send("PUT", `${path}/suspension`, { reason: "A test" });
      const isLifted = await send("DELETE", `${path}/suspension`);
      return (await send("PUT", path, { workspaceId: this.#client.workspaceId })) || isLifted;
    }
    const code = this.#codes[step.code];
    if (step.do === "redirect") {
      this.#destinations += 1;
      const url = `https://example.com/${this.#destinations}`;
      return send("PATCH", `/qr/${code?.id}`, { data: { type: "url", url } });
    }
    const alias = this.#aliases[step.alias]?.address;
    if (step.do === "move") return send("POST", `/qr/${code?.id}/aliases`, { alias });
    const { aliases } = await env.DB.prepare(
      "SELECT coalesce(aliases, '[]') AS aliases FROM qr_codes WHERE id = ?",
    )
      .bind(code?.id)
      .first<{ aliases: string }>()
      .then((row) => ({ aliases: JSON.parse(row?.aliases ?? "[]") as string[] }));
    const others = aliases.filter((each) => each !== alias);
    return send("PATCH", `/qr/${code?.id}`, {
      aliases: others.length < aliases.length ? others : [...aliases, alias],
    });
  }

  /** Returns what the catalogue says of each record. */
  async #catalogue(): Promise<[Tracked, { version: number; value: string | null }][]> {
    const first = <Row>(sql: string, ...values: string[]) =>
      env.DB.prepare(sql)
        .bind(...values)
        .first<Row>();
    const domain = await first<{ version: number; value: string }>(
      `SELECT route_version AS version, CASE WHEN suspended IS NOT NULL THEN 'suspended'
         WHEN deleted_at IS NOT NULL THEN 'removed' ELSE status END AS value
       FROM domains WHERE host = ? AND proved_at IS NOT NULL ORDER BY deleted_at IS NOT NULL, route_version DESC`,
      this.#host,
    );
    const codes = await Promise.all(
      this.#codes.map(async ({ id, route }) => {
        const row = await first<{ version: number; value: string }>(
          "SELECT version, data->>'url' AS value FROM qr_codes WHERE id = ?",
          id,
        );
        const latest = route.versions.at(-1);
        // A version that changes no route isn't followed by anyone.
        const isSame = row?.value === latest?.value;
        return [route, isSame || row === null ? { version: 0, value: latest?.value ?? null } : row] as const;
      }),
    );
    const aliases = await Promise.all(
      this.#aliases.map(async ({ address, route }) => {
        const row = await first<{ version: number; value: string | null }>(
          `SELECT coalesce(a.version, w.alias_version) AS version, c.hash AS value FROM workspaces w
           LEFT JOIN aliases a ON a.workspace_id = w.id AND a.address = ?2 LEFT JOIN qr_codes c ON c.id = a.qr_id
           WHERE w.id = ?1`,
          this.#client.workspaceId,
          address,
        );
        const latest = route.versions.at(-1);
        const isSame = (row?.value ?? null) === latest?.value;
        return [route, isSame || row === null ? { version: 0, value: latest?.value ?? null } : row] as const;
      }),
    );
    return [
      ...(domain === null ? [] : [[this.#domain, domain] as [Tracked, typeof domain]]),
      ...codes.map(([route, state]): [Tracked, typeof state] => [route, state]),
      ...aliases.map(([route, state]): [Tracked, typeof state] => [route, state]),
    ];
  }

  async #checkScan(edgeIndex: number, address: number): Promise<void> {
    const edge = this.#edge(edgeIndex);
    const alias = this.#aliases[address - 2];
    const path = alias?.address ?? `${this.#host}/${this.#codes[address]?.hash}`;
    let at = 0;
    const response = await edge.service.fetch(`https://${path}`, { method: "HEAD", cf: edge.cf }, () => {
      at = this.#world.clock.now();
    });
    const outcome = response.status === 403 ? suspended : response.headers.get("location");
    expect([302, 403, 404]).toContain(response.status);
    const possible = this.#allowed(edge, this.#domain, at).flatMap((domain) => {
      if (domain === "suspended") return [suspended];
      if (domain === "removed") return [null];
      const hashes =
        alias === undefined ? [this.#codes[address]?.hash ?? null] : this.#allowed(edge, alias.route, at);
      // Until the host is a domain, only hashes answer there.
      if (domain === "none" && alias !== undefined) return [null];
      return hashes.flatMap((hash) => {
        const code = this.#codes.find((each) => each.hash === hash);
        return code === undefined ? [null] : this.#allowed(edge, code.route, at);
      });
    });
    expect(possible).toContain(outcome);
  }

  /** Returns what a record may say to a scan. @param at when the scan was answered */
  #allowed(edge: Edge, { key, versions }: Tracked, at: number): (string | null)[] {
    const oldest = versions.findLastIndex(({ version, answeredAt }) =>
      this.#world.mustFollow(edge, key, version, answeredAt, at),
    );
    return versions.slice(Math.max(0, oldest)).map(({ value }) => value);
  }
}

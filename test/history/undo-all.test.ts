import fc from "fast-check";
import { expect, it } from "vitest";
import { Folder, FolderList } from "../../src/contract/resources/codes/folders.ts";
import { Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { BinList } from "../../src/contract/resources/history/bin.ts";
import { HistoryList } from "../../src/contract/resources/history/history.ts";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { Template, TemplateList } from "../../src/contract/resources/images/templates.ts";
import { Page, PageList } from "../../src/contract/resources/pages.ts";
import { forwardStrandedEvents } from "../../src/domain/events/forwarding.ts";
import { BulkHarness } from "../support/bulk.ts";
import { runs } from "../support/runner/runs.ts";
import { Service } from "../support/service.ts";

/** A random change: who makes it, what kind it is, and numbers that choose what it is made to. */
const step = fc.record({
  by: fc.integer({ min: 0, max: 2 }),
  change: fc.constantFrom(
    ...(["edit", "edit", "move", "move", "style", "delete", "restore", "create", "bulk"] as const),
    ...([
      "newFolder",
      "renameFolder",
      "deleteFolder",
      "deleteFolder",
      "restoreFolder",
      "restoreFolder",
    ] as const),
    ...([
      "editTemplate",
      "deleteTemplate",
      "restoreTemplate",
      "editPage",
      "deletePage",
      "restorePage",
    ] as const),
  ),
  one: fc.nat(11),
  other: fc.nat(11),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

it("random changes by random actors, undone one by one from the last to the first, lead back to the first state", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: runs(14, 30) }), async (steps) => {
      const world = await World.create();
      const first = await world.state();
      for (const each of steps) await world.take(each);
      await world.undoAll();
      expect(await world.state()).toEqual(first);
    }),
    { numRuns: runs(1, 60), endOnFailure: true },
  );
}, 600_000);

/** A workspace with a few of everything, and three actors. */
class World {
  readonly #harness: BulkHarness;
  readonly #actors: readonly ((method: string, path: string, body?: object) => Promise<Response>)[];
  readonly #session: Awaited<ReturnType<Service["sessionIn"]>>;
  #codes: string[] = [];
  #folders: string[] = [];
  #templates: string[] = [];
  #pages: string[] = [];
  #begin = new Set<string>();

  private constructor(
    harness: BulkHarness,
    actors: readonly ((method: string, path: string, body?: object) => Promise<Response>)[],
    session: Awaited<ReturnType<Service["sessionIn"]>>,
  ) {
    this.#harness = harness;
    this.#actors = actors;
    this.#session = session;
  }

  static async create(): Promise<World> {
    const harness = new BulkHarness();
    const { service } = harness;
    const one = await service.workspace();
    const two = await service.client(one.workspaceId);
    const session = await service.sessionIn(one.workspaceId);
    const colleague = await service.sessionIn(one.workspaceId);
    const actors = [one, two].map(
      (key) => (method: string, path: string, body?: object) =>
        path.startsWith("/developer") ? session.send(method, path, body) : key.send(method, path, body),
    );
    actors.push((method, path, body) => {
      const by = path.startsWith("/developer") ? colleague : one;
      return by.send(method, path, body);
    });
    const world = new World(harness, actors, session);
    for (const name of ["A", "B", "C"]) {
      world.#folders.push((await one.expect(201, Folder, "POST", "/folders", { name })).id);
    }
    for (const [name, dotsColor] of [
      ["T", "#14532d"],
      ["U", "#1e3a8a"],
    ]) {
      const template = { name, colorConfig: { dotsColor }, advanced: { modules: "rounded" } };
      world.#templates.push(
        (await session.expect(201, Template, "POST", "/developer/templates", template)).id,
      );
    }
    for (const title of ["P", "Q"]) {
      world.#pages.push((await session.expect(201, Page, "POST", "/developer/pages", { title })).id);
    }
    for (let i = 0; i < 6; i += 1) {
      const { id } = await one.createQr({
        name: `Code ${i}`,
        tags: i % 2 === 0 ? ["even"] : [],
        folderId: world.#folders[i % 3],
        ...(i === 3 && { templateId: world.#templates[0] }),
      });
      world.#codes.push(id);
    }
    world.#begin = new Set((await world.#entries()).map(({ id }) => id));
    return world;
  }

  /** Everything that the API shows, without the times of updates. */
  async state(): Promise<unknown> {
    const [read, session] = [this.#actors[0], this.#session];
    if (read === undefined) throw new Error("no actor");
    const { items } = QrList.parse(await (await read("GET", "/qr?limit=100")).json());
    const scans = await Promise.all(
      items.map(async ({ hash }) => (await new Service().scan(hash)).headers.get("location")),
    );
    const bin = (await session.expect(200, BinList, "GET", "/developer/bin?limit=100")).items;
    const existing = new Set(this.#existing);
    return {
      scans,
      // An undone design is measured later.
      codes: items.map(({ updatedAt, readability, ...qr }) => qr),
      folders: FolderList.parse(await (await read("GET", "/folders")).json()),
      templates: await session.expect(200, TemplateList, "GET", "/developer/templates"),
      pages: (await session.expect(200, PageList, "GET", "/developer/pages")).items.map(
        ({ updatedAt, ...page }) => page,
      ),
      // Everything that the changes created is deleted again.
      bin: bin.filter(({ id }) => existing.has(id)).length,
    };
  }

  get #existing(): readonly string[] {
    return [...this.#codes.slice(0, 6), ...this.#folders.slice(0, 3), ...this.#templates, ...this.#pages];
  }

  /** Makes a change; one that is refused changes nothing. */
  async take({ by, change, one, other }: Step): Promise<void> {
    this.#harness.clock.advance(1000);
    const send = this.#actors[by];
    if (send === undefined) throw new Error("no actor");
    const pick = (ids: readonly string[], n: number) => ids[n % ids.length] ?? "";
    const code = `/qr/${pick(this.#codes, one)}`;
    const folder = `/folders/${pick(this.#folders, one)}`;
    const template = `/developer/templates/${pick(this.#templates, one)}`;
    const page = `/developer/pages/${pick(this.#pages, one)}`;
    const place = [null, ...this.#folders][other % (this.#folders.length + 1)];
    const acts: Record<Step["change"], () => Promise<Response>> = {
      edit: () =>
        send("PATCH", code, {
          name: other % 3 === 0 ? null : `Name ${other}`,
          tags: [`tag${other % 4}`],
          status: other % 2 === 0 ? "active" : "paused",
          data: { type: "url", url: `https://example.com/${other}` },
          expiresAt: other % 5 === 0 ? null : "2090-01-01T00:00:00Z",
          utm: other % 4 === 0 ? null : { source: `s${other}` },
        }),
      move: () => send("PATCH", code, { folderId: place }),
      style: () =>
        other % 2 === 0
          ? send("PATCH", code, { templateId: pick(this.#templates, other) })
          : send("PATCH", code, { shape: "circle", colorConfig: { dotsColor: "navy" } }),
      delete: () => send("DELETE", code),
      restore: () => send("POST", `${code}/restore`),
      create: () =>
        send("POST", "/qr", {
          qrType: "url",
          data: { type: "url", url: "example.com/new" },
          folderId: place,
        }),
      bulk: () =>
        send("POST", "/qr/bulk-update", {
          filter: {},
          change: { addTags: [`bulk${other}`], ...(other % 2 === 0 && { folderId: place }) },
        }),
      newFolder: () => send("POST", "/folders", { name: `New ${other}` }),
      renameFolder: () => send("PATCH", folder, { name: `Renamed ${other}` }),
      deleteFolder: () => send("DELETE", folder),
      restoreFolder: () => send("POST", `${folder}/restore`),
      editTemplate: () =>
        send("PATCH", template, { name: `T ${other}`, shape: other % 2 === 0 ? "circle" : null }),
      deleteTemplate: () => send("DELETE", template),
      restoreTemplate: () => send("POST", `${template}/restore`),
      editPage: () => send("PATCH", page, { title: `Title ${other}`, intro: other % 2 === 0 ? "Hello" : "" }),
      deletePage: () => send("DELETE", page),
      restorePage: () => send("POST", `${page}/restore`),
    };
    const answer = await acts[change]();
    expect(answer.status).toBeLessThan(500);
    if (change === "create" && answer.ok) this.#codes.push(Qr.parse(await answer.json()).id);
    if (change === "newFolder" && answer.ok) this.#folders.push(Folder.parse(await answer.json()).id);
    await this.#harness.drain();
    if (other % 4 === 0) {
      this.#harness.clock.advance(31_000);
      await forwardStrandedEvents(this.#harness.service.deps);
    }
  }

  async #entries() {
    const items: HistoryList["items"] = [];
    for (let cursor = ""; ; ) {
      const page = await this.#session.expect(
        200,
        HistoryList,
        "GET",
        `/developer/history?limit=100${cursor}`,
      );
      items.push(...page.items);
      if (page.nextCursor === null) return items;
      cursor = `&cursor=${page.nextCursor}`;
    }
  }

  /** Undoes every change since the beginning, the last first. */
  async undoAll(): Promise<void> {
    const entries = (await this.#entries()).filter(
      ({ id, object }) => !this.#begin.has(id) && object.kind !== "job",
    );
    for (const { id } of entries) {
      this.#harness.clock.advance(1);
      await this.#session.expect(200, Reverted, "POST", `/developer/history/${id}/revert`);
    }
  }
}

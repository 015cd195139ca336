import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { buildDeps } from "../../src/composition.ts";
import { Folder, FolderList } from "../../src/contract/resources/codes/folders.ts";
import { QrList } from "../../src/contract/resources/codes/qr.ts";
import { type HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import { Template, TemplateList } from "../../src/contract/resources/images/templates.ts";
import { Page, PageList } from "../../src/contract/resources/pages.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import { BulkHarness, goodItems } from "../support/bulk.ts";
import { runs } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import type { ApiClient } from "../support/service.ts";

const kinds = ["code", "folder", "page", "template"] as const;
type Kind = (typeof kinds)[number];
type Fields = Record<string, unknown>;

interface Thing {
  readonly kind: Kind;
  readonly id: string;
  fields: Fields;
  isDeleted: boolean;
}

/** Fields of resources that aren't changed by anybody, or follow from others. */
const derived = new Set(["id", "scanUrl", "url", "createdAt", "updatedAt", "readability", "scanOriginOnly"]);

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

const withoutEmpty = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));

const shown = (resource: object): Fields =>
  withoutEmpty(Object.fromEntries(Object.entries(resource).filter(([name]) => !derived.has(name))));

/** The workspace as its history tells it. */
class Replay {
  readonly things = new Map<string, Thing>();

  apply({ action, object: { id, kind }, changes }: HistoryEntry): void {
    if (!kinds.some((each) => each === kind)) return;
    const verb = action.split(".")[1];
    if (verb === "created") {
      expect(this.things.has(id)).toBe(false);
      this.things.set(id, { kind: kind as Kind, id, fields: {}, isDeleted: false });
    }
    const thing = this.things.get(id);
    if (thing === undefined) throw new Error(`${action} of something unknown`);
    if (verb === "deleted" || verb === "restored") {
      expect(thing.isDeleted).toBe(verb === "restored");
      thing.isDeleted = verb === "deleted";
    } else if (verb !== "created") expect(Object.keys(changes)).not.toEqual([]);
    for (const [field, { before, after }] of Object.entries(changes)) {
      expect({ action, field, before: isEmpty(before) ? null : before }).toEqual({
        action,
        field,
        before: thing.fields[field] ?? null,
      });
      if (isEmpty(after)) delete thing.fields[field];
      else thing.fields[field] = after;
    }
  }

  get live(): Record<string, Fields> {
    const live = [...this.things.values()].filter(({ isDeleted }) => !isDeleted);
    return Object.fromEntries(live.map(({ kind, id, fields }) => [`${kind} ${id}`, this.#shown(fields)]));
  }

  /** Codes leave a deleted folder and return with it, without an entry, as the document says. */
  #shown({ folderId, ...others }: Fields): Fields {
    const isOutside = folderId === undefined || this.things.get(String(folderId))?.isDeleted === true;
    return isOutside ? others : { ...others, folderId };
  }
}

it.each(Array.from({ length: runs(1, 100) }, (_, seed) => seed))(
  "the history explains every difference between any two moments of a random story (seed %i)",
  async (seed) => {
    const random = new SeededRandom(seed + 1);
    const below = (bound: number) => random.below(bound);
    const pick = <T>(values: readonly T[]): T => random.pick(values);
    const harness = new BulkHarness();
    const { clock } = harness;
    // While the ledger can't be reached, history stays in the outbox.
    let isDown = false;
    const { ledger } = buildDeps(env);
    const service = harness.isolate({
      ledger: (id) =>
        new Proxy(ledger(id), {
          get: (stub, name) =>
            isDown && name === "receive"
              ? () => Promise.reject(new Error("the ledger can't be reached"))
              : Reflect.get(stub, name, stub),
        }),
    });
    const forward = async () => {
      if (!isDown) await forwardEvents(service.deps, first.workspaceId);
    };
    const first = await service.session();
    const people = [first, await service.sessionIn(first.workspaceId)];
    const keys = [await service.client(first.workspaceId), await service.client(first.workspaceId)];
    const [reader] = keys;
    if (reader === undefined) throw new Error("no key");

    /** Everything that was ever made, deleted or not. */
    const ids: Record<Kind, string[]> = { code: [], folder: [], page: [], template: [] };
    const maybe = (values: readonly string[]) => (below(3) === 0 ? null : pick(["", ...values]) || null);

    const create: Record<Kind, () => Promise<unknown>> = {
      code: async () =>
        ids.code.push((await pick(keys).createQr({ name: `Code ${below(9)}`, tags: [`t${below(3)}`] })).id),
      folder: async () =>
        ids.folder.push(
          (await pick(keys).expect(201, Folder, "POST", "/folders", { name: `F${below(5)}` })).id,
        ),
      page: async () =>
        ids.page.push(
          (await pick(people).expect(201, Page, "POST", "/developer/pages", { title: `P${below(5)}` })).id,
        ),
      template: async () => {
        const body = { name: `T${below(5)}`, shape: pick(["circle", "square"]) };
        ids.template.push(
          (await pick(people).expect(201, Template, "POST", "/developer/templates", body)).id,
        );
      },
    };
    const changeOf: Record<Kind, () => object> = {
      code: () =>
        pick([
          { name: `Code ${below(9)}`, status: pick(["active", "paused"]) },
          { data: { type: "url", url: `https://example.com/${below(4)}` } },
          { tags: [`t${below(3)}`, `u${below(3)}`], folderId: maybe(ids.folder) },
          { shape: pick(["circle", null]), expiresAt: pick([null, "2090-01-01T00:00:00.000Z"]) },
          { utm: pick([null, { source: `s${below(3)}` }]), templateId: maybe(ids.template) },
        ]),
      folder: () => ({ name: `F${below(5)}` }),
      page: () => pick([{ title: `P${below(5)}` }, { intro: pick([null, "Hello"]) }]),
      template: () => pick([{ name: `T${below(5)}` }, { shape: pick(["circle", null]) }]),
    };
    const paths = {
      code: "/qr",
      folder: "/folders",
      page: "/developer/pages",
      template: "/developer/templates",
    };
    const callers: Record<Kind, readonly ApiClient[]> = {
      code: keys,
      folder: keys,
      page: people,
      template: people,
    };
    const act = async (kind: Kind, method: string, suffix = "", body?: object) => {
      const path = `${paths[kind]}/${pick(ids[kind])}${suffix}`;
      // Changes of what is deleted, or to a folder that is, are refused.
      expect((await pick(callers[kind]).send(method, path, body)).status).toBeLessThan(500);
    };

    const step = async (): Promise<unknown> => {
      const kind = pick(kinds);
      const chance = below(14);
      if (ids[kind].length === 0 || chance === 0) return create[kind]();
      if (chance < 6) return act(kind, "PATCH", "", changeOf[kind]());
      if (chance === 6) return act(kind, "DELETE");
      if (chance === 7) return act(kind, "POST", "/restore");
      if (chance === 8) return Promise.all([1, 2, 3].map(() => act(kind, "PATCH", "", changeOf[kind]())));
      if (chance === 9) return bulk();
      if (chance < 13) return revert();
      const suspended = pick(["code", "page"] as const);
      const id = ids[suspended].length === 0 ? undefined : pick(ids[suspended]);
      const isLifted = below(2) === 0;
      const body = isLifted ? undefined : { reason: `reason ${below(2)}`, legalOrder: false };
      if (id === undefined) return undefined;
      const path = `/operator/${suspended === "code" ? "qr" : "pages"}/${id}/suspension`;
      return service.operator.send(isLifted ? "DELETE" : "PUT", path, body);
    };

    /** Runs a bulk job: an import, a change of all codes, or of some. */
    const bulk = async (): Promise<unknown> => {
      if (below(3) === 0) {
        const response = await harness.json(reader, goodItems(1 + below(3)));
        const { jobId } = await harness.accepted(response);
        await harness.drain(service);
        const { items } = await harness.read(reader, jobId);
        return ids.code.push(...items.flatMap(({ createdQrId }) => createdQrId ?? []));
      }
      const change = pick<object>([
        { addTags: [`t${below(3)}`], removeTags: ["u1"] },
        { folderId: maybe(ids.folder) },
        { status: pick(["active", "paused"]), shape: pick(["circle", null]) },
        { replace: { host: { from: "example.com", to: "example.org" } } },
        { delete: true },
      ]);
      const some = below(2) === 0 ? { filter: { tag: `t${below(3)}` } } : { filter: {} };
      const { status } = await harness.update(reader, { ...some, change });
      expect(status).toBeLessThan(500);
      return harness.drain(service);
    };

    /** Undoes a change, or everything that its job did. */
    const revert = async (): Promise<unknown> => {
      const { items } = await first.expect(200, HistoryList, "GET", "/developer/history?limit=50");
      if (items.length === 0) return undefined;
      const { id, jobId } = pick(items);
      const scope = jobId !== null && below(2) === 0 ? "?scope=job" : "";
      const answer = await pick(people).send("POST", `/developer/history/${id}/revert${scope}`);
      expect(answer.status).toBeLessThan(500);
      return harness.drain(service);
    };

    const observe = async (): Promise<Record<string, Fields>> => {
      const codes = (await reader.expect(200, QrList, "GET", "/qr?limit=100")).items;
      const { folders } = await reader.expect(200, FolderList, "GET", "/folders");
      const pages = (await first.expect(200, PageList, "GET", "/developer/pages?limit=100")).items;
      const { templates } = await first.expect(200, TemplateList, "GET", "/developer/templates");
      const all: [Kind, { id: string }[]][] = [
        ["code", codes],
        ["folder", folders],
        ["page", pages],
        ["template", templates],
      ];
      return Object.fromEntries(
        all.flatMap(([kind, things]) => things.map((thing) => [`${kind} ${thing.id}`, shown(thing)])),
      );
    };

    const moments: { readonly at: number; readonly seen: Record<string, Fields> }[] = [];
    for (let i = 0; i < runs(16, 60); i += 1) {
      await step();
      if (below(8) === 0) isDown = !isDown;
      if (below(8) === 0) await forward();
      moments.push({ at: clock.now(), seen: await observe() });
      clock.advance(1000);
    }

    // The sweep moves entries to the ledger while they are read.
    isDown = false;
    const entries: HistoryEntry[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const list: HistoryList = await first.expect(
        200,
        HistoryList,
        "GET",
        `/developer/history?limit=${1 + below(50)}${after}`,
      );
      entries.unshift(...list.items.toReversed());
      cursor = list.nextCursor;
      if (below(3) === 0) await forward();
    }
    const replay = new Replay();
    for (const { at, seen } of moments) {
      while (entries[0] !== undefined && Date.parse(entries[0].at) <= at) {
        replay.apply(entries[0]);
        entries.shift();
      }
      expect(replay.live).toEqual(seen);
    }
    expect(entries).toEqual([]);
  },
  runs(120_000, 900_000),
);

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Reverted } from "../../src/contract/resources/history/revert.ts";
import { expectError } from "../support/endpoints.ts";
import { HistoryWorkspace } from "../support/history-workspace.ts";
import { type ApiClient, Client, Service, SessionClient } from "../support/service.ts";
import { wrapDatabase } from "../support/world/wrapped-database.ts";

/** Undoing a change while another request, in another isolate, changes the same thing right before that is stored. */

const service = new Service();

/** Returns the client in an isolate in which `overtake` runs once, before the next batch. */
function overtaken(client: Client | SessionClient, overtake: () => Promise<unknown>): ApiClient {
  let isDone = false;
  const db = wrapDatabase(env.DB, async (work, sql) => {
    // A change is stored with its entry in the history, in a batch.
    if (sql === undefined && !isDone) {
      isDone = true;
      await overtake();
    }
    return work();
  });
  const isolate = new Service({ db, pause: () => Promise.resolve() });
  return client instanceof Client
    ? new Client(isolate, client.workspaceId, client.keyId, client.key)
    : new SessionClient(isolate, client.workspaceId, client.userId, client.cookie);
}

interface Kind {
  readonly make: (world: HistoryWorkspace) => Promise<{ readonly id: string }>;
  readonly path: string;
  readonly field: string;
  readonly by: (world: HistoryWorkspace) => Client | SessionClient;
}

const kinds: Readonly<Record<string, Kind>> = {
  code: { make: (w) => w.code(), path: "/qr", field: "name", by: (w) => w.client },
  folder: { make: (w) => w.folder(), path: "/folders", field: "name", by: (w) => w.client },
  template: {
    make: (w) => w.template(),
    path: "/developer/templates",
    field: "name",
    by: (w) => w.owner,
  },
  page: { make: (w) => w.page(), path: "/developer/pages", field: "title", by: (w) => w.owner },
};

describe.each(Object.entries(kinds))("a %s", (_, { make, path, field, by }) => {
  /** Makes one, and returns its address and the entry of its latest change. */
  async function made(change?: "DELETE") {
    const world = await HistoryWorkspace.of(service);
    const address = `${path}/${(await make(world)).id}`;
    if (change !== undefined) {
      await world.newEntries();
      expect((await by(world).send(change, address)).status).toBe(200);
    }
    const [entry] = await world.newEntries();
    return { world, address, revert: `/developer/history/${entry?.id}/revert` };
  }

  it("that is edited while its creation is undone stays, as it was edited", async () => {
    const { world, address, revert } = await made();
    const edit = () => by(world).send("PATCH", address, { [field]: "Edited" });
    const refused = await overtaken(world.owner, edit).send("POST", revert);
    expect(await expectError(refused, 400, "invalid_input")).toContain(`${field} changed since`);
    expect(await (await by(world).send("GET", path)).text()).toContain("Edited");
    expect((await world.newEntries()).map(({ action }) => action)).toEqual([
      expect.stringContaining("updated"),
    ]);
  });

  it("that is restored while its deletion is undone is restored once", async () => {
    const { world, address, revert } = await made("DELETE");
    const restore = () => by(world).send("POST", `${address}/restore`);
    const refused = await overtaken(world.owner, restore).send("POST", revert);
    expect(await expectError(refused, 400, "invalid_input")).toContain("deleted changed since");
    expect((await world.newEntries()).map(({ action }) => action)).toEqual([
      expect.stringContaining("restored"),
    ]);
  });

  it("whose deletion is undone twice at once is restored once, and the second undo is refused", async () => {
    const { world, revert } = await made("DELETE");
    const answers: Response[] = [];
    const undo = async () => answers.push(await world.owner.send("POST", revert));
    answers.push(await overtaken(world.owner, undo).send("POST", revert));
    const [first, second] = answers;
    expect(first?.status).toBe(200);
    expect(Reverted.parse(await first?.json()).entry?.action).toContain("restored");
    expect(second?.status).toBe(400);
    expect(await world.newEntries()).toHaveLength(1);
  });

  it("that is restored twice at once is restored once", async () => {
    const { world, address } = await made("DELETE");
    const restore = (client: ApiClient) => client.send("POST", `${address}/restore`);
    const answer = await restore(overtaken(by(world), () => restore(by(world))));
    expect(answer.status).toBe(200);
    expect(await world.newEntries()).toHaveLength(1);
  });
});

import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NewApiKey } from "../../src/contract/resources/identity/keys.ts";
import { OwnWorkspace } from "../../src/contract/resources/identity/members.ts";
import { SessionList } from "../../src/contract/resources/identity/sessions.ts";
import { Browser } from "../support/browser.ts";
import { Service, SessionClient } from "../support/service.ts";
import { type Edge, World } from "../support/world/world.ts";

const hour = 60 * 60_000;
/** By how much the clock of an edge is slow at most. */
const clockError = 10_000;

let world: World;
let first: Edge;
let owner: SessionClient;

beforeAll(async () => {
  world = new World(2);
  const [edge] = world.edges;
  if (edge === undefined) throw new Error("no edge");
  first = edge;
});
afterAll(() => void vi.useRealTimers());

/** The answers of every edge, one after the other, as its caches are. */
async function everywhere<Answer>(ask: (edge: Edge) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const edge of world.edges) answers.push(await ask(edge));
  return answers;
}

const all = <Answer>(answer: Answer): Answer[] => world.edges.map(() => answer);

const newOwner = async () => {
  owner = await first.service.session();
};

describe("a key that every edge has just used", () => {
  const create = (input: object = {}) =>
    owner.expect(201, NewApiKey, "POST", "/developer/keys", { name: "Key", type: "secret", ...input });

  const statuses = (key: string) =>
    everywhere(async ({ service }) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const read = await service.fetch("/api/v1/qr", { headers });
      const body = JSON.stringify({ qrType: "url", data: { type: "url", url: "example.com" } });
      const written = await service.fetch("/api/v1/qr", { method: "POST", headers, body });
      return [read.status, written.status];
    });

  const rotate = (id: string, overlapHours: number) =>
    owner.expect(201, NewApiKey, "POST", `/developer/keys/${id}/rotate`, { overlapHours });

  it.each<[string, object, (id: string) => Promise<unknown>]>([
    ["was revoked", {}, (id) => owner.send("DELETE", `/developer/keys/${id}`)],
    ["was rotated without an overlap", {}, (id) => rotate(id, 0)],
    [
      "has expired",
      { expiresAt: new Date(Date.UTC(2099, 0, 1)).toISOString() },
      async () => world.tick(Date.UTC(2099, 0, 1) - world.clock.now() + clockError),
    ],
  ])("is refused by each of them at the next request once it %s", async (_, input, end) => {
    await newOwner();
    const { id, key } = await create(input);
    expect(await statuses(key)).toEqual(all([200, 201]));
    await end(id);
    expect(await statuses(key)).toEqual(all([401, 401]));
  });

  it("is refused by each of them once the overlap of its rotation has ended, and its replacement isn't", async () => {
    await newOwner();
    const { id, key } = await create();
    const replacement = await rotate(id, 1);
    world.tick(hour - 2 * clockError);
    for (const each of [key, replacement.key]) expect(await statuses(each)).toEqual(all([200, 201]));
    world.tick(3 * clockError);
    expect(await statuses(key)).toEqual(all([401, 401]));
    expect(await statuses(replacement.key)).toEqual(all([200, 201]));
  });
});

describe("a person whom every edge has just served", () => {
  let person: SessionClient;

  const at = (edge: Edge) =>
    new SessionClient(edge.service, person.workspaceId, person.userId, person.cookie);

  /** The answers that the person gets everywhere: reading and writing by the API, then in the dashboard. */
  const statuses = () =>
    everywhere(async (edge) => {
      const header = { "x-workspace": person.workspaceId };
      const template = { name: `T ${crypto.randomUUID()}` };
      const read = await at(edge).send("GET", "/developer/templates", undefined, header);
      const written = await at(edge).send("POST", "/developer/templates", template, header);
      const browser = new Browser(edge.service);
      browser.cookies.set("session", person.cookie.replace("session=", ""));
      const page = await browser.open("/dashboard/folders");
      const folder = await browser.submit("/dashboard/folders", { name: `F ${crypto.randomUUID()}` });
      return [read.status, written.status, ...[page, folder].map(statusOrSignIn)];
    });

  const statusOrSignIn = ({ status, headers }: Response) =>
    headers.get("location")?.includes("/sign-in") ? "sign in" : status;

  const served = [200, 201, 200, 303];
  const forbidden = [403, 403, 403, 403];
  const signedOut = [401, 401, "sign in", "sign in"];

  async function serve(): Promise<void> {
    await newOwner();
    person = await first.service.sessionIn(owner.workspaceId, "editor");
    expect(await statuses()).toEqual(all(served));
  }

  /** Sends the dashboard a form from the first edge. */
  const submit = (path: string) => {
    const browser = new Browser(first.service);
    browser.cookies.set("session", person.cookie.replace("session=", ""));
    return browser.submit(path, {});
  };

  it.each<[string, (string | number)[], () => Promise<Response>]>([
    ["they were removed", forbidden, () => owner.send("DELETE", `/developer/members/${person.userId}`)],
    ["they left", forbidden, () => person.send("POST", "/developer/workspace/leave")],
    ["they deleted their account", signedOut, deleteAccount],
    ["the session was ended", signedOut, endSession],
    ["they signed out", signedOut, () => submit("/dashboard/sign-out")],
    ["they signed out everywhere", signedOut, () => submit("/dashboard/sign-out-everywhere")],
  ])("is refused by each of them at the next request once %s", async (_, answers, end) => {
    await serve();
    expect((await end()).status).toBeLessThan(400);
    expect(await statuses()).toEqual(all(answers));
  });

  it("can only read at each of them from the next request on once they are a viewer", async () => {
    await serve();
    const body = { role: "viewer" };
    expect((await owner.send("PATCH", `/developer/members/${person.userId}`, body)).status).toBe(200);
    expect(await statuses()).toEqual(all([200, 403, 200, 403]));
  });

  it("who is removed can act in their own workspace, and at no edge in this one", async () => {
    await serve();
    const open = new Service({ settings: { signUp: "open" } });
    const joining = await open.sessionOf(person.userId, person.workspaceId);
    const elsewhere = await joining.expect(201, OwnWorkspace, "POST", "/developer/workspaces", {
      name: "Own",
    });
    expect((await owner.send("DELETE", `/developer/members/${person.userId}`)).status).toBe(200);
    // The API refuses the workspace that is named; the dashboard shows the other one.
    expect(await statuses()).toEqual(all([403, 403, 200, 303]));
    const inside = await env.DB.prepare("SELECT count(*) AS n FROM folders WHERE workspace_id = ?")
      .bind(elsewhere.id)
      .first("n");
    expect(inside).toBe(world.edges.length);
  });

  async function deleteAccount(): Promise<Response> {
    await env.DB.prepare("UPDATE users SET name = 'Ada' WHERE id = ?").bind(person.userId).run();
    return person.send("POST", "/developer/account/deletion", { email: "Ada", codes: "stop" });
  }

  async function endSession(): Promise<Response> {
    const another = await person.again();
    const { sessions } = await another.expect(200, SessionList, "GET", "/developer/sessions");
    const session = sessions.find(({ current }) => !current);
    return another.send("DELETE", `/developer/sessions/${session?.id}`);
  }
});

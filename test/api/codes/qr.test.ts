import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Deleted, Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { type Client, emittedEvents, FakeClock, Service } from "../../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

/** Events of one code, oldest first. */
const eventsOf = (qrId: string) =>
  emittedEvents()
    .filter((event) => event.data.id === qrId)
    .map(({ kind, data }) => ({ kind, data }));

describe("creating", () => {
  it("answers the code, active, with its scan URL", async () => {
    const qr = await client.createQr({ name: "Menü 🍕", tags: ["a", "b", "a"] });
    expect(qr).toMatchObject({
      qrType: "url",
      name: "Menü 🍕",
      folderId: null,
      tags: ["a", "b"],
      status: "active",
    });
    expect(qr.scanUrl).toBe(`${service.deps.settings.scanOrigin}/${qr.hash}`);
    expect(qr.createdAt).toBe(new Date(clock.now()).toISOString());
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(qr);
  });

  it("stores the design and free-form values", async () => {
    const design = { colorConfig: { dotsColor: "#123456", glow: 3 }, shape: "circle", advanced: { a: [1] } };
    const qr = await client.createQr(design as object);
    const row = await env.DB.prepare(
      "SELECT color_config, shape, advanced, template_id FROM qr_codes WHERE id = ?",
    )
      .bind(qr.id)
      .first();
    expect(row).toEqual({
      color_config: JSON.stringify(design.colorConfig),
      shape: "circle",
      advanced: JSON.stringify(design.advanced),
      template_id: null,
    });
  });

  it("emits qr.created", async () => {
    const qr = await client.createQr();
    expect(eventsOf(qr.id)).toEqual([{ kind: "qr.created", data: qr }]);
  });

  it("files into a folder of the workspace", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Spring" });
    expect((await client.createQr({ folderId: folder.id })).folderId).toBe(folder.id);
  });

  it("tries another hash when the first exists already", async () => {
    const taken = await client.createQr();
    // The next random bytes yield the existing hash; later ones are random again.
    const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
    const original = crypto.getRandomValues.bind(crypto);
    let spelled = 0;
    crypto.getRandomValues = ((array: Uint8Array) => {
      if (array.length !== 8 || spelled > 0) return original(array);
      spelled += 1;
      array.set([...taken.hash].map((char) => alphabet.indexOf(char)));
      return array;
    }) as typeof crypto.getRandomValues;
    try {
      const qr = await client.createQr();
      expect(spelled).toBe(1);
      expect(qr.hash).not.toBe(taken.hash);
      expect(eventsOf(qr.id).map((event) => event.kind)).toEqual(["qr.created"]);
    } finally {
      crypto.getRandomValues = original;
    }
  });
});

describe("changing", () => {
  it("changes only the given fields", async () => {
    const qr = await client.createQr({ name: "Old", tags: ["x"] });
    clock.advance(1000);
    const updated = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { name: "New" });
    expect(updated).toEqual({ ...qr, name: "New", updatedAt: new Date(clock.now()).toISOString() });
    expect(await client.expect(200, Qr, "GET", `/qr/${qr.id}`)).toEqual(updated);
  });

  it("clears a name and a folder with null", async () => {
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "Autumn" });
    const qr = await client.createQr({ name: "Old", folderId: folder.id });
    const cleared = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { name: null, folderId: null });
    expect(cleared).toMatchObject({ name: null, folderId: null });
  });

  it("emits one qr.updated that names the changed fields", async () => {
    const qr = await client.createQr({ name: "Old" });
    const updated = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, {
      name: "New",
      tags: ["t"],
      status: "paused",
      data: { type: "url", url: "example.org" },
      colorConfig: { dotsColor: "red" },
    });
    const [, event, ...more] = eventsOf(qr.id);
    expect(more).toEqual([]);
    expect(event?.kind).toBe("qr.updated");
    expect(event?.data).toEqual({
      ...updated,
      changed: expect.arrayContaining(["name", "tags", "status", "data", "colorConfig"]),
    });
    expect(event?.data.changed).toHaveLength(5);
  });

  it("treats equal values as no change", async () => {
    const qr = await client.createQr({ name: "Same", tags: ["t"], colorConfig: { dotsColor: "red", b: 1 } });
    clock.advance(1000);
    const again = await client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, {
      name: "Same",
      tags: ["t"],
      status: "active",
      data: { type: "url", url: "https://example.com/" },
      colorConfig: { b: 1, dotsColor: "red" },
      unknown: "ignored",
    });
    expect(again).toEqual(qr);
    expect(eventsOf(qr.id)).toHaveLength(1);
  });

  it("applies all concurrent updates, one after the other", async () => {
    const qr = await client.createQr();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { name: `Name ${i}` }),
      ),
    );
    expect(new Set(answers.map((answer) => answer.name)).size).toBe(8);
    const events = eventsOf(qr.id);
    expect(events).toHaveLength(9);
    const { version } = (await env.DB.prepare("SELECT version FROM qr_codes WHERE id = ?")
      .bind(qr.id)
      .first()) as {
      version: number;
    };
    expect(version).toBe(9);
    const now = await client.expect(200, Qr, "GET", `/qr/${qr.id}`);
    expect(events.map((event) => event.data.name)).toContain(now.name);
  });

  it("refuses another type", async () => {
    const qr = await client.createQr();
    const response = await client.send("PATCH", `/qr/${qr.id}`, {
      data: { type: "vcard", firstName: "Ada" },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("data"),
    });
  });
});

describe("deleting", () => {
  it("hides the code, keeps its row, emits qr.deleted once", async () => {
    const qr = await client.createQr({ tags: ["gone"] });
    expect(await client.expect(200, Deleted, "DELETE", `/qr/${qr.id}`)).toEqual({ success: true });
    for (const method of ["GET", "DELETE"])
      expect((await client.send(method, `/qr/${qr.id}`)).status).toBe(404);
    expect((await client.send("PATCH", `/qr/${qr.id}`, { name: "x" })).status).toBe(404);
    const { items } = await client.expect(200, QrList, "GET", "/qr?tag=gone");
    expect(items).toEqual([]);
    expect(eventsOf(qr.id).map((event) => event.kind)).toEqual(["qr.created", "qr.deleted"]);
    expect(await env.DB.prepare("SELECT hash FROM qr_codes WHERE id = ?").bind(qr.id).first()).toEqual({
      hash: qr.hash,
    });
  });
});

describe("listing", () => {
  it("pages newest first, each code once, even while codes are added", async () => {
    const own = await service.workspace();
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      clock.advance(1);
      made.unshift((await own.createQr({ name: `Code ${i}` })).id);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await own.expect(200, QrList, "GET", `/qr?limit=3${cursor && `&cursor=${cursor}`}`);
      expect(page.items.length).toBeLessThanOrEqual(3);
      seen.push(...page.items.map((qr) => qr.id));
      cursor = page.nextCursor ?? "";
      clock.advance(1);
      await own.createQr({ name: "Later" });
    } while (cursor !== "");
    expect(seen).toEqual(made);
  });

  it("ends with a null cursor, even when the last page is full", async () => {
    const own = await service.workspace();
    await own.createQr();
    await own.createQr();
    expect((await own.expect(200, QrList, "GET", "/qr?limit=2")).nextCursor).toBeNull();
    expect((await own.expect(200, QrList, "GET", "/qr?limit=1")).nextCursor).toBeTypeOf("string");
  });

  it("filters by folder, tag, type and name, alone and together", async () => {
    const own = await service.workspace();
    const folder = await own.expect(201, Folder, "POST", "/folders", { name: "F" });
    const both = await own.createQr({ name: "100% Both", folderId: folder.id, tags: ["red", "big"] });
    const tagged = await own.createQr({ name: "Tagged", tags: ["red"] });
    const filed = await own.createQr({ name: "Filed", folderId: folder.id });
    const list = async (query: string) =>
      (await own.expect(200, QrList, "GET", `/qr?${query}`)).items.map((qr) => qr.id).sort();
    expect(await list(`folderId=${folder.id}`)).toEqual([both.id, filed.id].sort());
    expect(await list("tag=red")).toEqual([both.id, tagged.id].sort());
    expect(await list(`tag=red&folderId=${folder.id}`)).toEqual([both.id]);
    expect(await list(`tag=big&folderId=${folder.id}&qrType=url&q=both`)).toEqual([both.id]);
    expect(await list("qrType=url")).toHaveLength(3);
    expect(await list("qrType=vcard")).toEqual([]);
    expect(await list("q=0%25")).toEqual([both.id]);
    expect(await list(`q=${"x".repeat(200)}`)).toEqual([]);
    expect(await list("tag=none")).toEqual([]);
    expect(await list(`folderId=${crypto.randomUUID()}`)).toEqual([]);
  });

  it("follows a change of tags", async () => {
    const own = await service.workspace();
    const qr = await own.createQr({ tags: ["old", "kept"] });
    await own.expect(200, Qr, "PATCH", `/qr/${qr.id}`, { tags: ["kept", "new"] });
    const tagged = async (tag: string) =>
      (await own.expect(200, QrList, "GET", `/qr?tag=${tag}`)).items.length;
    expect([await tagged("old"), await tagged("kept"), await tagged("new")]).toEqual([0, 1, 1]);
  });

  it("clamps the limit to 100 and refuses anything but positive integers", async () => {
    const own = await service.workspace();
    for (const limit of ["100000", "9".repeat(400)]) {
      expect((await own.send("GET", `/qr?limit=${limit}`)).status).toBe(200);
    }
    for (const limit of ["0", "-1", "1.5", "x", "", "1e2"]) {
      const response = await own.send("GET", `/qr?limit=${limit}`);
      expect([limit, response.status]).toEqual([limit, 400]);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining("limit") });
    }
  });

  it("refuses broken cursors and cursors of another filter", async () => {
    const own = await service.workspace();
    await own.createQr({ tags: ["a"] });
    await own.createQr({ tags: ["a"] });
    const { nextCursor } = await own.expect(200, QrList, "GET", "/qr?tag=a&limit=1");
    expect((await own.send("GET", `/qr?tag=a&cursor=${nextCursor}`)).status).toBe(200);
    for (const query of [
      `tag=b&cursor=${nextCursor}`,
      `cursor=${nextCursor}`,
      "cursor=garbage",
      "cursor=e30",
      "cursor=",
    ]) {
      const response = await own.send("GET", `/qr?${query}`);
      expect([query, response.status]).toEqual([query, 400]);
      expect(await response.json()).toMatchObject({ error: expect.stringContaining("cursor") });
    }
  });

  it("shows only the workspace's own codes", async () => {
    const [mine, theirs] = [await service.workspace(), await service.workspace()];
    const qr = await mine.createQr({ tags: ["shared-name"] });
    expect((await theirs.expect(200, QrList, "GET", "/qr?tag=shared-name")).items).toEqual([]);
    expect((await theirs.send("GET", `/qr/${qr.id}`)).status).toBe(404);
  });
});

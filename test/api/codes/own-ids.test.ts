import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Deleted, Qr, QrList } from "../../../src/contract/resources/codes/qr.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { expectError } from "../../support/endpoints.ts";
import { type Client, emittedEvents, FakeClock, Service } from "../../support/service.ts";

const service = new Service({ now: new FakeClock().now });
let client: Client;

const newWorkspace = async (): Promise<void> => {
  client = await service.workspace();
};

const inPath = (id: string) => `/qr/by-external-id/${id}`;
const inQuery = (id: string) => `/qr?${new URLSearchParams({ externalId: id })}`;
const to = (url: string, more: object = {}) => ({ qrType: "url", data: { type: "url", url }, ...more });
const put = (id: string, body: object, headers: Record<string, string> = {}) =>
  client.send("PUT", inQuery(id), body, headers);
const changes = async () =>
  (await client.expect(200, HistoryList, "GET", `/developer/history`)).items.map(({ action }) => action);

describe("PUT by own id", () => {
  beforeEach(newWorkspace);

  it("creates a code, changes it to what is sent, and changes nothing when it is repeated", async () => {
    client = await service.client(client.workspaceId, ["qr:write", "history:read"]);
    const body = to("https://example.com/1", { name: "Menu", tags: ["summer"] });
    const created = await put("SKU-1", body);
    expect([created.status, created.headers.get("etag")]).toEqual([201, '"1"']);
    const qr = Qr.parse(await created.json());
    expect(qr).toMatchObject({ externalId: "SKU-1", name: "Menu", tags: ["summer"] });

    const repeated = await put("SKU-1", body);
    expect([repeated.status, repeated.headers.get("etag"), await repeated.json()]).toEqual([200, '"1"', qr]);
    const changed = await put("SKU-1", {
      data: { type: "url", url: "https://example.com/2" },
      tags: [],
    });
    expect(changed.status).toBe(200);
    expect(Qr.parse(await changed.json())).toMatchObject({
      ...{ id: qr.id, hash: qr.hash, name: "Menu", tags: [] },
      data: { url: "https://example.com/2" },
    });
    expect(await changes()).toEqual(["code.updated", "code.created"]);
    const sentBack = await client.expect(200, Qr, "GET", inPath("SKU-1"));
    expect(Qr.parse(await (await put("SKU-1", sentBack)).json())).toEqual(sentBack);
    expect(await changes()).toHaveLength(2);
  });

  it("makes one code of several at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => put("SKU-1", to(`https://example.com/${i}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201]);
    const { items } = await client.expect(200, QrList, "GET", "/qr");
    expect(items).toHaveLength(1);
    const codes = await Promise.all(answers.map(async (answer) => Qr.parse(await answer.json())));
    expect(new Set(codes.map(({ id }) => id)).size).toBe(1);
  });

  it("only creates or only changes, if the request says so", async () => {
    const body = to("https://example.com/");
    const missing = await put("SKU-1", body, { "if-match": "*" });
    await expectError(missing, 412, "invalid_input");
    expect((await put("SKU-1", body, { "if-none-match": "*" })).status).toBe(201);
    const exists = await put("SKU-1", to("https://example.com/2"), { "if-none-match": "*" });
    expect([exists.status, await exists.json()]).toMatchObject([
      412,
      { current: { externalId: "SKU-1", data: { url: "https://example.com/" } } },
    ]);
    expect((await put("SKU-1", { name: "A" }, { "if-match": '"1"' })).status).toBe(200);
    expect((await put("SKU-1", { name: "B" }, { "if-match": '"1"' })).status).toBe(412);
    for (const headers of [{ "if-none-match": '"1"' }, { "if-none-match": "*", "if-match": "*" }]) {
      expect(await expectError(await put("SKU-1", body, headers), 400, "invalid_input")).toContain(
        "If-None-Match",
      );
    }
  });

  it("names what a new code lacks, and what an existing one can't change", async () => {
    for (const body of [{}, { name: "A" }, { qrType: "url" }]) {
      const error = await expectError(await put("SKU-1", body), 400, "invalid_input");
      expect(error).toContain("No QR code has this externalId yet.");
    }
    await put("SKU-1", to("https://example.com/"));
    expect((await put("SKU-1", {})).status).toBe(200);
    for (const [body, field] of [
      [{ qrType: "email" }, "qrType"],
      [{ data: { type: "email", to: "a@example.com" } }, "data.type"],
      [{ hash: "another-name" }, "hash"],
      [{ externalId: "SKU-2" }, "externalId"],
      [{ externalId: null }, "externalId"],
    ] as const) {
      expect(await expectError(await put("SKU-1", body), 400, "invalid_input")).toContain(field);
    }
  });

  it("never touches another workspace's code", async () => {
    const other = await service.workspace();
    await other.createQr({ externalId: "SKU-1" });
    expect((await client.send("GET", inPath("SKU-1"))).status).toBe(404);
    expect((await client.send("DELETE", inPath("SKU-1"))).status).toBe(404);
    expect((await put("SKU-1", to("https://example.com/mine"))).status).toBe(201);
    expect((await other.expect(200, Qr, "GET", inPath("SKU-1"))).data).not.toMatchObject({
      url: "https://example.com/mine",
    });
  });
});

describe("an own id", () => {
  beforeEach(newWorkspace);

  it("is unique among codes, however it is given", async () => {
    const { id } = await client.createQr({ externalId: "SKU-1" });
    const other = await client.createQr();
    const again = await client.send("POST", "/qr", to("https://example.com/", { externalId: " SKU-1 " }));
    expect(await expectError(again, 409, "invalid_input")).toContain(id);
    const change = await client.send("PATCH", `/qr/${other.id}`, { externalId: "SKU-1" });
    expect(await expectError(change, 409, "invalid_input")).toContain(id);
    expect((await client.send("PATCH", `/qr/${other.id}`, { externalId: "sku-1" })).status).toBe(200);
    expect((await client.send("PATCH", `/qr/${id}`, { externalId: null })).status).toBe(200);
    expect((await client.send("PATCH", `/qr/${other.id}`, { externalId: "SKU-1" })).status).toBe(200);
  });

  it("isn't copied with its code, and is given by one row of a file", async () => {
    const qr = await client.createQr({ externalId: "SKU-1" });
    const copy = await client.expect(201, Qr, "POST", "/qr", qr);
    expect([copy.externalId, copy.hash === qr.hash]).toEqual([null, false]);
    await client.expect(200, Deleted, "DELETE", inPath("SKU-1"));
    await client.expect(200, Deleted, "POST", `/qr/${qr.id}/erase`);
    const again = await put("SKU-1", qr);
    expect([again.status, Qr.parse(await again.json()).externalId]).toEqual([201, "SKU-1"]);
  });

  it("is taken once by many that want it at once", async () => {
    const codes = await Promise.all(Array.from({ length: 6 }, () => client.createQr()));
    const answers = await Promise.all(
      codes.map(({ id }) => client.send("PATCH", `/qr/${id}`, { externalId: "SKU-1" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(409)]);
    const creations = await Promise.all(
      Array.from({ length: 6 }, () =>
        client.send("POST", "/qr", to("https://e.example/", { externalId: "B" })),
      ),
    );
    expect(creations.map(({ status }) => status).sort()).toEqual([201, ...Array(5).fill(409)]);
  });

  it("is held by a deleted code until that is erased, and restored with it", async () => {
    await put("SKU-1", to("https://example.com/"));
    const { id } = await client.expect(200, Qr, "GET", inPath("SKU-1"));
    await client.expect(200, Deleted, "DELETE", inQuery("SKU-1"));
    expect((await client.send("GET", inPath("SKU-1"))).status).toBe(404);
    expect((await client.send("DELETE", inPath("SKU-1"))).status).toBe(404);
    const held = await expectError(await put("SKU-1", to("https://example.com/2")), 409, "invalid_input");
    expect(held).toContain(`${id}. Restore it or erase it first.`);
    expect((await client.expect(200, Qr, "POST", `/qr/${id}/restore`)).externalId).toBe("SKU-1");
    await expectError(await client.send("POST", `/qr/${id}/erase`), 409, "invalid_input");
    await client.expect(200, Deleted, "DELETE", inPath("SKU-1"));
    await client.expect(200, Deleted, "POST", `/qr/${id}/erase`);
    expect((await client.send("POST", `/qr/${id}/erase`)).status).toBe(404);
    expect((await client.send("POST", `/qr/${id}/restore`)).status).toBe(404);
    const answer = await put("SKU-1", to("https://example.com/2"));
    expect([answer.status, Qr.parse(await answer.json()).id === id]).toEqual([201, false]);
  });

  it("is in the code, its list and its events, and is put back by an undo", async () => {
    client = await service.client(client.workspaceId, ["qr:write", "history:read"]);
    const { id } = await client.createQr({ externalId: "A" });
    await client.send("PATCH", `/qr/${id}`, { externalId: "B" });
    const { items } = await client.expect(200, HistoryList, "GET", `/qr/${id}/history`);
    expect(items[0]?.changes).toEqual({ externalId: { before: "A", after: "B" } });
    const reported = emittedEvents().flatMap(({ kind, data }) =>
      kind === "qr.updated" && data.id === id ? [data] : [],
    );
    expect(reported).toMatchObject([{ externalId: "B", changed: ["externalId"] }]);
    const other = await client.createQr({ externalId: "A" });
    const undo = () => client.send("POST", `/developer/history/${items[0]?.id}/revert`);
    expect(await expectError(await undo(), 409, "invalid_input")).toContain(other.id);
    await client.send("PATCH", `/qr/${other.id}`, { externalId: null });
    expect((await undo()).status).toBe(200);
    expect((await client.expect(200, Qr, "GET", `/qr/${id}`)).externalId).toBe("A");
  });
});

/** Ids as hostile clients send them, with what is stored; null where the id is refused. */
const hostile: readonly (readonly [name: string, id: string, stored: string | null])[] = [
  ["dots", "..", ".."],
  ["one dot", ".", "."],
  ["a slash", "a/b", "a/b"],
  ["an escaped slash", "%2f", "%2f"],
  ["a query", "?externalId=x&y#z", "?externalId=x&y#z"],
  ["128 astral characters", "😀".repeat(128), "😀".repeat(128)],
  ["129 astral characters", "😀".repeat(129), null],
  ["129 letters", "x".repeat(129), null],
  ["spaces around", "  a b\u00a0", "a b"],
  ["only spaces", " \u2003 ", null],
  ["nothing", "", null],
  ["NUL", "a\u0000b", null],
  ["a line break", "a\nb", null],
  ["a line separator", "a\u2028b", null],
  ["half a surrogate", "a\ud83d", null],
  ["a letter with its accent apart", "Cafe\u0301", "Café"],
  ["a formula", "=1+1", "=1+1"],
  ["SQL", "'; DROP TABLE qr_codes; --", "'; DROP TABLE qr_codes; --"],
  ["a prototype", "__proto__", "__proto__"],
  ["invisible characters around", "\u202eabc\ufeff", "abc"],
  ["an invisible character inside", "a\u200bb", null],
];

/** The workspaces of ids in bodies and in paths, because a deleted code holds its id, and a code that ids in paths never reach. */
let inBodies: Client;
let inPaths: Client;
let untouched: Qr;
beforeAll(async () => {
  inBodies = await service.workspace();
  inPaths = await service.workspace();
  untouched = await inPaths.createQr();
});

describe.each(hostile)("the id of %s", (name, id, stored) => {
  it("is stored without what nobody sees, or refused by name, in a body and in a query", async () => {
    client = inBodies;
    const body = to("https://example.com/", { externalId: id });
    const inBody = await client.send("POST", "/qr", body);
    if (stored === null) {
      expect(await expectError(inBody, 400, "invalid_input")).toContain("externalId");
      // A query can't have half a surrogate: it arrives as the replacement character.
      if (name === "half a surrogate") return;
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await client.send(method, inQuery(id), method === "PUT" ? body : undefined);
        expect(await expectError(answer, 400, "invalid_input")).toContain("externalId");
      }
      return;
    }
    const qr = Qr.parse(await inBody.json());
    expect(qr.externalId).toBe(stored);
    expect((await put(id, to("https://example.com/", { name: "Found" }))).status).toBe(200);
    const { items } = await client.expect(200, QrList, "GET", inQuery(id));
    expect(items).toMatchObject([{ id: qr.id, name: "Found", externalId: stored }]);
    await client.expect(200, Deleted, "DELETE", inQuery(id));
  });

  it("is found in a path if it consists of safe characters, and never reaches another path", async () => {
    client = inPaths;
    const isSafe = stored !== null && /^(?!\.+$)[A-Za-z0-9._~:@-]+$/.test(stored);
    const qr = stored === null ? undefined : await client.createQr({ externalId: id });
    const paths = [inPath(encodeURIComponent(id.toWellFormed())), inPath(id.toWellFormed())];
    for (const path of paths) {
      const read = await client.send("GET", path);
      if (isSafe) expect(Qr.parse(await read.json()).id).toBe(qr?.id);
      else expect([200, 400, 404]).toContain(read.status);
    }
    for (const path of isSafe ? paths.slice(1) : paths) {
      const removed = await client.send("DELETE", path);
      expect(isSafe ? [200] : [400, 404, 405]).toContain(removed.status);
    }
    await client.expect(200, Qr, "GET", `/qr/${untouched.id}`);
    if (qr !== undefined && !isSafe) await client.expect(200, Qr, "GET", `/qr/${qr.id}`);
  });
});

it("no path by an own id is the path of an endpoint, and none is another's in capital letters", async () => {
  await newWorkspace();
  for (const id of ["image", "scans", "history", "analytics", "restore", "live", "bulk", "jobs", "Image"]) {
    const { id: made } = await client.createQr({ externalId: id });
    expect((await client.expect(200, Qr, "GET", inPath(id))).id).toBe(made);
    await client.expect(200, Deleted, "DELETE", inPath(id));
    expect((await client.send("GET", `/qr/${made}`)).status).toBe(404);
  }
  await client.createQr({ externalId: "menu" });
  for (const method of ["GET", "DELETE"]) {
    expect((await client.send(method, inPath("MENU"))).status).toBe(404);
  }
});

it.each(["DELETE", "PUT"])("%s without exactly one own id in the query is refused", async (method) => {
  await newWorkspace();
  const body = method === "PUT" ? to("https://example.com/") : undefined;
  await client.createQr({ externalId: "a" });
  for (const query of ["", "?", "?externalId=", "?externalId=a&externalId=b", "?externalId=a&externalId=a"]) {
    const error = await expectError(await client.send(method, `/qr${query}`, body), 400, "invalid_input");
    expect(error).toContain("externalId");
  }
  await client.expect(200, Qr, "GET", inPath("a"));
});

describe("the filters of a list", () => {
  const found = async (filter: Record<string, string>) => {
    const { items } = await client.expect(200, QrList, "GET", `/qr?${new URLSearchParams(filter)}`);
    return items.map(({ name }) => name);
  };
  let scanUrl: string;
  let hash: string;

  beforeAll(async () => {
    await newWorkspace();
    await client.createQr({ name: "Shop", data: { type: "url", url: "https://Shop.example:8443/a?b#c" } });
    await client.createQr({ name: "Bare", data: { type: "url", url: "https://shop.example?x=1" } });
    await client.createQr({
      ...{ name: "App", qrType: "applink" },
      data: { type: "applink", ios: "https://apps.example/1", fallback: "http://shop.example/app" },
    });
    const menu = await client.createQr({
      name: "Menu",
      hash: `menu-${newId(0).slice(-8)}`,
      externalId: "M 1",
    });
    await client.createQr({ name: "Mail", qrType: "email", data: { type: "email", to: "a@shop.example" } });
    ({ scanUrl, hash } = menu);
  });

  it("find a code by own id, short name and pasted short link", async () => {
    expect(await found({ externalId: " M 1" })).toEqual(["Menu"]);
    expect(await found({ externalId: "m 1" })).toEqual([]);
    expect(await found({ hash: hash.toUpperCase() })).toEqual(["Menu"]);
    const { host } = new URL(scanUrl);
    for (const text of [
      ...[scanUrl, ` ${scanUrl}/ `, `http://${host}/${hash.toUpperCase()}`, `${host}/${hash}?utm_source=a#b`],
      ...[`HTTPS://${host.toUpperCase()}/${hash}`, `${scanUrl}.svg`],
    ]) {
      expect([text, await found({ scanUrl: text })]).toEqual([text, ["Menu"]]);
    }
    expect(await found({ scanUrl, hash: "another" })).toEqual([]);
    for (const [filter, text] of [
      ["scanUrl", "https://other.example/menu"],
      ["scanUrl", "menu"],
      ["hash", "no such name"],
      ["destination", "ftp://a"],
      ["destinationHost", "shop.example/a"],
      ["destinationHost", "a b"],
    ] as const) {
      const answer = await client.send("GET", `/qr?${new URLSearchParams({ [filter]: text })}`);
      expect(await expectError(answer, 400, "invalid_input")).toContain(filter);
    }
  });

  it("find codes by the whole address and by host, with others, page by page", async () => {
    expect(await found({ destination: "https://Shop.example:8443/a?b#c" })).toEqual(["Shop"]);
    expect(await found({ destination: "https://shop.example?x=1" })).toEqual(["Bare"]);
    expect(await found({ destination: "shop.example" })).toEqual([]);
    expect(await found({ destinationHost: "SHOP.example" })).toEqual(["App", "Bare"]);
    expect(await found({ destinationHost: "shop.example:8443" })).toEqual(["Shop"]);
    expect(await found({ destinationHost: "apps.example" })).toEqual([]);
    expect(await found({ destinationHost: "shop.example", qrType: "url" })).toEqual(["Bare"]);
    const first = await client.expect(200, QrList, "GET", "/qr?destinationHost=shop.example&limit=1");
    const next = `/qr?destinationHost=shop.example&limit=1&cursor=${first.nextCursor}`;
    expect((await client.expect(200, QrList, "GET", next)).items).toMatchObject([{ name: "Bare" }]);
  });

  it("select the codes of a bulk update, and none by mistake", async () => {
    const body = (filter: object) => ({ filter, change: { addTags: ["new"] }, dryRun: true });
    const matched = async (filter: object) =>
      (await (await client.send("POST", "/qr/bulk-update", body(filter))).json<{ matched: number }>())
        .matched;
    expect(await matched({ scanUrl })).toBe(1);
    expect(await matched({ destinationHost: "shop.example" })).toBe(2);
    expect(await matched({ externalId: "M 1" })).toBe(1);
    expect(await matched({ scanUrl, hash: "another" })).toBe(0);
    const wrong = await client.send(
      "POST",
      "/qr/bulk-update",
      body({ scanUrl: "https://elsewhere.example/a" }),
    );
    expect(await expectError(wrong, 400, "invalid_input")).toContain("scanUrl");
  });

  it("read few rows among many codes", async () => {
    const { workspaceId } = client;
    await env.DB.prepare(
      `INSERT INTO qr_codes (id, workspace_id, hash, version, qr_type, data, tags, status, created_at, updated_at)
       SELECT ?1 || printf('%012d', value), ?2, ?3 || value, 1, 'url',
         json_object('type', 'url', 'url', 'https://many.example/' || value), '[]', 'active', 0, 0
       FROM (WITH RECURSIVE numbers(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 2000)
         SELECT value FROM numbers)`,
    )
      .bind(newId(0).slice(0, 24), workspaceId, newId(0).slice(-6))
      .run();
    for (const [sql, index] of [
      ["destination = 'https://many.example/7'", "qr_codes_destination"],
      ["destination_host = 'many.example'", "qr_codes_destination_host"],
      ["external_id = 'M 1'", "qr_codes_external_id"],
    ] as const) {
      const { results } = await env.DB.prepare(
        `EXPLAIN QUERY PLAN SELECT * FROM qr_codes c WHERE c.deleted_at IS NULL AND c.workspace_id = '${workspaceId}'
         AND c.${sql} ORDER BY c.id DESC LIMIT 25`,
      ).all<{ detail: string }>();
      expect(results.map(({ detail }) => detail).join()).toContain(`${index} `);
    }
    expect(await found({ destination: "https://many.example/7" })).toHaveLength(1);
  });

  it("follow a change, and forget a deleted code", async () => {
    const [menu] = (await client.expect(200, QrList, "GET", `/qr?hash=${hash}`)).items;
    await client.send("PATCH", `/qr/${menu?.id}`, { data: { type: "url", url: "https://new.example/" } });
    expect(await found({ destinationHost: "new.example" })).toEqual(["Menu"]);
    await client.send("DELETE", `/qr/${menu?.id}`);
    expect(await found({ destinationHost: "new.example" })).toEqual([]);
  });
});

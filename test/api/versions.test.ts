import { beforeAll, describe, expect, it } from "vitest";
import { type Client, Service, type SessionClient } from "../support/service.ts";

const service = new Service();
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  session = await service.session();
  client = await service.workspace();
});

const code = { qrType: "url", data: { type: "url", url: "example.com/1" } };

const kinds = [
  { kind: "codes", path: "/qr", input: code, change: { name: "One" }, other: { name: "Other" } },
  {
    kind: "pages",
    path: "/developer/pages",
    input: { title: "Menu", blocks: [{ type: "text", text: "Soup" }] },
    change: { title: "One" },
    other: { title: "Other" },
  },
  {
    kind: "templates",
    path: "/developer/templates",
    input: { name: "Red", colorConfig: { dotsColor: "#900" } },
    change: { name: "One" },
    other: { name: "Other" },
  },
];

describe.each(kinds)("$kind", ({ path, input, change, other }) => {
  const send = (method: string, at: string, body?: unknown, ifMatch?: string) =>
    (path === "/qr" ? client : session).send(
      method,
      at,
      body,
      ifMatch === undefined ? undefined : { "if-match": ifMatch },
    );
  const created = async () => {
    const answer = await send("POST", path, input);
    const { id } = (await answer.json()) as { id: string };
    return { at: `${path}/${id}`, tag: answer.headers.get("etag") ?? "" };
  };
  const tagAt = async (at: string) => (await send("GET", at)).headers.get("etag");

  it("answer with their version, which each change raises", async () => {
    const { at, tag } = await created();
    expect([tag, await tagAt(at)]).toEqual(['"1"', '"1"']);
    expect((await send("PATCH", at, change)).headers.get("etag")).toBe('"2"');
    expect((await send("PATCH", at, change)).headers.get("etag")).toBe('"2"');
    expect(await tagAt(at)).toBe('"2"');
  });

  it("are changed only from a version that If-Match names", async () => {
    const { at, tag } = await created();
    expect((await send("PATCH", at, change, tag)).status).toBe(200);
    const refused = await send("PATCH", at, other, tag);
    const current = await (await send("GET", at)).json();
    expect(current).toMatchObject(change);
    expect([refused.status, refused.headers.get("etag")]).toEqual([412, '"2"']);
    expect(await refused.json()).toEqual({
      error: 'The version is "2", which If-Match doesn\'t name. Apply your change to `current`.',
      code: "invalid_input",
      current,
    });
    for (const [header, status] of [
      ['"1", "3"', 412],
      ['"other"', 412],
      ['"02"', 412],
      ["2", 400],
      ["", 400],
      [" ", 400],
      ['"2', 400],
      ['W/"2"', 200],
      [' "1" , W/"2"', 200],
      ["*", 200],
    ] as const) {
      expect([header, (await send("PATCH", at, change, header)).status]).toEqual([header, status]);
    }
  });

  it("are read and deleted under the same condition", async () => {
    const { at, tag } = await created();
    await send("PATCH", at, change);
    for (const method of ["GET", "DELETE"]) {
      const refused = await send(method, at, undefined, tag);
      expect([refused.status, await refused.json()]).toMatchObject([412, { current: change }]);
    }
    expect((await send("GET", at, undefined, '"2"')).status).toBe(200);
    expect(await (await send("DELETE", at, undefined, '"2"')).json()).toEqual({ success: true });
    for (const header of ["*", '"2"', '"3"']) {
      expect((await send("DELETE", at, undefined, header)).status).toBe(404);
    }
  });

  it("aren't created under a condition", async () => {
    const refused = await send("POST", path, input, "*");
    expect([refused.status, await refused.json()]).toEqual([
      412,
      { error: "If-Match is for existing resources. Create one without it.", code: "invalid_input" },
    ]);
  });
});

it("answers a repeated request before its condition", async () => {
  const create = (ifMatch?: string) =>
    client.send("POST", "/qr", code, {
      "idempotency-key": "poster",
      ...(ifMatch === undefined ? undefined : { "if-match": ifMatch }),
    });
  const first = await create();
  const repeated = await create('"7"');
  expect([repeated.status, repeated.headers.get("etag")]).toEqual([201, '"1"']);
  expect(await repeated.json()).toEqual(await first.json());
});

it("lets one of many changes from the same version through", async () => {
  const { id } = await client.createQr();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      client.send("PATCH", `/qr/${id}`, { name: `Name ${i}` }, { "if-match": '"1"' }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
});

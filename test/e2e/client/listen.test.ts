import type { ServerResponse } from "node:http";
import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { eventScopes as clientScopes } from "../../../clients/typescript/src/cli/commands/webhooks.ts";
import { type Followed, followDeliveries } from "../../../clients/typescript/src/cli/listen/deliveries.ts";
import { isNearby, receiverUrl, sendTo } from "../../../clients/typescript/src/cli/listen/local-receiver.ts";
import { QrCodes, signWebhook, verifyWebhook } from "../../../clients/typescript/src/index.ts";
import { eventScopes } from "../../../src/contract/scopes.ts";
import { json, ScriptedServer, type SeenRequest } from "../support/client/scripted-server.ts";

const secret = "whsec_1";
const payload = { event: "qr.created", deliveryId: "d1", createdAt: "", data: { name: "Zürich \u2028 菜" } };
const never = new AbortController().signal;

it("the command line knows the scope of each kind of event", () => {
  expect(clientScopes).toEqual(eventScopes);
});

it("a body is signed as the service signs it, with each secret", async () => {
  const body = JSON.stringify(payload);
  const signature = await signWebhook(body, [secret, "whsec_2"], Date.now());
  expect(signature).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/);
  for (const each of [secret, "whsec_2"]) {
    expect(Stripe.webhooks.constructEvent(body, signature, each)).toEqual(payload);
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook({ body: bytes, headers: { "x-service-signature": signature } }, each)).toEqual(
      payload,
    );
  }
  await expect(signWebhook(body, "")).rejects.toThrow(TypeError);
});

describe("deliveries are sent nearby", () => {
  it.each([
    ...["127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ...["::1", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.1.2.3"],
  ])("at %s", (address) => {
    expect(isNearby(address)).toBe(true);
    const host = address.includes(":") ? `[${address}]` : address;
    expect(receiverUrl(`http://${host}:9000/hook`, false).port).toBe("9000");
  });

  it.each([
    ...["1.1.1.1", "172.32.0.1", "192.169.0.1", "11.0.0.1", "0.0.0.0", "169.254.169.254", "100.64.0.1"],
    ...["2606:4700::1", "fe80::1", "::ffff:1.1.1.1", "::"],
  ])("not at %s", (address) => {
    expect(isNearby(address)).toBe(false);
    const host = address.includes(":") ? `[${address}]` : address;
    expect(() => receiverUrl(`https://${host}/hook`, false)).toThrow("--public");
    expect(receiverUrl(`https://${host}/hook`, true).pathname).toBe("/hook");
  });

  it.each([
    ["localhost:9000", "http://localhost:9000/"],
    ["localhost:9000/hook?a=1", "http://localhost:9000/hook?a=1"],
    ["127.1:9000", "http://127.0.0.1:9000/"],
    ["https://localhost", "https://localhost/"],
  ])("as in %s", (given, url) => {
    expect(receiverUrl(given, false).href).toBe(url);
  });

  it.each(["", "ftp://localhost", "http://", "a b", "http://0x01010101/", "1.1.1.1"])(
    "not as in %j",
    (given) => {
      expect(() => receiverUrl(given, false)).toThrow(/isn't an address|--public/);
    },
  );
});

describe("a delivery that is sent on", () => {
  const to = (origin: string, secrets = [secret]) => ({
    ...{ url: new URL(`${origin}/hook?a=1`), secrets, headers: { "x-tenant": "harbour" }, isPublic: false },
  });
  const delivery = { id: "d1", event: "qr.created" };

  it("has the bytes and headers of the service, and verifies", async () => {
    await using server = await ScriptedServer.start((_, response) => response.writeHead(204).end());
    const at = to(server.origin.replace("127.0.0.1", "localhost"));
    expect(await sendTo(at, delivery, payload, never)).toMatchObject({ status: 204, error: null });
    const [post] = server.seen;
    expect(post).toMatchObject({ method: "POST", url: "/hook?a=1", body: JSON.stringify(payload) });
    expect(post?.headers).toMatchObject({
      ...{ "content-type": "application/json", "user-agent": "qr-service-webhooks/1" },
      ...{ "x-service-event": "qr.created", "x-service-delivery": "d1", "x-tenant": "harbour" },
    });
    expect(await verifyWebhook({ body: post?.body ?? "", headers: post?.headers ?? {} }, secret)).toEqual(
      payload,
    );
  });

  it.each<[name: string, answer: (response: ServerResponse) => void, error: string | null]>([
    ["200", (response) => response.writeHead(200).end("ok"), null],
    ["an endless body", (response) => response.writeHead(200).write("x".repeat(10_000)), null],
    [
      "a body that breaks off",
      (response) => response.writeHead(200, { "content-length": 9 }).flushHeaders(),
      null,
    ],
    ["500", (response) => response.writeHead(500).end(), "HTTP 500"],
    [
      "400 with a reason",
      (response) => response.writeHead(400).end("bad signature\nmore"),
      "HTTP 400: bad signature",
    ],
    [
      "a long reason",
      (response) => response.writeHead(400).end("x".repeat(9_000)),
      `HTTP 400: ${"x".repeat(80)}`,
    ],
    [
      "a redirect",
      (response) => response.writeHead(302, { location: "https://example.com/" }).end(),
      "HTTP 302",
    ],
    ["no HTTP", (response) => response.socket?.end("nonsense\r\n\r\n"), "Parse Error"],
    ["no answer", (response) => response.socket?.destroy(), "socket hang up"],
  ])("is judged by the status: %s", async (name, answer, error) => {
    await using server = await ScriptedServer.start((_, response) => {
      answer(response);
      if (name === "a body that breaks off") setImmediate(() => response.socket?.destroy());
    });
    const outcome = await sendTo(to(server.origin), delivery, payload, never);
    expect(outcome.error).toEqual(error === null ? null : expect.stringContaining(error));
    expect(server.seen).toHaveLength(1);
  });

  it("fails where nobody listens, and ends at Ctrl-C", async () => {
    const { error } = await sendTo(to("http://127.0.0.1:9"), delivery, payload, never);
    expect(error).toContain("ECONNREFUSED");
    const interrupt = new AbortController();
    await using server = await ScriptedServer.start(() => interrupt.abort());
    await expect(sendTo(to(server.origin), delivery, payload, interrupt.signal)).rejects.toThrow("aborted");
  });
});

describe("the deliveries of a webhook", () => {
  /** A workspace's list of deliveries, as the service has it: ids and times grow with their number. */
  class ScriptedDeliveries implements AsyncDisposable {
    readonly ids: number[] = [];
    /** Answers to come before those of the list. */
    readonly failures: ReturnType<typeof failure>[] = [];
    readonly forbidden = new Set<number>();
    readonly #server: ScriptedServer;
    readonly client: QrCodes;

    private constructor(server: ScriptedServer) {
      this.#server = server;
      this.client = new QrCodes({ key: "sk_live_1", baseUrl: server.origin });
    }

    static async start(): Promise<ScriptedDeliveries> {
      let own: ScriptedDeliveries | undefined;
      const server = await ScriptedServer.start((request, response) => own?.answer(request, response));
      own = new ScriptedDeliveries(server);
      return own;
    }

    get lists(): number {
      return this.#server.seen.filter(({ url }) => /deliveries(\?|$)/.test(url)).length;
    }

    answer({ url }: SeenRequest, response: ServerResponse): void {
      const { pathname, searchParams } = new URL(url, "http://localhost");
      const [, id] = /deliveries\/(\d+)$/.exec(pathname) ?? [];
      const [status, body, headers] = this.failures.shift() ?? [200, undefined, {}];
      if (body !== undefined) json(response, status, body, headers);
      else if (id === undefined) json(response, 200, this.#page(searchParams));
      else if (this.forbidden.has(Number(id))) json(response, ...failure(403, "forbidden"));
      else json(response, 200, { ...itemOf(Number(id)), payload: { id: Number(id) }, attemptLog: [] });
    }

    #page(query: URLSearchParams) {
      const limit = Number(query.get("limit"));
      const from = Date.parse(query.get("from") ?? "2000-01-01");
      const before = Number(query.get("cursor") ?? Number.POSITIVE_INFINITY);
      const all = this.ids.filter((each) => each < before && timeOf(each) >= from).sort((a, b) => b - a);
      const nextCursor = all.length > limit ? String(all[limit - 1]) : null;
      return { items: all.slice(0, limit).map(itemOf), nextCursor };
    }

    /** Reads the next deliveries, while `act` is called once the first list is read. */
    async follow(count: number, act: () => void, options: { from?: string } = {}) {
      const interrupt = new AbortController();
      const [read, notes]: [Followed[], string[]] = [[], []];
      const deliveries = followDeliveries(this.client, "w1", {
        ...options,
        signal: interrupt.signal,
        pauseBetween: 5,
        onReady: act,
        onLeftOut: (newest) => notes.push(`newest ${newest}`),
        onTrouble: ({ name }, milliseconds) => notes.push(`${name} ${milliseconds}`),
      });
      for await (const delivery of deliveries) {
        read.push(delivery);
        if (read.length === count) break;
      }
      return { ids: read.map(({ id }) => Number(id)), read, notes };
    }

    [Symbol.asyncDispose] = () => this.#server[Symbol.asyncDispose]();
  }

  /** Returns an answer of the service. @param code of the error */
  const failure = (status: number, code: string, headers = {}): [number, object | undefined, object] => [
    ...([status, { error: code, code }, headers] as const),
  ];
  const atOnce = { "retry-after": "0" };

  /** A second lies between two. */
  const timeOf = (id: number) => Date.parse("2026-01-31T09:00:00Z") + id * 1_000;
  const itemOf = (id: number) => ({
    id: String(id),
    event: "qr.created",
    createdAt: new Date(timeOf(id)).toISOString(),
  });
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

  it.each<[name: string, before: number[], steps: number[][], found: number[]]>([
    ["none before", [], [[1, 2, 3]], [1, 2, 3]],
    ["one before", [1], [[2]], [2]],
    ["more than a page before", range(1, 150), [[151], [152]], [151, 152]],
    ["more than a page at once", range(1, 10), [range(11, 250)], range(11, 250)],
    ["one that is numbered before others", [100, 120], [[110, 121]], [110, 121]],
    ["one that is numbered before a later one", [100], [[121], [119]], [121, 119]],
    ["a long pause between", [1], [[2], [500], [9_000]], [2, 500, 9_000]],
    ["as many as are read at once", [], [range(1, 500)], range(1, 500)],
  ])("are each read once, the oldest first: %s", async (_, before, steps, found) => {
    await using list = await ScriptedDeliveries.start();
    list.ids.push(...before);
    const rest = [...steps];
    const addNext = () => void list.ids.push(...(rest.shift() ?? []));
    const all: number[] = [];
    const interrupt = new AbortController();
    const deliveries = followDeliveries(list.client, "w1", {
      ...{ signal: interrupt.signal, pauseBetween: 1, onReady: addNext },
      ...{ onLeftOut: () => expect.unreachable(), onTrouble: () => expect.unreachable() },
    });
    let due = steps[0]?.length ?? 0;
    for await (const { id } of deliveries) {
      all.push(Number(id));
      if (all.length === found.length) break;
      if (all.length === due) {
        due += rest[0]?.length ?? 0;
        addNext();
      }
    }
    expect(all).toEqual(found);
    // Nothing is read a second time.
    const lists = list.lists;
    const again = followDeliveries(list.client, "w1", {
      ...{ signal: interrupt.signal, pauseBetween: 1, onReady: () => {} },
      ...{ onLeftOut: () => {}, onTrouble: () => {} },
    }).next();
    await expect.poll(() => list.lists).toBeGreaterThan(lists + 5);
    interrupt.abort();
    await expect(again).rejects.toThrow();
  });

  it("that are too many at once are left out, but for the newest", async () => {
    await using list = await ScriptedDeliveries.start();
    const read = await list.follow(500, () => list.ids.push(...range(1, 2_000)));
    expect(read).toMatchObject({ ids: range(1_501, 2_000), notes: ["newest 500"] });
  });

  it("may be those since a time", async () => {
    await using list = await ScriptedDeliveries.start();
    list.ids.push(...range(1, 20));
    const from = new Date(timeOf(18)).toISOString();
    expect(await list.follow(3, () => {}, { from })).toMatchObject({ ids: [18, 19, 20], notes: [] });
  });

  it("are read on after what passes: too many requests, an unavailable service", async () => {
    await using list = await ScriptedDeliveries.start();
    list.failures.push(failure(429, "rate_limited", atOnce), failure(503, "internal", atOnce));
    const { ids, notes } = await list.follow(2, () => {
      list.ids.push(1, 2);
      list.failures.push(failure(429, "rate_limited", atOnce), failure(500, "internal", atOnce));
    });
    expect(ids).toEqual([1, 2]);
    expect(notes).toEqual(["RateLimitError 0", "ServiceError 0", "RateLimitError 0", "ServiceError 0"]);
  });

  it("that can't be read are named, and the next follow", async () => {
    await using list = await ScriptedDeliveries.start();
    list.forbidden.add(1);
    const { read } = await list.follow(2, () => list.ids.push(1, 2));
    expect(read).toMatchObject([
      { id: "1", problem: "forbidden" },
      { id: "2", payload: { id: 2 } },
    ]);
  });

  it.each<[status: number, code: string]>([
    [401, "unauthorized"],
    [403, "forbidden"],
    [404, "not_found"],
    [400, "invalid_input"],
  ])("aren't waited for after a %d", async (status, code) => {
    await using list = await ScriptedDeliveries.start();
    list.failures.push(failure(status, code));
    await expect(list.follow(1, () => {})).rejects.toThrow(code);
  });
});

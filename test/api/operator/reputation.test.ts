import { describe, expect, it } from "vitest";
import { findDisreputable } from "../../../src/domain/destinations/reputation.ts";
import { BulkHarness, goodItems } from "../../support/bulk.ts";
import { expectError } from "../../support/endpoints.ts";
import { endingWith } from "../../support/runner/timers.ts";
import { FakeClock, Service } from "../../support/service.ts";

const reputationUrl = "https://reputation.example/check?token=t";

/** A service that asks a reputation service, and the requests that this one received. */
function setUp(answer: (hosts: string[]) => Response | Promise<Response>, expired?: AbortSignal) {
  const clock = new FakeClock();
  const asked: string[][] = [];
  const requests: Request[] = [];
  const service = new Service({
    now: clock.now,
    settings: { reputationUrl },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      requests.push(request.clone());
      const { hosts } = (await request.json()) as { hosts: string[] };
      asked.push(hosts);
      return answer(hosts);
    },
    ...(expired === undefined ? {} : { startTimer: endingWith(expired) }),
  });
  return { clock, service, asked, requests };
}

const blocking = (blocked: string) => (hosts: string[]) =>
  Response.json({ blocked: hosts.filter((host) => host === blocked) });

const data = (url: string) => ({ data: { type: "url", url } as const });
const body = (url: string) => ({ qrType: "url", ...data(url) });

describe("a reputation service", () => {
  it("is asked by POST for the host, and what it blocks is refused", async () => {
    const { service, requests } = setUp(blocking("evil.example"));
    const client = await service.workspace();
    const answer = await client.send("POST", "/qr", body("https://Evil.example:8443/login"));
    expect(await expectError(answer, 400, "invalid_input")).toBe("data.url leads to a blocked host.");
    const [request] = requests;
    expect([request?.method, request?.url]).toEqual(["POST", reputationUrl]);
    expect(request?.headers.get("content-type")).toBe("application/json");
    expect(await request?.text()).toBe('{"hosts":["evil.example"]}');
    await client.createQr(data("fine.example"));
  });

  it("is asked once in ten minutes for a host, by each isolate", async () => {
    const { clock, service, asked } = setUp(blocking("evil.example"));
    const client = await service.workspace();
    for (let i = 0; i < 3; i += 1) {
      await client.createQr(data("fine.example"));
      expect((await client.send("POST", "/qr", body("evil.example"))).status).toBe(400);
    }
    expect(asked).toEqual([["fine.example"], ["evil.example"]]);
    clock.advance(600_000);
    await client.createQr(data("fine.example"));
    expect(asked).toHaveLength(3);
  });

  it("is asked for all hosts of a bulk job together", async () => {
    const asked: string[][] = [];
    const harness = new BulkHarness();
    const service = new Service({
      ...harness.service.deps,
      settings: { reputationUrl },
      fetch: async (_, init) => {
        const { hosts } = JSON.parse(String(init?.body)) as { hosts: string[] };
        asked.push(hosts);
        return Response.json({ blocked: ["host-7.example"] });
      },
    });
    const client = await service.workspace();
    const items = goodItems(501).map((item, i) => ({ ...item, ...data(`host-${i}.example`) }));
    const { jobId } = await harness.accepted(await harness.json(client, items));
    expect(asked.map((hosts) => hosts.length)).toEqual([500, 1]);
    const job = await harness.read(client, jobId);
    expect(job).toMatchObject({ status: "queued", failureCount: 1 });
    expect(job.items[7]?.error).toBe("data.url leads to a blocked host.");
  });

  it("is asked six requests at a time, and for no more hosts than one invocation can ask about", async () => {
    let [under, most, requests] = [0, 0, 0];
    const { deps } = new Service({
      settings: { reputationUrl },
      fetch: async () => {
        requests += 1;
        under += 1;
        most = Math.max(most, under);
        await Promise.resolve();
        under -= 1;
        return Response.json({ blocked: [] });
      },
    });
    const hosts = (count: number) => new Set(Array.from({ length: count }, (_, i) => `${i}.example`));
    await expect(findDisreputable(deps, hosts(20_001))).rejects.toMatchObject({
      status: 400,
      message: "The rows lead to more than 20,000 different hosts. Send them in smaller jobs.",
    });
    expect(requests).toBe(0);
    await findDisreputable(deps, hosts(20_000));
    expect([requests, most]).toEqual([40, 6]);
  });

  const failures: [string, () => Response | Promise<Response>, AbortSignal?][] = [
    ["answers 500", () => new Response("no", { status: 500 })],
    ["redirects", () => Response.redirect("https://elsewhere.example/")],
    ["answers no JSON", () => new Response("<html>")],
    ["answers other JSON", () => Response.json({ bad: [] })],
    ["can't be reached", () => Promise.reject(new Error("no route"))],
    [
      "takes too long",
      () => new Response(new ReadableStream({ start() {} })),
      AbortSignal.abort(new Error("expired")),
    ],
  ];

  it.each(failures)(
    "allows the host if it %s, and is not asked again for 30 s",
    async (_, answer, signal) => {
      const { clock, service, asked } = setUp(answer, signal);
      const client = await service.workspace();
      await client.createQr(data("a.example"));
      await client.createQr(data("b.example"));
      expect(asked).toEqual([["a.example"]]);
      clock.advance(30_000);
      await client.createQr(data("b.example"));
      expect(asked).toEqual([["a.example"], ["b.example"]]);
    },
  );

  it("is given half a second", async () => {
    const waits: number[] = [];
    const service = new Service({
      settings: { reputationUrl },
      fetch: () => Promise.resolve(Response.json({ blocked: [] })),
      startTimer: (milliseconds) => {
        waits.push(milliseconds);
        return () => {};
      },
    });
    await (await service.workspace()).createQr(data("a.example"));
    // The ledger, which gets the event after the response, is waited for longer.
    expect(waits[0]).toBe(500);
  });
});

it("without its address, no service is asked", async () => {
  const fetched: unknown[] = [];
  const service = new Service({
    fetch: (input) => {
      fetched.push(input);
      return Promise.resolve(Response.json({ blocked: ["a.example"] }));
    },
  });
  await (await service.workspace()).createQr(data("a.example"));
  expect([service.deps.settings.reputationUrl, fetched]).toEqual(["", []]);
});

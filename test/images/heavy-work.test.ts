import { beforeAll, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { workspaceMeterName } from "../../src/protocol/key-meter.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";
import { wrapMeter } from "../support/world/wrapped-meter.ts";

const clock = new FakeClock(Math.floor(Date.now() / 60_000) * 60_000 + 15_000);
const service = new Service({ now: clock.now });
let client: Client;
let other: Client;
let requests: readonly (readonly [what: string, path: string, body?: object])[];

beforeAll(async () => {
  client = await service.workspace();
  const { id } = await client.createQr();
  other = await service.client(client.workspaceId);
  requests = [
    ["PNG", `/qr/${id}/image?format=png&size=2048`],
    ["PDF", `/qr/${id}/image?format=pdf`],
    ["labels", "/qr/labels", { ids: [id], format: "L7160" }],
    ["ZIP", "/qr/images", { ids: [id], format: "png" }],
    ["measurement", `/qr/${id}/scannability`],
  ];
});

const send = async (of: Client, [, path, body]: (typeof requests)[number]) => {
  const answer = await of.send(body === undefined ? "GET" : "POST", path, body);
  await answer.arrayBuffer();
  return answer;
};

it("heavy work is counted for the workspace, whichever key asks for it, until the next minute", async () => {
  const meter = service.deps.meter(workspaceMeterName(client.workspaceId));
  const spend = (units: number) => meter.takeWork(clock.now(), units, limits.heavyWork);
  for (const request of requests) {
    expect(await spend(limits.heavyWork)).toBe(0);
    for (const key of [client, other]) {
      const refused = await send(key, request);
      expect([request[0], refused.status, refused.headers.get("retry-after")]).toEqual([
        request[0],
        429,
        "45",
      ]);
    }
    clock.advance(60_000);
    expect(await spend(limits.heavyWork - 1)).toBe(0);
    // The last work may exceed the limit.
    expect([request[0], (await send(client, request)).status]).toEqual([request[0], 200]);
    expect(await spend(1)).toBe(45);
    clock.advance(60_000);
  }
  expect(await spend(limits.heavyWork)).toBe(0);
  const [, image = ""] = requests[0] ?? [];
  expect((await other.send("GET", image.replace("png", "svg"))).status).toBe(200);
  const elsewhere = await service.workspace();
  const { id } = await elsewhere.createQr();
  expect((await elsewhere.send("GET", `/qr/${id}/image?format=png`)).status).toBe(200);
});

it("heavy work counts by what it takes: pixels, pages and measured addresses", async () => {
  clock.advance(60_000);
  // Four addresses of the design are measured here, and the others below.
  const designed = await client.createQr({ shape: "circle", advanced: { quietZone: 3 } });
  expect(designed.readability).toBeNull();
  const ids = [designed.id, (await client.createQr()).id];
  const meter = service.deps.meter(workspaceMeterName(client.workspaceId));
  const spend = (units: number) => meter.takeWork(clock.now(), units, limits.heavyWork);
  for (const [units, ...request] of [
    [20, "PNG", `/qr/${ids[1]}/image?format=png&size=2048`],
    [2, "small PNG", `/qr/${ids[1]}/image?format=png&size=512`],
    [4, "PDF", `/qr/${ids[1]}/image?format=pdf`],
    [8, "labels", "/qr/labels", { ids, format: "L7160" }],
    [40, "ZIP", "/qr/images", { ids, format: "png", size: 2048 }],
    [12 * 20, "measurement", `/qr/${designed.id}/scannability`],
  ] as const) {
    clock.advance(60_000);
    expect([request[0], (await send(client, request)).status]).toEqual([request[0], 200]);
    const left = [limits.heavyWork - units - 1, 1, 1];
    const answers: number[] = [];
    for (const each of left) answers.push(await spend(each));
    expect([request[0], answers]).toEqual([request[0], [0, 0, 45]]);
  }
});

it("heavy work is done while the workspace's meter is away, or older", async () => {
  const takeWork = () => Promise.reject(new Error("no such method"));
  const { meter } = service.deps;
  const own = new Service({ now: clock.now, meter: wrapMeter(meter, { takeWork }) });
  const alone = await own.workspace();
  const { id } = await alone.createQr();
  expect((await alone.send("GET", `/qr/${id}/image?format=png&size=2048`)).status).toBe(200);
});

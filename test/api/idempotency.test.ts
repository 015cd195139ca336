import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { BulkJob } from "../../src/contract/resources/codes/bulk.ts";
import { Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { type Client, emittedEvents, FakeClock, Service } from "../support/service.ts";

const clock = new FakeClock();
const service = new Service({ now: clock.now });
let client: Client;

beforeAll(async () => {
  client = await service.workspace();
});

const body = { name: "Once", qrType: "url", data: { type: "url", url: "example.com" } };
const create = (key: string, input: object = body) =>
  client.expect(201, Qr, "POST", "/qr", input, { "idempotency-key": key });
const count = async (name: string) => (await client.expect(200, QrList, "GET", `/qr?q=${name}`)).items.length;

it("repeats the first response for the same key and body", async () => {
  const first = await create("order-1");
  await client.expect(200, Qr, "PATCH", `/qr/${first.id}`, { tags: ["changed since"] });
  expect(await create("order-1")).toEqual(first);
  expect(await count("Once")).toBe(1);
});

it.each([
  ["/qr", { ...body, name: "Marked" }],
  ["/qr/bulk", { items: [body] }],
  ["/qr/bulk-update", { filter: {}, change: { addTags: ["marked"] } }],
])("marks a repeated response of POST %s, and no other", async (path, input) => {
  const send = (key: string) => client.send("POST", path, input, { "idempotency-key": `${path}-${key}` });
  const marks = [];
  for (const key of ["one", "one", "two", "one"]) {
    marks.push((await send(key)).headers.get("idempotent-replayed"));
  }
  expect(marks).toEqual([null, "true", null, "true"]);
});

it("refuses the same key with another body", async () => {
  const response = await client.send(
    "POST",
    "/qr",
    { ...body, name: "Other" },
    { "idempotency-key": "order-1" },
  );
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "invalid_input",
    error: expect.stringContaining("Idempotency-Key"),
  });
});

it("creates once for ten identical simultaneous requests", async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => create("order-2", { ...body, name: "Twin" })),
  );
  expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
  expect(await count("Twin")).toBe(1);
  // The published route is that of the created code, not of a request that lost the race.
  const [twin] = answers;
  expect(await env.ROUTES.get(twin?.hash ?? "", "json")).toMatchObject({ qrId: twin?.id });
  const updates = emittedEvents().filter((event) => event.data.name === "Twin");
  expect(updates).toHaveLength(1);
});

it("keeps the keys of workspaces apart", async () => {
  const other = await service.workspace();
  const theirs = await other.expect(201, Qr, "POST", "/qr", body, { "idempotency-key": "order-1" });
  expect(theirs.id).not.toBe((await create("order-1")).id);
});

it("keeps the keys of a workspace apart, so that a web page's visitors can't occupy the shop's", async () => {
  const shop = "https://shop.example";
  const widget = await service.client(client.workspaceId, ["qr:write"], "publishable", [shop]);
  const headers = { "idempotency-key": "order-5", origin: shop };
  const visitors = await widget.expect(201, Qr, "POST", "/qr", body, headers);
  const ours = await create("order-5", { ...body, name: "The shop's" });
  expect(ours).toMatchObject({ name: "The shop's" });
  expect(await create("order-5", { ...body, name: "The shop's" })).toEqual(ours);
  expect(await widget.expect(201, Qr, "POST", "/qr", body, headers)).toEqual(visitors);

  const items = { items: [body] };
  const other = await service.client(client.workspaceId);
  const job = (by: Client) =>
    by.expect(202, BulkJob, "POST", "/qr/bulk", items, { "idempotency-key": "import-1" });
  const { jobId } = await job(client);
  expect((await job(client)).jobId).toBe(jobId);
  expect((await job(other)).jobId).not.toBe(jobId);
});

it("does not store an error response", async () => {
  const headers = { "idempotency-key": "order-3" };
  expect((await client.send("POST", "/qr", { ...body, qrType: "nonsense" }, headers)).status).toBe(400);
  expect((await client.send("POST", "/qr", body, headers)).status).toBe(201);
});

it("forgets after 24 hours", async () => {
  const first = await create("order-4");
  clock.advance(24 * 60 * 60 * 1000);
  expect((await create("order-4")).id).toBe(first.id);
  clock.advance(1);
  expect((await create("order-4")).id).not.toBe(first.id);
});

it("refuses a key that is empty, too long or not printable", async () => {
  for (const key of ["", "x".repeat(256), "käse"]) {
    const response = await client.send("POST", "/qr", body, { "idempotency-key": key });
    expect([key, response.status]).toEqual([key, 400]);
  }
});

import { beforeEach, expect, it } from "vitest";
import { Domain } from "../../src/contract/resources/domains.ts";
import type { ScansMessage } from "../../src/protocol/messages.ts";
import { makePage } from "../support/hosted-pages.ts";
import { type Client, FakeClock, Service, type SessionClient } from "../support/service.ts";

/** The edge Worker answers scans itself, and hands everything else on to the main Worker. */

const clock = new FakeClock();
let sent: ScansMessage[];
let service: Service;
let owner: SessionClient;
let client: Client;

beforeEach(async () => {
  sent = [];
  const scanQueue = { send: async (message: ScansMessage) => void sent.push(message) } as never;
  service = new Service({ now: clock.now, scanQueue }, { edge: true });
  owner = await service.session();
  client = await service.client(owner.workspaceId);
});

const recorded = () => sent.flatMap(({ batches }) => batches.flatMap(({ scans }) => scans)).length;

it("a scan is answered at the edge and recorded once, and an edit in the main Worker is followed at once", async () => {
  const qr = await client.createQr({ data: { type: "url", url: "https://example.com/1" } });
  expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.com/1");
  expect(recorded()).toBe(1);
  await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url: "https://example.com/2" } });
  expect((await service.scan(qr.hash)).headers.get("location")).toBe("https://example.com/2");
  expect(recorded()).toBe(2);
});

it("a scan of a hosted page is shown and recorded once, by the main Worker", async () => {
  const page = await makePage({ client, session: owner });
  const qr = await client.createQr({ qrType: "servicepage", data: { type: "servicepage", pageId: page.id } });
  const response = await service.scan(qr.hash);
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Summer fair")]);
  expect(recorded()).toBe(1);
});

it.each([
  ["/", 200],
  ["/healthz", 200],
  ["/dashboard", 302],
  ["/api/v1/qr", 401],
  ["/favicon.svg", 200],
  ["/no/such/path", 404],
])("%s is answered by the main Worker", async (path, status) => {
  expect((await service.fetch(path)).status).toBe(status);
  expect(recorded()).toBe(0);
});

it("a code's image is drawn by the main Worker, at the scan origin and at a domain", async () => {
  const { host } = await owner.expect(201, Domain, "POST", "/developer/domains", { host: "edge.localhost" });
  const qr = await client.createQr({ domain: host });
  for (const origin of ["", `http://${host}`]) {
    const image = await service.fetch(`${origin}/${qr.hash}.svg`);
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    const scan = await service.fetch(`${origin}/${qr.hash}`);
    expect(scan.status).toBe(302);
  }
  expect(recorded()).toBe(2);
});

it("says that it is unavailable where the main Worker can't be reached, while scans go on", async () => {
  const qr = await client.createQr();
  const { createEdge } = await import("../../src/edge/worker.ts");
  const { env, createExecutionContext } = await import("cloudflare:test");
  const MAIN = { fetch: () => Promise.reject(new Error("the main Worker is away")) };
  const edge = createEdge({ ...env, MAIN }, { ...service.deps });
  const at = (path: string) =>
    edge(new Request(`${service.deps.settings.scanOrigin}${path}`), createExecutionContext());
  expect((await at("/dashboard")).status).toBe(503);
  expect((await at(`/${qr.hash}`)).status).toBe(302);
});

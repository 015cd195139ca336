import { afterEach, expect, it, vi } from "vitest";
import { signedInOperator } from "./support/operator-pages.ts";
import { Service } from "./support/service.ts";

const service = new Service();

afterEach(() => vi.restoreAllMocks());

/** The lines of requests that a call makes. */
async function linesOf(call: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const spy = vi.spyOn(console, "log");
  await call();
  return spy.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    .filter(({ message }) => message === "request");
}

const line = (route: string, status: number) => ({
  level: "info",
  message: "request",
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  route,
  status,
  ms: expect.any(Number),
});

it("logs each request of the API once, by its route, with its workspace and id", async () => {
  const client = await service.workspace();
  let requestId: string | null = null;
  const lines = await linesOf(async () => {
    const answer = await client.send("GET", "/qr?q=hush");
    requestId = answer.headers.get("x-request-id");
    await client.send("GET", "/qr/bulk/unknown");
    await client.send("POST", "/qr", { qrType: "odd" }, { "x-request-id": "trace-7" });
    await client.send("POST", "/nothing/here");
  });
  const { workspaceId } = client;
  expect(lines).toEqual([
    { ...line("GET /api/v1/qr", 200), requestId, workspaceId },
    { ...line("GET /api/v1/qr/bulk/{jobId}", 404), workspaceId },
    { ...line("POST /api/v1/qr", 400), requestId: "trace-7", workspaceId },
    { ...line("POST /api/v1/*", 404), workspaceId },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/hush|nothing|example/);
});

it("logs requests without a caller, and of every other part", async () => {
  const lines = await linesOf(async () => {
    await service.fetch("/api/v1/qr", { headers: { authorization: "Bearer sk_live_odd" } });
    await service.fetch("/dashboard/codes?code=hush");
    await service.fetch("/dashboard/links/hush");
    await service.fetch("/shared/hush");
    await service.fetch("/report");
    await service.fetch("/hush/hush", { method: "PROPFIND" });
  });
  expect(lines).toEqual([
    line("GET /api/v1/qr", 401),
    line("GET /dashboard/codes", 302),
    line("GET /dashboard/links/{token}", 404),
    line("GET /shared/*", 404),
    line("GET /report/*", 200),
    line("OTHER /*", 404),
  ]);
  expect(JSON.stringify(lines)).not.toContain("hush");
});

it("logs pages with the workspace of who opened them", async () => {
  const { cookie, workspaceId } = await service.session();
  const operator = await signedInOperator(service);
  const lines = await linesOf(async () => {
    await service.fetch("/dashboard/codes", { headers: { cookie } });
    await operator.open("/operator/workspaces");
  });
  expect(lines).toEqual([
    { ...line("GET /dashboard/codes", 200), workspaceId },
    line("GET /operator/workspaces", 200),
  ]);
});

it("logs no scans, no public images and no checks of liveness", async () => {
  const client = await service.workspace();
  const { hash } = await client.createQr();
  const lines = await linesOf(async () => {
    expect((await service.scan(hash)).status).toBe(302);
    expect((await service.scan("unknown9")).status).toBe(404);
    expect((await service.fetch(`/${hash}.svg`)).status).toBe(200);
    expect((await service.fetch("/healthz")).status).toBe(200);
  });
  expect(lines).toEqual([]);
});

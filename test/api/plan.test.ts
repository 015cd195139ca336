import { describe, expect, it } from "vitest";
import { PlanChange } from "../../src/contract/endpoints/operator.ts";
import { plans } from "../../src/contract/plans.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { emittedEvents, FakeClock, Service } from "../support/service.ts";

const service = new Service();
const change = (workspaceId: string, body: object) =>
  service.operator.expect(200, PlanChange.strict(), "PUT", `/operator/workspaces/${workspaceId}/plan`, body);

describe("a change of plan", () => {
  it("applies to the next request in every isolate, whatever it remembers", async () => {
    const client = await service.workspace("pro", null);
    const elsewhere = new Service();
    const there = (path: string) =>
      elsewhere.fetch(`/api/v1${path}`, { headers: { authorization: `Bearer ${client.key}` } });
    expect((await there("/qr")).headers.get("x-ratelimit-limit")).toBe("120");
    expect(await change(client.workspaceId, { plan: "business" })).toEqual({
      workspaceId: client.workspaceId,
      previousPlan: "pro",
      plan: "business",
      requestsPerMinute: 600,
      storedBytes: plans.business.storedBytes,
    });
    expect((await there("/qr")).headers.get("x-ratelimit-limit")).toBe("600");
    await change(client.workspaceId, { plan: "free" });
    expect((await there("/qr")).status).toBe(403);
    await change(client.workspaceId, { plan: "pro" });
    expect((await there("/qr")).status).toBe(200);
  });

  it("raises the cap of a business workspace, for keys and users", async () => {
    const session = await service.session("business", null);
    const client = await service.client(session.workspaceId);
    await session.send("GET", "/developer/workspace");
    await change(session.workspaceId, { plan: "business", requestsPerMinute: 5000 });
    expect((await client.send("GET", "/qr")).headers.get("x-ratelimit-limit")).toBe("5000");
    const workspace = await session.expect(200, Workspace, "GET", "/developer/workspace");
    expect(workspace.limits.requestsPerMinute).toBe(5000);
    expect((await session.send("GET", "/developer/keys")).headers.get("x-ratelimit-limit")).toBe("5000");
    // A change without requestsPerMinute keeps the raised cap; another plan removes it.
    expect(await change(session.workspaceId, { plan: "business" })).toMatchObject({
      requestsPerMinute: 5000,
    });
    await change(session.workspaceId, { plan: "pro" });
    expect(await change(session.workspaceId, { plan: "business" })).toMatchObject({ requestsPerMinute: 600 });
  });

  it("emits one event if the plan differs", async () => {
    const { workspaceId } = await service.workspace("starter");
    await change(workspaceId, { plan: "pro" });
    await change(workspaceId, { plan: "pro" });
    const updates = emittedEvents().filter((event) => event.workspaceId === workspaceId);
    expect(updates.map(({ kind, data }) => ({ kind, data }))).toEqual([
      { kind: "subscription.updated", data: { workspaceId, previousPlan: "starter", plan: "pro" } },
    ]);
  });

  it("is not undone by an isolate that remembers the previous plan", async () => {
    const clock = new FakeClock();
    const slow = new Service({ now: clock.now });
    const client = await slow.workspace("pro", null);
    await client.send("GET", "/qr");
    await change(client.workspaceId, { plan: "business" });
    clock.advance(9000);
    expect((await client.send("GET", "/qr")).headers.get("x-ratelimit-limit")).toBe("600");
  });

  it.each([
    ["an unknown plan", { plan: "gold" }, "plan"],
    ["a raised cap on another plan", { plan: "pro", requestsPerMinute: 5 }, "requestsPerMinute"],
    ["a cap of 0", { plan: "business", requestsPerMinute: 0 }, "requestsPerMinute"],
    ["a cap that is text", { plan: "business", requestsPerMinute: "9" }, "requestsPerMinute"],
  ])("is refused with %s", async (_, body, field) => {
    const { workspaceId } = await service.workspace("pro");
    const response = await service.operator.send("PUT", `/operator/workspaces/${workspaceId}/plan`, body);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: expect.stringContaining(field) },
    ]);
  });
});

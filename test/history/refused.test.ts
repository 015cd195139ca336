import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/contract/limits.ts";
import { plans } from "../../src/contract/plans.ts";
import { validBody } from "../support/endpoints.ts";
import { HistoryWorkspace } from "../support/history-workspace.ts";
import { Service } from "../support/service.ts";

/** A change that is refused isn't in the history. */

const service = new Service();
const { pro } = plans;

interface Creation {
  readonly by: "client" | "owner";
  readonly path: string;
  readonly body: unknown;
  /** Fills the workspace `?1` up to the cap; `?2` is a list of as many numbers. */
  readonly fill: string;
  readonly cap: number;
}

const creations: Readonly<Record<string, Creation>> = {
  code: {
    ...{ by: "client", path: "/qr", body: validBody.createQr, cap: pro.liveCodes ?? 0 },
    fill: "UPDATE workspaces SET live_codes = json_array_length(?2) WHERE id = ?1",
  },
  folder: {
    ...{ by: "client", path: "/folders", body: validBody.createFolder, cap: pro.folders },
    fill: `INSERT INTO folders (id, workspace_id, name, created_at, name_order)
      SELECT ?1 || value, ?1, value, 0, value FROM json_each(?2)`,
  },
  template: {
    ...{ by: "owner", path: "/developer/templates", body: validBody.createTemplate, cap: pro.templates },
    fill: `INSERT INTO templates (id, workspace_id, name, created_at)
      SELECT ?1 || value, ?1, value, 0 FROM json_each(?2)`,
  },
  page: {
    ...{ by: "owner", path: "/developer/pages", body: validBody.createPage, cap: pro.pages },
    fill: `INSERT INTO pages (id, workspace_id, version, content, created_at, updated_at, title_folded)
      SELECT ?1 || value, ?1, 1, '{}', 0, 0, '' FROM json_each(?2)`,
  },
  invitation: {
    ...{ by: "owner", path: "/developer/invitations", body: validBody.createInvitation },
    cap: limits.invitations,
    fill: `INSERT INTO invitations (id, workspace_id, digest, role, invited_by, created_at, expires_at)
      SELECT ?1 || value, ?1, ?1 || value, 'viewer', '', 0, 9e15 FROM json_each(?2)`,
  },
};

describe.each(Object.entries(creations))("a new %s", (_, { by, path, body, fill, cap }) => {
  async function workspace(): Promise<HistoryWorkspace> {
    const world = await HistoryWorkspace.of(service);
    const { workspaceId } = world.client;
    await env.DB.prepare("UPDATE workspaces SET plan = 'pro' WHERE id = ?").bind(workspaceId).run();
    return world;
  }

  it("isn't recorded if a cap refuses it", async () => {
    const world = await workspace();
    const numbers = JSON.stringify([...Array(cap).keys()]);
    await env.DB.prepare(fill).bind(world.client.workspaceId, numbers).run();
    expect([400, 402]).toContain((await world[by].send("POST", path, body)).status);
    expect(await world.newEntries()).toEqual([]);
  });

  it("isn't recorded if a suspension refuses it", async () => {
    const world = await workspace();
    const suspension = `/operator/workspaces/${world.client.workspaceId}/suspension`;
    await service.operator.send("PUT", suspension, validBody.suspendWorkspace);
    await world.newEntries();
    expect((await world[by].send("POST", path, body)).status).toBe(403);
    expect(await world.newEntries()).toEqual([]);
  });
});

it("a name that the workspace already has, and a change of nothing, are not recorded", async () => {
  const world = await HistoryWorkspace.of(service);
  const code = await world.code();
  const folder = await world.folder();
  await world.newEntries();
  await world.client.send("PATCH", `/qr/${code.id}`, { name: code.name, tags: code.tags });
  await world.client.send("PATCH", `/folders/${folder.id}`, { name: folder.name });
  await world.client.send("PATCH", `/qr/${code.id}`, { name: "x".repeat(1000) });
  await world.client.send("DELETE", `/folders/${code.id}`);
  expect(await world.newEntries()).toEqual([]);
});

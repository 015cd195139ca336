import { expect, it } from "vitest";
import { Me } from "../../src/contract/resources/identity/keys.ts";
import { Workspace } from "../../src/contract/resources/identity/workspace.ts";
import { Service } from "../support/service.ts";

const service = new Service();

it("a key of any scope can read what it is, and what its workspace may", async () => {
  const session = await service.session("pro", null);
  const key = await service.client(session.workspaceId, ["scans:read"]);
  const me = await key.expect(200, Me, "GET", "/me");
  const { id, name, plan, limits, suspended } = await session.expect(
    200,
    Workspace,
    "GET",
    "/developer/workspace",
  );
  expect(me).toEqual({
    key: {
      id: key.keyId,
      name: expect.any(String),
      type: "secret",
      scopes: ["scans:read"],
      personConfirms: false,
    },
    workspace: { id, name, plan, limits, suspended },
  });
  expect(me.workspace).toMatchObject({ plan: "pro", limits: { requestsPerMinute: 120, bulkRows: 1000 } });
});

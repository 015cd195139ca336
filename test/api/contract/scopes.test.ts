import { beforeAll, describe, expect, it } from "vitest";
import { defaultScopes, Scope } from "../../../src/contract/resources/enums.ts";
import { scopesWith } from "../../../src/contract/scopes.ts";
import { bodyHeaders, expectError, method, somePath, table, validBody } from "../../support/endpoints.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { type Client, Service } from "../../support/service.ts";

/** Keys of every scope against an endpoint of each class: it lets in the keys with its scope, and no other. */

const service = new Service();
let workspaceId: string;

beforeAll(async () => {
  ({ workspaceId } = await service.workspace());
});

const request = (client: Client, endpoint: (typeof table)[number]) =>
  client.send(method(endpoint), somePath(endpoint), validBody[endpoint.name], bodyHeaders(endpoint));

const scopeOf = (endpoint: (typeof table)[number]) =>
  endpoint.auth === "key" || endpoint.auth === "session" ? endpoint.scope : undefined;
const scoped = table.flatMap((endpoint) => {
  const scope = scopeOf(endpoint);
  return scope == null ? [] : [{ ...endpoint, needed: scope }];
});
/** Besides its scope, the check knows whether people may call an endpoint, too. */
const ofEachScope = oneOfEach(scoped, ({ needed, auth }) => `${needed} ${auth}`);

describe.each(ofEachScope)("$name, which needs $needed,", (endpoint) => {
  it("refuses a key with all other scopes", async () => {
    const other = Scope.options.filter((scope) => !scopesWith(endpoint.needed).includes(scope));
    const refused = await request(await service.client(workspaceId, other), endpoint);
    expect(await expectError(refused, 403, "forbidden")).toContain(endpoint.needed);
  });

  it.each(scopesWith(endpoint.needed))("lets a key in whose only scope is %s", async (scope) => {
    // A webhook also needs the scope of its events, and alerts those of all that waits.
    const more: Record<string, Scope[]> = { createWebhook: ["qr:read"] };
    const alerts: Scope[] = endpoint.path.startsWith("/developer/alerts")
      ? ["qr:read", "scans:read", "workspace:read"]
      : [];
    const scopes = [scope, ...(more[endpoint.name] ?? []), ...alerts];
    const answer = await request(await service.client(workspaceId, scopes), endpoint);
    await answer.body?.cancel();
    expect([endpoint.status, 201, 400, 404]).toContain(answer.status);
  });
});

const closed = table.filter((endpoint) => scopeOf(endpoint) === undefined && endpoint.auth === "session");

it.each(oneOfEach(closed, ({ method }) => method))(
  "$name is for people only, whatever a key's scopes",
  async (endpoint) => {
    const refused = await request(await service.client(workspaceId, [...Scope.options]), endpoint);
    expect(await expectError(refused, 403, "forbidden")).toContain("Only people");
  },
);

it("lists all that only people can do", () => {
  const tags = Map.groupBy(closed, ({ tag }) => tag);
  expect(Object.fromEntries([...tags].map(([tag, rows]) => [tag, rows.map(({ name }) => name)]))).toEqual({
    Scans: ["eraseScans", "watchOwnScans", "watchOwnQrScans"],
    Analytics: ["getReporting", "changeReporting"],
    Developer: [
      ...["createKey", "listKeys", "updateKey", "rotateKey", "revokeKey"],
      ...["listSessions", "endSession"],
      ...["updateWorkspace", "listBin"],
      ...["deleteWorkspace", "getWorkspaceDeletion", "cancelWorkspaceDeletion", "deleteAccount"],
    ],
    Domains: ["createDomain", "updateDomain", "checkDomain", "deleteDomain", "restoreDomain"],
    Members: [
      ...["listOwnWorkspaces", "createWorkspace", "leaveWorkspace", "transferOwnership"],
      ...["listMembers", "updateMember", "removeMember"],
      ...["createInvitation", "listInvitations", "revokeInvitation"],
    ],
    Pages: ["deleteSubmission"],
    Webhooks: ["replayDelivery", "createReplay", "getReplay", "stopReplay"],
  });
});

it("gives a key without scopes the three of version 1.0, and none that came later", async () => {
  const session = await service.session();
  const answer = await session.send("POST", "/developer/keys", { name: "Old client", type: "secret" });
  expect(await answer.json()).toMatchObject({ scopes: ["qr:read", "qr:write", "scans:read"] });
  expect(defaultScopes).toHaveLength(3);
});

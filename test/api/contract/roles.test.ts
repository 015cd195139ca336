import { beforeAll, describe, expect, it } from "vitest";
import type { SessionEndpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { allows, type Role, roles } from "../../../src/contract/roles.ts";
import { expectError, method, somePath, table, validBody } from "../../support/endpoints.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { Service, type SessionClient } from "../../support/service.ts";

/** The table of permissions, held at an endpoint that reads, and at one that changes, for every permission and role. */

const service = new Service();
let workspaceId: string;

beforeAll(async () => {
  ({ workspaceId } = await service.session());
});

/** People who only read. */
const readers = new Map<Role, SessionClient>();
beforeAll(async () => {
  for (const role of roles) readers.set(role, await service.sessionIn(workspaceId, role));
});

const isOfSession = (endpoint: (typeof table)[number]): endpoint is SessionEndpoint & { name: string } =>
  endpoint.auth === "session";
const endpoints = table.filter(isOfSession);
const classOf = ({ method, permission }: SessionEndpoint) => `${method === "get"} ${permission}`;

describe.each(oneOfEach(endpoints, classOf))("$name", (endpoint) => {
  it.each(roles)("lets a person who is %s do what the table says", async (role) => {
    const reader = endpoint.method === "get" ? readers.get(role) : undefined;
    const client = reader ?? (await service.sessionIn(workspaceId, role));
    const answer = await client.send(method(endpoint), somePath(endpoint), validBody[endpoint.name]);
    if (allows(role, endpoint.permission)) {
      await answer.body?.cancel();
      // Where sign-up is closed, only an owner has a workspace beside another.
      const isOwners = endpoint.name === "createWorkspace" && role !== "owner";
      // A list that is shared is not a viewer's own.
      const isShared = endpoint.name === "createSavedList" && role === "viewer";
      expect(isOwners || isShared ? [403] : [endpoint.status, 400, 404]).toContain(answer.status);
    } else {
      expect(await expectError(answer, 403, "forbidden")).toMatch(new RegExp(`^${role}s can't `, "i"));
      // Before its body is read.
      const body = endpoint.body && "{";
      expect((await client.send(method(endpoint), somePath(endpoint), body)).status).toBe(403);
    }
  });
});

it("lets viewers change nothing but what is their own", () => {
  const changes = endpoints.filter(
    ({ method, permission }) => method !== "get" && allows("viewer", permission),
  );
  const others = changes.filter(({ permission }) => permission !== "account");
  // The domain refuses changes of the workspace's lists.
  expect(others.filter(({ path }) => !path.startsWith("/developer/lists"))).toEqual([]);
});

it("lets keys that may only read change nothing, except for jobs that they started themselves", () => {
  const changes = table.filter(
    (endpoint) =>
      "scope" in endpoint && endpoint.method !== "get" && endpoint.scope?.endsWith(":read") === true,
  );
  expect(changes.map(({ name }) => name)).toEqual([
    ...["printLabels", "archiveImages", "createLabelJob", "createImageJob"],
    "deletePrintJob",
    // The domain asks for the scope of what is changed.
    "revertChange",
  ]);
});

it("says in each endpoint's description which role it needs", async () => {
  const answer = await service.fetch("/api/v1/openapi.json");
  const { paths } = await answer.json<{ paths: Record<string, Record<string, { description: string }>> }>();
  expect(paths["/developer/keys"]?.post?.description).toContain("at least `admin`");
  expect(paths["/developer/templates"]?.get?.description).toContain("at least `viewer`");
});

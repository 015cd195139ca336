import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { AbuseReportList } from "../../src/contract/resources/operations/abuse-reports.ts";
import { BlockedHost } from "../../src/contract/resources/operations/blocked-hosts.ts";
import { operatorRoutes } from "../../src/dashboard/operator/routes.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { saveDeadLetter } from "../../src/store/operations/save-dead-letter.ts";
import { validBody } from "../support/endpoints.ts";
import { actionsOf, type ExpectedEntries, HistoryWorkspace } from "../support/history-workspace.ts";
import { signedInOperator } from "../support/operator-pages.ts";
import { oneOfEach } from "../support/runner/runs.ts";
import { Service } from "../support/service.ts";

/** Every form of the operator that changes a workspace is in its history, once, or has a reason why it isn't. */

interface Case {
  readonly expected: ExpectedEntries;
  /** Prepares a form. @returns its path and fields */
  readonly form: (
    world: HistoryWorkspace,
  ) => Promise<readonly [path: string, fields?: Record<string, string>]>;
}

const installation = { none: "It belongs to the installation, not to a workspace" } as const;
const reason = { reason: "Spam" };
const service = new Service();

/** Suspends something, by its path. */
const suspended = async (path: string): Promise<void> => {
  await service.operator.send("PUT", `/operator${path}/suspension`, validBody.suspendQr);
};

const cases: Readonly<Record<string, Case>> = {
  "/sign-in-links": {
    expected: { none: "It belongs to a person, not to a workspace" },
    form: async () => ["/sign-in-links", { kind: "owner" }],
  },
  "/workspaces/:id/plan": {
    expected: ["workspace.updated"],
    form: async ({ client }) => [`/workspaces/${client.workspaceId}/plan`, { plan: "pro" }],
  },
  "/workspaces/:id/suspend": {
    expected: ["workspace.suspended"],
    form: async ({ client }) => [`/workspaces/${client.workspaceId}/suspend`, reason],
  },
  "/workspaces/:id/lift": {
    expected: ["workspace.unsuspended"],
    form: async ({ client }) => {
      const path = `/workspaces/${client.workspaceId}`;
      await suspended(path);
      return [`${path}/lift`];
    },
  },
  "/reports/:id": {
    expected: ["code.suspended"],
    form: async (world) => {
      const { hash } = await world.code();
      await service.fetch("/report", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ code: hash, reason: "spam" }).toString(),
      });
      const { items } = await service.operator.expect(200, AbuseReportList, "GET", "/operator/reports");
      const report = items.find((item) => item.hash === hash);
      return [`/reports/${report?.id}`, { decision: "suspend", ...reason }];
    },
  },
  "/codes/:id/suspend": {
    expected: ["code.suspended"],
    form: async (world) => [`/codes/${(await world.code()).id}/suspend`, reason],
  },
  "/pages/:id/suspend": {
    expected: ["page.suspended"],
    form: async (world) => [`/pages/${(await world.page()).id}/suspend`, reason],
  },
  "/codes/:id/lift": {
    expected: ["code.unsuspended"],
    form: async (world) => {
      const { id } = await world.code();
      await suspended(`/qr/${id}`);
      return [`/codes/${id}/lift`];
    },
  },
  "/pages/:id/lift": {
    expected: ["page.unsuspended"],
    form: async (world) => {
      const path = `/pages/${(await world.page()).id}`;
      await suspended(path);
      return [`${path}/lift`];
    },
  },
  "/domains/:host/suspend": {
    expected: ["domain.suspended"],
    form: async (world) => [`/domains/${(await world.domain()).host}/suspend`, reason],
  },
  "/domains/:host/lift": {
    expected: ["domain.unsuspended"],
    form: async (world) => {
      const path = `/domains/${(await world.domain()).host}`;
      await suspended(path);
      return [`${path}/lift`];
    },
  },
  "/domains/:host/remove": {
    expected: ["domain.deleted"],
    form: async (world) => [`/domains/${(await world.domain()).host}/remove`],
  },
  "/blocked-hosts": {
    expected: installation,
    form: async () => ["/blocked-hosts", { host: "blocked.example", ...reason }],
  },
  "/blocked-hosts/:id/unblock": {
    expected: installation,
    form: async () => {
      const input = { host: "also-blocked.example", ...reason };
      const { id } = await service.operator.expect(
        201,
        BlockedHost,
        "POST",
        "/operator/blocked-hosts",
        input,
      );
      return [`/blocked-hosts/${id}/unblock`];
    },
  },
  "/dead-letters/retry": {
    expected: installation,
    form: async () => ["/dead-letters/retry", { queue: "scans" }],
  },
  "/dead-letters/:id/retry": {
    expected: installation,
    form: async () => {
      const createdAt = service.deps.now();
      const id = newId(createdAt);
      const body = JSON.stringify({ batches: [] });
      const row = {
        id,
        queue: "scans",
        messageId: id,
        body,
        createdAt,
        expiresAt: createdAt + 60_000,
      } as const;
      await saveDeadLetter(env.DB, row);
      return [`/dead-letters/${id}/retry`];
    },
  },
};

let operator: Awaited<ReturnType<typeof signedInOperator>>;
let shared: HistoryWorkspace;
beforeAll(async () => {
  operator = await signedInOperator(service);
  shared = await HistoryWorkspace.of(service);
});

/** All that have entries, and one of those that have none for the same reason. */
const tried = oneOfEach(Object.entries(cases), ([path, { expected }]) =>
  "none" in expected ? expected.none : path,
);

it.each(tried)("%s", async (name, { expected, form }) => {
  const world = name.startsWith("/workspaces/") ? await HistoryWorkspace.of(service) : shared;
  const [path, fields = {}] = await form(world);
  await world.newEntries();
  const response = await operator.submit(`/operator${path}`, fields);
  const page = await response.text();
  expect(response.status < 400 ? "" : `${response.status}: ${page}`).toBe("");
  const entries = await world.newEntries();
  expect(entries.map(({ action }) => action).sort()).toEqual(actionsOf(expected));
  for (const { actor, via, requestId } of entries) {
    expect([actor.kind, actor.id, via]).toEqual(["operator", null, "dashboard"]);
    expect(requestId).toBe(response.headers.get("x-request-id"));
  }
});

it("knows every form", () => {
  const forms = operatorRoutes.filter(([verb]) => verb === "POST").map(([, path]) => path);
  expect(Object.keys(cases).sort()).toEqual(forms.sort());
});

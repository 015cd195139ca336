import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { decideAbuseReport, listAbuseReports } from "../../domain/abuse-reports/review.ts";
import { blockHost, listBlockedHosts, unblockHost } from "../../domain/destinations/blocked-hosts.ts";
import {
  getDomainOfHost,
  listWorkspaceDomains,
  putDomain,
  removeDomain,
} from "../../domain/domains/operator.ts";
import { createSignInLink } from "../../domain/identity/sign-in-links.ts";
import { listDeadLetters, retryDeadLetter, retryDeadLetters } from "../../domain/operations/dead-letters.ts";
import { openLedgers } from "../../domain/operations/ledgers.ts";
import { checkReadiness } from "../../domain/operations/readiness.ts";
import { inspectWorkspace, listWorkspaces } from "../../domain/operations/workspaces.ts";
import {
  setCodeSuspension,
  setDomainSuspension,
  setPageSuspension,
  setWorkspaceSuspension,
} from "../../domain/suspensions.ts";
import { reEncryptWebhookSecrets } from "../../domain/webhooks/re-encryption.ts";
import { changePlan } from "../../domain/workspaces/plan.ts";
import { bind, bindCheck } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function operatorRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listWorkspaces, ({ deps, query }) => listWorkspaces(deps, query));
  bind(app, endpoints.inspectWorkspace, ({ deps, params }) => inspectWorkspace(deps, params.id));
  bind(app, endpoints.changePlan, ({ deps, caller, params, body }) =>
    changePlan(deps, caller, params.id, body),
  );
  bind(app, endpoints.createSignInLink, ({ deps, body }) => createSignInLink(deps, body));
  bind(app, endpoints.listDeadLetters, ({ deps, query }) => listDeadLetters(deps, query));
  bind(app, endpoints.retryDeadLetter, ({ deps, params }) => retryDeadLetter(deps, params.id));
  bind(app, endpoints.retryDeadLetters, ({ deps, body }) => retryDeadLetters(deps, body));
  bind(app, endpoints.reEncryptWebhookSecrets, ({ deps, query }) => reEncryptWebhookSecrets(deps, query));
  bind(app, endpoints.openLedgers, ({ deps, query }) => openLedgers(deps, query));
  bind(app, endpoints.listBlockedHosts, ({ deps, query }) => listBlockedHosts(deps, query));
  bind(app, endpoints.blockHost, ({ deps, body }) => blockHost(deps, body));
  bind(app, endpoints.unblockHost, ({ deps, params }) => unblockHost(deps, params.id));
  bind(app, endpoints.listAbuseReports, ({ deps, query }) => listAbuseReports(deps, query));
  bind(app, endpoints.decideAbuseReport, ({ deps, caller, params, body }) =>
    decideAbuseReport(deps, caller, params.id, body),
  );
  bind(app, endpoints.listWorkspaceDomains, ({ deps, params }) => listWorkspaceDomains(deps, params.id));
  bind(app, endpoints.getDomainOfHost, ({ deps, params }) => getDomainOfHost(deps, params.host));
  bind(app, endpoints.putDomain, ({ deps, caller, params, body }) =>
    putDomain(deps, caller, params.host, body.workspaceId),
  );
  bind(app, endpoints.removeDomain, ({ deps, caller, params }) => removeDomain(deps, caller, params.host));
  bind(app, endpoints.suspendDomain, ({ deps, caller, params, body }) =>
    setDomainSuspension(deps, caller, params.host, body),
  );
  bind(app, endpoints.liftDomain, ({ deps, caller, params }) =>
    setDomainSuspension(deps, caller, params.host, null),
  );
  bind(app, endpoints.suspendQr, ({ deps, caller, params, body }) =>
    setCodeSuspension(deps, caller, params.id, body),
  );
  bind(app, endpoints.liftQr, ({ deps, caller, params }) => setCodeSuspension(deps, caller, params.id, null));
  bind(app, endpoints.suspendPage, ({ deps, caller, params, body }) =>
    setPageSuspension(deps, caller, params.id, body),
  );
  bind(app, endpoints.liftPage, ({ deps, caller, params }) =>
    setPageSuspension(deps, caller, params.id, null),
  );
  bind(app, endpoints.suspendWorkspace, ({ deps, caller, params, body }) =>
    setWorkspaceSuspension(deps, caller, params.id, body),
  );
  bind(app, endpoints.liftWorkspace, ({ deps, caller, params }) =>
    setWorkspaceSuspension(deps, caller, params.id, null),
  );
  bindCheck(app, endpoints.getReadiness, async ({ deps }) => {
    const result = await checkReadiness(deps);
    return { succeeded: result.ready, result };
  });
}

import { blockedHostList, saveBlockedHost, unblock } from "./blocked-hosts.tsx";
import { deadLetterList, retryLetter, retryQueue } from "./dead-letters.tsx";
import { health } from "./health.tsx";
import { operatorOverview } from "./overview.tsx";
import { reportList } from "./reports/list.tsx";
import { decideReport, showReport } from "./reports/show.tsx";
import type { OperatorRoute } from "./request.ts";
import { askToSuspend, lift, suspend } from "./suspend.tsx";
import { findSubject, suspensionList } from "./suspensions.tsx";
import { confirmDomainRemoval, removeDomain } from "./workspaces/domains.tsx";
import { createLink } from "./workspaces/links.tsx";
import { workspaceList } from "./workspaces/list.tsx";
import { editPlan, savePlan } from "./workspaces/plan.tsx";
import { showWorkspace } from "./workspaces/show.tsx";

/** Every page and form for the operator. Paths are below /operator. */
export const operatorRoutes: readonly OperatorRoute[] = [
  ["GET", "/", operatorOverview],
  ["GET", "/health", health],

  ["GET", "/workspaces", workspaceList],
  ["POST", "/sign-in-links", createLink],
  ["GET", "/workspaces/:id", showWorkspace],
  ["GET", "/workspaces/:id/plan", editPlan],
  ["POST", "/workspaces/:id/plan", savePlan],
  ["GET", "/workspaces/:id/suspend", askToSuspend("workspace")],
  ["POST", "/workspaces/:id/suspend", suspend("workspace")],
  ["POST", "/workspaces/:id/lift", lift("workspace")],

  ["GET", "/domains/:host/suspend", askToSuspend("domain")],
  ["POST", "/domains/:host/suspend", suspend("domain")],
  ["POST", "/domains/:host/lift", lift("domain")],
  ["GET", "/domains/:host/remove", confirmDomainRemoval],
  ["POST", "/domains/:host/remove", removeDomain],

  ["GET", "/reports", reportList],
  ["GET", "/reports/:id", showReport],
  ["POST", "/reports/:id", decideReport],

  ["GET", "/suspensions", suspensionList],
  ["GET", "/suspensions/find", findSubject],
  ["GET", "/codes/:id/suspend", askToSuspend("code")],
  ["POST", "/codes/:id/suspend", suspend("code")],
  ["POST", "/codes/:id/lift", lift("code")],
  ["GET", "/pages/:id/suspend", askToSuspend("page")],
  ["POST", "/pages/:id/suspend", suspend("page")],
  ["POST", "/pages/:id/lift", lift("page")],

  ["GET", "/blocked-hosts", blockedHostList],
  ["POST", "/blocked-hosts", saveBlockedHost],
  ["POST", "/blocked-hosts/:id/unblock", unblock],

  ["GET", "/dead-letters", deadLetterList],
  ["POST", "/dead-letters/retry", retryQueue],
  ["POST", "/dead-letters/:id/retry", retryLetter],
];

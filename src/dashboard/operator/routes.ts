import { blockedHostList, saveBlockedHost, unblock } from "./blocked-hosts.tsx";
import { deadLetterList, retryLetter, retryQueue } from "./dead-letters.tsx";
import { health } from "./health.tsx";
import { operatorOverview } from "./overview.tsx";
import { reportList } from "./reports/list.tsx";
import { decideReport, showReport } from "./reports/show.tsx";
import type { OperatorRoute } from "./request.ts";
import { suspendOne, suspensionFormOf } from "./suspend.tsx";
import { findSubject, liftCode, liftPage, suspensionList } from "./suspensions.tsx";
import {
  confirmDomainRemoval,
  domainSuspensionForm,
  liftDomain,
  removeDomain,
  suspendDomain,
} from "./workspaces/domains.tsx";
import { createLink } from "./workspaces/links.tsx";
import { workspaceList } from "./workspaces/list.tsx";
import { editPlan, savePlan } from "./workspaces/plan.tsx";
import { showWorkspace } from "./workspaces/show.tsx";
import { liftWorkspace, suspendWorkspace, suspensionForm } from "./workspaces/suspension.tsx";

/** Every page and form for the operator. Paths are below /operator. */
export const operatorRoutes: readonly OperatorRoute[] = [
  ["GET", "/", operatorOverview],
  ["GET", "/health", health],

  ["GET", "/workspaces", workspaceList],
  ["POST", "/sign-in-links", createLink],
  ["GET", "/workspaces/:id", showWorkspace],
  ["GET", "/workspaces/:id/plan", editPlan],
  ["POST", "/workspaces/:id/plan", savePlan],
  ["GET", "/workspaces/:id/suspend", suspensionForm],
  ["POST", "/workspaces/:id/suspend", suspendWorkspace],
  ["POST", "/workspaces/:id/lift", liftWorkspace],

  ["GET", "/domains/:host/suspend", domainSuspensionForm],
  ["POST", "/domains/:host/suspend", suspendDomain],
  ["POST", "/domains/:host/lift", liftDomain],
  ["GET", "/domains/:host/remove", confirmDomainRemoval],
  ["POST", "/domains/:host/remove", removeDomain],

  ["GET", "/reports", reportList],
  ["GET", "/reports/:id", showReport],
  ["POST", "/reports/:id", decideReport],

  ["GET", "/suspensions", suspensionList],
  ["GET", "/suspensions/find", findSubject],
  ["GET", "/codes/:id/suspend", suspensionFormOf("code")],
  ["POST", "/codes/:id/suspend", suspendOne("code")],
  ["POST", "/codes/:id/lift", liftCode],
  ["GET", "/pages/:id/suspend", suspensionFormOf("page")],
  ["POST", "/pages/:id/suspend", suspendOne("page")],
  ["POST", "/pages/:id/lift", liftPage],

  ["GET", "/blocked-hosts", blockedHostList],
  ["POST", "/blocked-hosts", saveBlockedHost],
  ["POST", "/blocked-hosts/:id/unblock", unblock],

  ["GET", "/dead-letters", deadLetterList],
  ["POST", "/dead-letters/retry", retryQueue],
  ["POST", "/dead-letters/:id/retry", retryLetter],
];

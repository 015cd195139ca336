import type { OperatorRoute } from "./request.ts";
import { editPlan, savePlan } from "./workspaces/plan.tsx";
import { createLink } from "./workspaces/links.tsx";
import { workspaceList } from "./workspaces/list.tsx";
import { showWorkspace } from "./workspaces/show.tsx";
import { liftWorkspace, suspendWorkspace, suspensionForm } from "./workspaces/suspension.tsx";

/** Every page and form for the operator. Paths are below /operator. */
export const operatorRoutes: readonly OperatorRoute[] = [
  ["GET", "/", () => ({ seeOther: "/operator/workspaces" })],

  ["GET", "/workspaces", workspaceList],
  ["POST", "/sign-in-links", createLink],
  ["GET", "/workspaces/:id", showWorkspace],
  ["GET", "/workspaces/:id/plan", editPlan],
  ["POST", "/workspaces/:id/plan", savePlan],
  ["GET", "/workspaces/:id/suspend", suspensionForm],
  ["POST", "/workspaces/:id/suspend", suspendWorkspace],
  ["POST", "/workspaces/:id/lift", liftWorkspace],
];

import { form, type Route } from "../frame/request.ts";
import { newWorkspace, saveWorkspace, switchTo, workspaceList, workspaceLogo } from "./workspaces.tsx";

/** The pages and forms of a person's workspaces. */
export const workspaceRoutes: readonly Route[] = [
  ["GET", "/workspaces", "account", workspaceList],
  ["POST", "/workspaces/switch", "account", switchTo, { personal: true }],
  ["GET", "/workspaces/:id/logo", "account", workspaceLogo],
  ...form("/workspaces/new", "account", newWorkspace, saveWorkspace, { personal: true }),
];

import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";
import { ApiKeyInput, ApiKeyList, NewApiKey } from "../resources/keys.ts";
import { Deleted } from "../resources/qr.ts";
import { SessionList } from "../resources/sessions.ts";
import { Workspace, WorkspaceInput } from "../resources/workspace.ts";

/** API keys and the workspace, for signed-in users and programs with a session token. */
export const developerEndpoints = {
  createKey: {
    method: "post",
    path: "/developer/keys",
    tag: "Developer",
    summary: "Create an API key",
    auth: "session",
    body: ApiKeyInput,
    status: 201,
    response: NewApiKey,
    errors: bodyErrors,
  },
  listKeys: {
    method: "get",
    path: "/developer/keys",
    tag: "Developer",
    summary: "List API keys: the active ones, oldest first",
    auth: "session",
    status: 200,
    response: ApiKeyList,
    errors: [],
  },
  revokeKey: {
    method: "delete",
    path: "/developer/keys/{id}",
    tag: "Developer",
    summary: "Revoke an API key; it stops working at once",
    auth: "session",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  listSessions: {
    method: "get",
    path: "/developer/sessions",
    tag: "Developer",
    summary: "List your sessions: newest first",
    auth: "session",
    status: 200,
    response: SessionList,
    errors: [],
  },
  endSession: {
    method: "delete",
    path: "/developer/sessions/{id}",
    tag: "Developer",
    summary: "End one of your sessions; its next request is refused",
    auth: "session",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  getWorkspace: {
    method: "get",
    path: "/developer/workspace",
    tag: "Developer",
    summary: "Retrieve the workspace: its plan, limits and usage",
    auth: "session",
    status: 200,
    response: Workspace,
    errors: [],
  },
  updateWorkspace: {
    method: "patch",
    path: "/developer/workspace",
    tag: "Developer",
    summary: "Rename the workspace",
    auth: "session",
    body: WorkspaceInput,
    status: 200,
    response: Workspace,
    errors: bodyErrors,
  },
} as const satisfies Record<string, SessionEndpoint>;

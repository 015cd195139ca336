import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";
import { ApiKeyInput, ApiKeyList, NewApiKey } from "../resources/keys.ts";
import { Deleted } from "../resources/qr.ts";
import { Workspace } from "../resources/workspace.ts";

/** What the dashboard can do, for programs too. */
export const developerEndpoints = {
  createKey: {
    method: "post",
    path: "/developer/keys",
    tag: "Developer",
    summary: "Create an API key; it is shown in full this once",
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
    summary: "List API keys, oldest first, without those that are revoked",
    auth: "session",
    status: 200,
    response: ApiKeyList,
    errors: [],
  },
  revokeKey: {
    method: "delete",
    path: "/developer/keys/{id}",
    tag: "Developer",
    summary: "Revoke an API key, at once",
    auth: "session",
    status: 200,
    response: Deleted,
    errors: [404],
  },
  getWorkspace: {
    method: "get",
    path: "/developer/workspace",
    tag: "Developer",
    summary: "Your workspace: its plan, what that allows, and what is used of it",
    auth: "session",
    status: 200,
    response: Workspace,
    errors: [],
  },
} as const satisfies Record<string, SessionEndpoint>;

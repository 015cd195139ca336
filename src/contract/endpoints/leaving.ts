import { Deleted } from "../resources/codes/qr.ts";
import {
  AccountDeletionInput,
  DeletionStatus,
  WorkspaceDeletionInput,
} from "../resources/identity/leaving.ts";
import { bodyErrors, type SessionEndpoint } from "./endpoint.ts";

/** Deleting the workspace and one's account. They also answer while the workspace is being deleted. */
export const leavingEndpoints = {
  deleteWorkspace: {
    method: "post",
    path: "/developer/workspace/deletion",
    tag: "Developer",
    summary: "Delete the workspace: everything but its codes ends at once; its data is erased later",
    auth: "session",
    permission: "workspace",
    body: WorkspaceDeletionInput,
    status: 202,
    response: DeletionStatus,
    errors: bodyErrors,
  },
  getWorkspaceDeletion: {
    method: "get",
    path: "/developer/workspace/deletion",
    tag: "Developer",
    summary: "Retrieve how far the deletion of the workspace is",
    auth: "session",
    permission: "account",
    status: 200,
    response: DeletionStatus,
    errors: [],
  },
  cancelWorkspaceDeletion: {
    method: "delete",
    path: "/developer/workspace/deletion",
    tag: "Developer",
    summary: "Cancel the deletion of the workspace, until its data is erased",
    auth: "session",
    permission: "workspace",
    status: 200,
    response: DeletionStatus,
    errors: [],
  },
  deleteAccount: {
    method: "post",
    path: "/developer/account/deletion",
    tag: "Developer",
    summary: "Delete your account, and the workspaces of which you are the only member",
    auth: "session",
    permission: "account",
    body: AccountDeletionInput,
    status: 200,
    response: Deleted,
    errors: [...bodyErrors, 409],
  },
} as const satisfies Record<string, SessionEndpoint>;

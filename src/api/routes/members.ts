import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import {
  acceptInvitation,
  createInvitation,
  getOpenInvitation,
  listInvitations,
  revokeInvitation,
} from "../../domain/identity/invitations.ts";
import {
  leaveWorkspace,
  listMembers,
  listOwnWorkspaces,
  removeMember,
  transferOwnership,
  updateMember,
} from "../../domain/identity/members.ts";
import { createWorkspace } from "../../domain/identity/new-workspaces.ts";
import { bind } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function memberRoutes(app: Hono<ApiEnv>): void {
  bind(app, endpoints.listOwnWorkspaces, ({ deps, caller }) => listOwnWorkspaces(deps, caller));
  bind(app, endpoints.createWorkspace, ({ deps, caller, body }) => createWorkspace(deps, caller, body));
  bind(app, endpoints.leaveWorkspace, ({ deps, caller }) => leaveWorkspace(deps, caller));
  bind(app, endpoints.transferOwnership, ({ deps, caller, params }) =>
    transferOwnership(deps, caller, params.id),
  );
  bind(app, endpoints.listMembers, ({ deps, caller }) => listMembers(deps, caller));
  bind(app, endpoints.updateMember, ({ deps, caller, params, body }) =>
    updateMember(deps, caller, params.id, body),
  );
  bind(app, endpoints.removeMember, ({ deps, caller, params }) => removeMember(deps, caller, params.id));
  bind(app, endpoints.createInvitation, ({ deps, caller, body }) => createInvitation(deps, caller, body));
  bind(app, endpoints.listInvitations, ({ deps, caller }) => listInvitations(deps, caller));
  bind(app, endpoints.revokeInvitation, ({ deps, caller, params }) =>
    revokeInvitation(deps, caller, params.id),
  );
  bind(app, endpoints.getOpenInvitation, ({ deps, params }) => getOpenInvitation(deps, params.token));
  bind(app, endpoints.acceptInvitation, ({ deps, caller, params }) =>
    acceptInvitation(deps, caller, params.token),
  );
}

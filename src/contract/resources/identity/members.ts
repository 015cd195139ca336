import * as z from "zod";
import { limits } from "../../limits.ts";
import { Plan } from "../../plans.ts";
import { Role } from "../../roles.ts";
import { email, oneLine } from "../../text.ts";

/** The people of a workspace, the workspaces of a person, and the invitations by which people join. */

export const OwnWorkspace = z
  .object({
    id: z.uuid(),
    name: z.string(),
    logoId: z.string().nullable().meta({ description: "The logo beside the name; null for none" }),
    plan: Plan,
    role: Role.meta({ description: "Your role in it" }),
    current: z.boolean().meta({ description: "Whether this request acts for it" }),
  })
  .meta({ id: "OwnWorkspace" });
export type OwnWorkspace = z.output<typeof OwnWorkspace>;

export const OwnWorkspaceList = z
  .object({ workspaces: z.array(OwnWorkspace) })
  .meta({ id: "OwnWorkspaceList" });

export const NewWorkspaceInput = z
  .object({ name: oneLine(limits.workspaceName).meta({ example: "Harbour Coffee" }) })
  .meta({ id: "NewWorkspaceInput" });
export type NewWorkspaceInput = z.output<typeof NewWorkspaceInput>;

export const WorkspaceMember = z
  .object({
    id: z.uuid(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: Role,
    joinedAt: z.iso.datetime(),
    current: z.boolean().meta({ description: "Whether it is you" }),
  })
  .meta({ id: "Member" });
export type WorkspaceMember = z.output<typeof WorkspaceMember>;

export const MemberList = z
  .object({ members: z.array(WorkspaceMember).meta({ description: "Those who joined first come first" }) })
  .meta({ id: "MemberList" });

export const MemberUpdate = z.object({ role: Role }).meta({ id: "MemberUpdate" });
export type MemberUpdate = z.output<typeof MemberUpdate>;

export const InvitationInput = z
  .object({
    role: Role.meta({ description: "At most your own" }),
    email: email.optional().meta({
      description:
        "Only a person whose identity provider has verified this address can join. Without it, anyone with the link can",
    }),
  })
  .meta({ id: "InvitationInput" });
export type InvitationInput = z.output<typeof InvitationInput>;

const invitation = {
  id: z.uuid(),
  role: Role,
  email: z.string().nullable(),
  invitedBy: z.string().nullable().meta({ description: "The name of the member who sent it" }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
};

export const Invitation = z.object(invitation).meta({ id: "Invitation" });
export type Invitation = z.output<typeof Invitation>;

export const NewInvitation = z
  .object({
    ...invitation,
    url: z.url().meta({ description: "Works once. It can't be read again" }),
  })
  .meta({ id: "NewInvitation" });
export type NewInvitation = z.output<typeof NewInvitation>;

export const InvitationList = z
  .object({
    invitations: z.array(Invitation).meta({ description: "Those that can still be used, newest first" }),
  })
  .meta({ id: "InvitationList" });

/** An invited person who joins with a passkey. */
export const InvitedInput = z.object({ name: oneLine(limits.name) });

export const OpenInvitation = z
  .object({
    workspaceName: z.string(),
    hasLogo: z
      .boolean()
      .meta({ description: "Whether the page of the invitation shows the workspace's logo" }),
    role: Role,
    email: z.string().nullable(),
    invitedBy: z.string().nullable(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "OpenInvitation" });
export type OpenInvitation = z.output<typeof OpenInvitation>;

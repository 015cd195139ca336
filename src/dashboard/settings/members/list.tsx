import type { Invitation, WorkspaceMember } from "../../../contract/resources/identity/members.ts";
import { isAtLeast } from "../../../contract/roles.ts";
import type { Member } from "../../../domain/context/context.ts";
import { may } from "../../../domain/context/permissions.ts";
import { listInvitations, revokeInvitation } from "../../../domain/identity/invitations.ts";
import { listMembers } from "../../../domain/identity/members.ts";
import { MenuAction, RowMenu } from "../../../ui/menu.tsx";
import { Table } from "../../../ui/table.tsx";
import { Avatar } from "../../../ui/values/avatar.tsx";
import { formatDate } from "../../../ui/values/format.ts";
import { roleTexts } from "../../../ui/values/roles.ts";
import { change } from "../../frame/change.ts";
import type { DashboardRequest, PageResponse } from "../../frame/request.ts";
import { membersPath, SettingsPage } from "../../frame/settings-page.tsx";

/** The members of the workspace and, for those who may invite others, the invitations that can still be used. */
export async function memberList(request: DashboardRequest): Promise<PageResponse> {
  const { deps, context } = request;
  const isManaging = may(context, "members");
  const [{ members }, { invitations }, timeZone] = await Promise.all([
    listMembers(deps, context),
    isManaging ? listInvitations(deps, context) : { invitations: [] },
    request.timeZone(),
  ]);
  return {
    title: "Members",
    content: (
      <SettingsPage
        request={request}
        title="Members"
        action={
          isManaging && (
            <a class="button primary" href={`${membersPath}/invite`}>
              Invite member
            </a>
          )
        }
      >
        <MemberTable members={members} context={context} timeZone={timeZone} />
        {invitations.length > 0 && (
          <>
            <h2 class="below">Invitations</h2>
            <InvitationTable invitations={invitations} timeZone={timeZone} />
          </>
        )}
        <section class="card below" aria-labelledby="leave">
          <h2 id="leave">Leave workspace</h2>
          <p>You lose access at once. What you created stays.</p>
          <a class="button" href={`${membersPath}/leave`}>
            Leave workspace
          </a>
        </section>
      </SettingsPage>
    ),
  };
}

const nameOf = ({ name, email }: WorkspaceMember): string => name ?? email ?? "A person without a name";

interface MembersProps {
  readonly members: readonly WorkspaceMember[];
  readonly context: Member;
  readonly timeZone: string;
}

const MemberTable = ({ members, context, timeZone }: MembersProps) => (
  <Table
    kind="records"
    rows={members}
    columns={[
      {
        head: "Name",
        cell: (member) => (
          <span class="with-avatar">
            <Avatar name={nameOf(member)} />
            <span>
              <strong>{nameOf(member)}</strong>
              {member.current && <span class="quiet"> (you)</span>}
              {member.name !== null && member.email !== null && (
                <span class="second quiet">{member.email}</span>
              )}
            </span>
          </span>
        ),
      },
      ["Role", ({ role }) => roleTexts[role].name],
      ["Joined", ({ joinedAt }) => formatDate(joinedAt, timeZone), { kind: "nowrap" }],
    ]}
    actions={(member) => <MemberMenu member={member} context={context} />}
  />
);

/** The changes of a member that one's role allows. */
function MemberMenu({ member, context }: { member: WorkspaceMember; context: Member }) {
  const { id, role, current } = member;
  if (!may(context, "members") || !isAtLeast(context.role, role)) return null;
  const path = `${membersPath}/${id}`;
  return (
    <RowMenu
      name={nameOf(member)}
      items={[
        ["Change role", "pencil", `${path}/role`],
        !current &&
          may(context, "workspace") &&
          role !== "owner" && ["Transfer ownership", "key-round", `${path}/transfer`],
        !current && ["Remove", "trash", `${path}/remove`],
      ]}
    />
  );
}

interface InvitationsProps {
  readonly invitations: readonly Invitation[];
  readonly timeZone: string;
}

const InvitationTable = ({ invitations, timeZone }: InvitationsProps) => (
  <Table
    kind="records"
    rows={invitations}
    columns={[
      {
        head: "For",
        cell: ({ email, invitedBy }) => (
          <>
            <strong>{email ?? "Anyone with the link"}</strong>
            {invitedBy !== null && <span class="second quiet">by {invitedBy}</span>}
          </>
        ),
      },
      ["Role", ({ role }) => roleTexts[role].name],
      ["Expires", ({ expiresAt }) => formatDate(expiresAt, timeZone), { kind: "nowrap" }],
    ]}
    actions={({ id, email }) => (
      <RowMenu name={email ?? "the invitation"}>
        <MenuAction path={`${membersPath}/invitations/${id}/revoke`} icon="trash" danger>
          Revoke
        </MenuAction>
      </RowMenu>
    )}
  />
);

export const endInvitation = change(revokeInvitation, membersPath, "invitationRevoked");

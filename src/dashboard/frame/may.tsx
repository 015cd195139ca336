import { type Child, createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { Permission } from "../../contract/roles.ts";
import type { Member } from "../../domain/context/context.ts";
import { WithFormFields } from "../../ui/forms/post-form.tsx";
import { formFields } from "./form-workspace.ts";
import { may } from "../../domain/context/permissions.ts";

/** The member whom a page is drawn for. */
const Viewer = createContext<Pick<Member, "role"> | null>(null);

/** Draws its children for a member: as their role allows, with forms that name their workspace. */
export const ForMember = ({ member, children }: PropsWithChildren<{ member: Member }>) => (
  <Viewer.Provider value={member}>
    <WithFormFields fields={[[formFields.workspace, member.workspaceId]]}>{children}</WithFormFields>
  </Viewer.Provider>
);

interface Props {
  readonly permission: Permission;
  /** Shown to the others; nothing by default. */
  readonly otherwise?: Child;
}

/** Shows its children only to members whose role allows it. Everything that a role may lack is offered in one of these. */
export function May({ permission, otherwise = null, children }: PropsWithChildren<Props>) {
  const member = useContext(Viewer);
  return <>{member !== null && may(member, permission) ? children : otherwise}</>;
}

import { type Child, createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { Permission } from "../../contract/roles.ts";
import type { Member } from "../../domain/context/context.ts";
import { may } from "../../domain/context/permissions.ts";

/** The member whom a page is drawn for. */
const Viewer = createContext<Pick<Member, "role"> | null>(null);

/** Draws its children for a member. */
export const ForMember = ({ member, children }: PropsWithChildren<{ member: Member }>) => (
  <Viewer.Provider value={member}>{children}</Viewer.Provider>
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

import { type Child, createContext, type PropsWithChildren, useContext } from "hono/jsx";
import type { Permission } from "../../contract/roles.ts";
import type { Member } from "../../domain/context/context.ts";
import { may } from "../../domain/context/permissions.ts";
import { WithFormFields } from "../../ui/forms/post-form.tsx";
import { WithCodeImages } from "../../ui/values/code-image.tsx";
import { formFields } from "./form-workspace.ts";
import type { DashboardRequest } from "./request.ts";

/** The member whom a page is drawn for. */
const Viewer = createContext<Pick<Member, "role"> | null>(null);

type MemberRequest = Pick<DashboardRequest, "context" | "deps">;

/**
 * Draws its children for the member of a request: as their role allows, with forms that name their workspace, and with
 * images of codes.
 */
export const ForMember = ({ request, children }: PropsWithChildren<{ request: MemberRequest }>) => (
  <Viewer.Provider value={request.context}>
    <WithFormFields fields={[[formFields.workspace, request.context.workspaceId]]}>
      <WithCodeImages scanOrigin={request.deps.settings.scanOrigin}>{children}</WithCodeImages>
    </WithFormFields>
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

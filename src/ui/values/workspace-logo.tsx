import { Avatar } from "./avatar.tsx";

interface Props {
  readonly name: string;
  /** The address of the logo's file; null for a workspace without one. */
  readonly logo: string | null;
}

/** A workspace's logo on white, or its initials. Decorative, since the name is beside it. */
export const WorkspaceLogo = ({ name, logo }: Props) =>
  logo === null ? (
    <Avatar name={name} />
  ) : (
    <span class="avatar workspace-logo">
      <img src={logo} alt="" width="32" height="32" />
    </span>
  );

/** Returns the address of a workspace's logo, which changes with the logo; null without one. */
export const workspaceLogoAddress = (id: string, logoId: string | null): string | null =>
  logoId === null ? null : `/dashboard/workspaces/${id}/logo?v=${logoId.slice(0, 16)}`;

import type { PropsWithChildren } from "hono/jsx";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { MenuAction, MenuLinks } from "../../ui/menu.tsx";
import { May } from "../frame/may.tsx";

interface Props {
  readonly qr: Pick<Qr, "id" | "status">;
  /** The address to return to after pausing or resuming; the code's page by default. */
  readonly back?: string;
  /** Whether they include pausing or resuming. */
  readonly hasStatus?: boolean;
}

/** Returns what pauses or resumes a code: the last part of its path, its icon and its text. */
export const statusChange = ({ status }: Pick<Qr, "status">) =>
  status === "active" ? (["pause", "pause", "Pause"] as const) : (["resume", "play", "Resume"] as const);

/** The items of a code's menu. @param children the first items */
export function CodeActions({
  qr: { id, status },
  back,
  hasStatus = true,
  children,
}: PropsWithChildren<Props>) {
  const page = `/dashboard/codes/${id}`;
  const [step, icon, text] = statusChange({ status });
  return (
    <>
      {children}
      <May permission="codes.write">
        <MenuLinks
          items={[
            ["Duplicate", "layers", `/dashboard/codes/new?from=${id}`],
            ["Move to folder", "folder-input", `${page}/edit#folderId`],
          ]}
        />
        {hasStatus && (
          <MenuAction path={`${page}/${step}`} icon={icon} values={back === undefined ? {} : { back }}>
            {text}
          </MenuAction>
        )}
        <MenuLinks items={["divider", ["Delete", "trash", `${page}/delete`]]} />
      </May>
    </>
  );
}

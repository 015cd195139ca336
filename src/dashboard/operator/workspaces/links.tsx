import { createSignInLink } from "../../../domain/identity/sign-in-links.ts";
import { Head } from "../../components/head.tsx";
import { CopyField } from "../../components/values/copy-field.tsx";
import { formatTime } from "../../components/values/format.ts";
import type { PageResponse } from "../../frame/request.ts";
import type { OperatorRequest } from "../request.ts";

/**
 * Creates a one-time link: for a new owner, or for a person who lost their passkeys. Shown once, since only its digest
 * is stored.
 * @throws not_found for an unknown person
 */
export async function createLink({ deps, form }: OperatorRequest): Promise<PageResponse> {
  const [userId, workspaceId] = [form.get("userId"), form.get("workspaceId")];
  const { url, expiresAt } = await createSignInLink(
    deps,
    userId === null ? { kind: "owner" } : { kind: "recovery", userId },
  );
  const isOwner = userId === null;
  const title = isOwner ? "Link for a new owner" : "Recovery link";
  const back =
    workspaceId === null
      ? { path: "/operator/workspaces", name: "Workspaces" }
      : { path: `/operator/workspaces/${encodeURIComponent(workspaceId)}`, name: "Workspace" };
  return {
    title,
    content: (
      <>
        <Head title={title} back={back} />
        <div class="read">
          <p>
            {isOwner
              ? "The person who opens it creates a passkey and names their workspace."
              : "Make sure who asks before you send it: whoever opens it becomes this person. It replaces all their passkeys by a new one and ends their sessions."}{" "}
            It works once, until {formatTime(expiresAt)}, and isn't shown again.
          </p>
          <CopyField label="One-time link" value={url} />
        </div>
      </>
    ),
  };
}

import type { SignInLinkInput } from "../../../contract/resources/identity/sign-in.ts";
import { createSignInLink } from "../../../domain/identity/sign-in-links.ts";
import { Head } from "../../../ui/head.tsx";
import { CopyField } from "../../../ui/values/copy-field.tsx";
import { formatTime } from "../../../ui/values/format.ts";
import type { PageResponse } from "../../frame/request.ts";
import type { OperatorRequest } from "../request.ts";

type Kind = SignInLinkInput["kind"];

const titles: Readonly<Record<Kind, string>> = {
  owner: "Link for a new owner",
  recovery: "Recovery link",
  confirmation: "Confirmation link",
};

const effects: Readonly<Record<Kind, string>> = {
  owner: "The person who opens it creates a passkey and names their workspace.",
  recovery:
    "Make sure who asks before you send it: whoever opens it becomes this person. It replaces all their passkeys by a new one and ends their sessions.",
  confirmation:
    "Make sure who asks before you send it: for 10 minutes this person can then add passkeys, end sessions, and delete or transfer what is theirs. It works only where they are signed in.",
};

/** Creates a one-time link. Shown once, since only its digest is stored. @throws not_found for an unknown person */
export async function createLink({ deps, form }: OperatorRequest): Promise<PageResponse> {
  const [userId, workspaceId] = [form.get("userId"), form.get("workspaceId")];
  const ofPerson: Kind = form.get("kind") === "confirmation" ? "confirmation" : "recovery";
  const kind: Kind = userId === null ? "owner" : ofPerson;
  const { url, expiresAt } = await createSignInLink(deps, { kind, userId: userId ?? undefined });
  const title = titles[kind];
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
            {effects[kind]} It works once, until {formatTime(expiresAt)}, and isn't shown again.
          </p>
          <CopyField label="One-time link" value={url} />
        </div>
      </>
    ),
  };
}

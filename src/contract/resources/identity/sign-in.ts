import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";

/** Signing in with passkeys: the operator's one-time links, and the forms of people. */

const SignInLinkKind = z.enum(["owner", "recovery", "confirmation"]);

export const SignInLinkInput = z
  .object({
    kind: SignInLinkKind.meta({
      description:
        "`owner`: someone joins with a workspace of their own; `recovery`: a person's passkeys are replaced by a new one; `confirmation`: a person who is signed in confirms who they are, only in their own session",
    }),
    userId: z
      .uuid("must be the id of a person")
      .optional()
      .meta({ description: "For all but `owner`: the person, one of the `people` of a workspace" }),
  })
  .refine(({ kind, userId }) => (kind === "owner") === (userId === undefined), {
    path: ["userId"],
    message: "is required, except for the link of a new owner",
  })
  .meta({ id: "SignInLinkInput" });
export type SignInLinkInput = z.output<typeof SignInLinkInput>;

export const SignInLink = z
  .object({
    url: z.url().meta({ description: "Works once. It can't be read again" }),
    kind: SignInLinkKind,
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "SignInLink" });
export type SignInLink = z.output<typeof SignInLink>;

/** A person who joins with a passkey. */
export const OwnerInput = z.object({ person: oneLine(limits.name), workspace: oneLine(limits.name) });
export type OwnerInput = z.output<typeof OwnerInput>;

export const PasskeyInput = z.object({ name: oneLine(limits.name) });
export type PasskeyInput = z.output<typeof PasskeyInput>;

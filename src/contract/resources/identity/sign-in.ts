import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";

/** Signing in with passkeys: the operator's one-time links, and the forms of people. */

export const SignInLinkInput = z
  .object({
    kind: z.enum(["owner", "recovery"]).meta({
      description:
        "`owner`: someone joins with a workspace of their own; `recovery`: a person's passkeys are replaced by a new one",
    }),
    userId: z
      .uuid("must be the id of a person")
      .optional()
      .meta({ description: "For `recovery`: the person, one of the `people` of a workspace" }),
  })
  .refine(({ kind, userId }) => (kind === "recovery") === (userId !== undefined), {
    path: ["userId"],
    message: "is required for a recovery link, and only there",
  })
  .meta({ id: "SignInLinkInput" });
export type SignInLinkInput = z.output<typeof SignInLinkInput>;

export const SignInLink = z
  .object({
    url: z.url().meta({ description: "Works once. It can't be read again" }),
    kind: z.enum(["owner", "recovery"]),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: "SignInLink" });
export type SignInLink = z.output<typeof SignInLink>;

/** A person who joins with a passkey. */
export const OwnerInput = z.object({ person: oneLine(limits.name), workspace: oneLine(limits.name) });
export type OwnerInput = z.output<typeof OwnerInput>;

export const PasskeyInput = z.object({ name: oneLine(limits.name) });
export type PasskeyInput = z.output<typeof PasskeyInput>;

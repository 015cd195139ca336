import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";

/** The operator's suspension of a code, a hosted page or a workspace. Owners see it and can't lift it. */

export const SuspensionInput = z
  .object({
    reason: oneLine(limits.suspensionReason).meta({
      description: "Shown to the owner in the API, never to visitors",
      example: "Reported as phishing",
    }),
    legalOrder: z.boolean().default(false).meta({
      description: "Whether a legal order requires it; visitors then get a 451 instead of a 403",
    }),
  })
  .meta({ id: "SuspensionInput" });
export type SuspensionInput = z.output<typeof SuspensionInput>;

export const Suspension = z
  .object({
    reason: z.string(),
    legalOrder: z.boolean().meta({ description: "Whether visitors get a 451 instead of a 403" }),
    at: z.iso.datetime(),
  })
  .meta({ id: "Suspension" });
export type Suspension = z.output<typeof Suspension>;

/** The field of a resource that can be suspended. */
export const suspended = Suspension.nullable().meta({
  description:
    "Why the operator has suspended it, so that visitors see a generic page; null if they have not",
});

export const SuspensionStatus = z
  .object({
    id: z.uuid().meta({ description: "The id of the QR code, hosted page or workspace" }),
    workspaceId: z.uuid(),
    suspended,
  })
  .meta({ id: "SuspensionStatus" });
export type SuspensionStatus = z.output<typeof SuspensionStatus>;

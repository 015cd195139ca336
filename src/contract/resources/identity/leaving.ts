import * as z from "zod";
import { limits } from "../../limits.ts";

/** Deleting a workspace, and a person's account. */

const { stop, freeze } = limits.workspaceDeletion;

export const DeletedCodes = z.enum(["stop", "freeze"]).meta({
  description: `What happens to the codes: \`stop\`, scans get a page that says so from now on, and the data is erased after ${stop} days; \`freeze\`, scans are redirected for ${freeze} days more, and the data is erased then`,
});
export type DeletedCodes = z.output<typeof DeletedCodes>;

export const WorkspaceDeletionInput = z
  .object({
    name: z.string().max(limits.workspaceName).meta({
      description: "The name of the workspace, to confirm that it is the right one",
      example: "Harbour Coffee",
    }),
    codes: DeletedCodes,
  })
  .meta({ id: "WorkspaceDeletionInput" });
export type WorkspaceDeletionInput = z.output<typeof WorkspaceDeletionInput>;

/** The parts of a workspace in the order in which they are erased. */
export const erasureSteps = ["codes", "pages", "records", "files", "ledger"] as const;

export const WorkspaceDeletion = z
  .object({
    codes: DeletedCodes,
    requestedAt: z.iso.datetime(),
    requestedBy: z.string().meta({ description: "The person's name at the time" }),
    eraseAt: z.iso
      .datetime()
      .meta({ description: "When the erasure begins. Until then it can be cancelled" }),
    erasing: z
      .enum(erasureSteps)
      .nullable()
      .meta({ description: "What is being erased; null until the erasure begins" }),
  })
  .meta({ id: "WorkspaceDeletion" });
export type WorkspaceDeletion = z.output<typeof WorkspaceDeletion>;

export const DeletionStatus = z
  .object({
    deletion: WorkspaceDeletion.nullable().meta({ description: "Null for a workspace that isn't deleted" }),
  })
  .meta({ id: "DeletionStatus" });

export const AccountDeletionInput = z
  .object({
    email: z.string().max(1000).meta({
      description: "Your e-mail address, or your name if you have none, to confirm that it is your account",
      example: "ada@example.com",
    }),
    codes: DeletedCodes,
  })
  .meta({ id: "AccountDeletionInput" });
export type AccountDeletionInput = z.output<typeof AccountDeletionInput>;

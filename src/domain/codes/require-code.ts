import { findQr } from "../../store/codes/codes.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireFound } from "../errors.ts";

/** Returns a code's row; a deleted one only with `deleted: "shown"`. @throws not_found */
export async function requireQr(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  deleted: "hidden" | "shown" = "hidden",
): Promise<QrRow> {
  return requireFound(await findQr(deps.db, context.workspaceId, id, { deleted }), "QR code");
}

import { limits } from "../../contract/limits.ts";
import type { DrawnFile } from "../../lib/web/file-response.ts";
import { requireQr } from "../codes/require-code.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { type Proof, proofOf, proofPictures } from "../images/proof.ts";
import { measuredCode, type UnsavedStyle } from "./preview.ts";

/** Returns how a code of the workspace was read. @throws as `measureCode` */
export async function proofOfCode(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<Proof | undefined> {
  const row = await requireQr(deps, context, id);
  return proofOf(deps, context, row, limits.scannability.designing);
}

/** Returns how an unsaved style was read. @throws as `measureUnsaved` */
export const proofOfUnsaved = (
  deps: Deps,
  context: WorkspaceContext,
  style: UnsavedStyle,
): Promise<Proof | undefined> =>
  proofOf(deps, context, measuredCode(style), limits.scannability.designing, style.logo);

/** Returns the pictures of an unsaved style's proof. @throws as `measureUnsaved` */
export const picturesOfUnsaved = (
  deps: Deps,
  context: WorkspaceContext,
  style: UnsavedStyle,
): Promise<DrawnFile> => proofPictures(deps, context, measuredCode(style), style.logo);

/** Returns the pictures of a code's proof. @throws as `measureCode` */
export const picturesOfCode = async (deps: Deps, context: WorkspaceContext, id: string): Promise<DrawnFile> =>
  proofPictures(deps, context, await requireQr(deps, context, id));

import type { DrawnFile } from "../../lib/web/file-response.ts";
import { requireQr } from "../codes/require-code.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { limits } from "../../contract/limits.ts";
import { type Proof, proofOf, proofPictures } from "../images/proof.ts";

/** Returns how a code of the workspace was read. @throws as `measureCode` */
export async function proofOfCode(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<Proof | undefined> {
  const row = await requireQr(deps, context, id);
  return proofOf(deps, context, row, limits.scannability.designing);
}

/** Returns the pictures of a code's proof. @throws as `measureCode` */
export const picturesOfCode = async (deps: Deps, context: WorkspaceContext, id: string): Promise<DrawnFile> =>
  proofPictures(deps, context, await requireQr(deps, context, id));

import { limits } from "../../contract/limits.ts";
import { ImageQuery } from "../../contract/resources/images/images.ts";
import { workUnits } from "../../contract/work-units.ts";
import { fileNameOf } from "../../lib/text/file-name.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import { requireQr } from "../codes/require-code.ts";
import { codeTitle, destinationText, pageTitlesOf } from "../codes/titles.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { designOf } from "../images/design.ts";
import { drawnLogo, factsOf, prepareDrawing, symbolOf } from "../images/images.ts";
import { proofOf } from "../images/proof.ts";
import { unavailable } from "../images-worker.ts";
import { drawPdf } from "./labels.ts";
import { composeProof } from "./proof-page.ts";

/** A proof as a file. */
export interface ProofFile {
  readonly filename: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Returns a proof of a code for the printer as PDF: the code at several widths, and how it was measured.
 * @throws not_found; rate_limited; invalid_input for a design that can't be drawn; internal (503) without the images
 * Worker
 */
export async function printProof(deps: Deps, context: WorkspaceContext, id: string): Promise<ProofFile> {
  const row = await requireQr(deps, context, id);
  const { workspaceId, plan } = context;
  const code = { ...row, workspaceId, plan };
  const logo = await drawnLogo(deps, code);
  const [proof, pageTitles] = await Promise.all([
    proofOf(deps, context, row, limits.scannability.saved, logo),
    pageTitlesOf(deps, context, [row]),
  ]);
  if (proof === undefined) throw unavailable({ what: "A proof", instead: "Print a code and scan it." });
  await takeHeavyWork(deps, workspaceId, workUnits.pdf(1));
  const file = await prepareDrawing(deps, code, ImageQuery.parse({}), logo, "printed");
  const scanUrl = scanUrlOf(row, deps.settings.scanOrigin);
  const document = composeProof(
    {
      title: codeTitle({ ...row, scanUrl }),
      link: withoutScheme(scanUrl),
      destination: destinationText(row.data, pageTitles),
      svg: new TextDecoder().decode(await file.draw()),
      symbol: symbolOf(deps, code, logo),
      design: designOf(row, plan),
      hasLogo: logo !== undefined,
      facts: factsOf(deps, code, logo),
      proof,
    },
    deps.now(),
  );
  const name = fileNameOf(row.name ?? "") || row.hash;
  return { filename: `${name}-proof.pdf`, bytes: await drawPdf(deps, document) };
}

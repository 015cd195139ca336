import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { ArchiveOptions, PrintOptions } from "../../contract/resources/images/prints.ts";
import { readSelection } from "../../domain/codes/filter.ts";
import { archiveImages } from "../../domain/print/archive.ts";
import {
  createImageJob,
  createLabelJob,
  deletePrint,
  downloadPrint,
  getPrintJob,
} from "../../domain/print/jobs.ts";
import { printLabels, type ReplacedLabel } from "../../domain/print/labels.ts";
import { inBlocks } from "../../lib/web/in-blocks.ts";
import { bind, bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function printRoutes(app: Hono<ApiEnv>): void {
  bindStream(app, endpoints.printLabels, async ({ deps, caller, body }) => {
    const { pdf, replaced } = await printLabels(deps, caller, await readSelection(deps, caller, body), body);
    return {
      mediaType: "application/pdf",
      filename: "labels.pdf",
      ...(replaced.length > 0 && { headers: { "x-replaced-characters": namesOf(replaced) } }),
      body: inBlocks([pdf]),
    };
  });
  bindStream(app, endpoints.archiveImages, async ({ deps, caller, body }) => ({
    mediaType: "application/zip",
    filename: "qr-codes.zip",
    body: await archiveImages(deps, caller, await readSelection(deps, caller, body), body),
  }));
  bind(app, endpoints.createLabelJob, async ({ deps, caller, body, idempotency }) =>
    createLabelJob(
      deps,
      caller,
      await readSelection(deps, caller, body),
      PrintOptions.parse(body),
      idempotency,
    ),
  );
  bind(app, endpoints.createImageJob, async ({ deps, caller, body, idempotency }) =>
    createImageJob(
      deps,
      caller,
      await readSelection(deps, caller, body),
      ArchiveOptions.parse(body),
      idempotency,
    ),
  );
  bind(app, endpoints.getPrintJob, ({ deps, caller, params }) => getPrintJob(deps, caller, params.jobId));
  bindStream(app, endpoints.downloadPrintJob, async ({ deps, caller, params }) => ({
    mediaType: "application/zip",
    ...(await downloadPrint(deps, caller, params.jobId)),
  }));
  bind(app, endpoints.deletePrintJob, async ({ deps, caller, params }) => {
    await deletePrint(deps, caller, params.jobId);
    return { success: true };
  });
}

/** Headers of this size pass every proxy. */
const mostNamed = { labels: 40, characters: 8 };

/** Names labels with signs for characters that the font lacks, and these: `menu U+83DC U+5355, x7Kp2 U+1F35C`. */
const namesOf = (replaced: readonly ReplacedLabel[]): string =>
  replaced
    .slice(0, mostNamed.labels)
    .map(({ hash, characters }) =>
      [
        hash,
        ...characters.slice(0, mostNamed.characters).map((each) => /U\+[0-9A-F]+/.exec(each)?.[0] ?? ""),
      ].join(" "),
    )
    .join(", ");

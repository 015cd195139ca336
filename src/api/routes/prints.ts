import type { Hono } from "hono";
import { endpoints } from "../../contract/endpoints/index.ts";
import { archiveImages } from "../../domain/print/archive.ts";
import { printLabels } from "../../domain/print/labels.ts";
import { inBlocks } from "../../lib/web/in-blocks.ts";
import { bindStream } from "../bind.ts";
import type { ApiEnv } from "../context.ts";

export function printRoutes(app: Hono<ApiEnv>): void {
  bindStream(app, endpoints.printLabels, async ({ deps, caller, body }) => ({
    mediaType: "application/pdf",
    filename: "labels.pdf",
    body: inBlocks([await printLabels(deps, caller, body, body)]),
  }));
  bindStream(app, endpoints.archiveImages, async ({ deps, caller, body }) => ({
    mediaType: "application/zip",
    filename: "qr-codes.zip",
    body: await archiveImages(deps, caller, body, body),
  }));
}

import { limits } from "../../contract/limits.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import * as store from "../../store/page-images.ts";
import { deleteRemovedRows } from "../../store/removed-rows.ts";
import type { Deps } from "../deps.ts";

export const pageImageRemoval = {
  /** How many images one sweep looks for. */
  perSweep: 100,
  /** How long an image is kept after its last use, and how often the use of each is checked. */
  graceMilliseconds: limits.storedImage.days * dayLength,
};

/** Removes stored images that no page shows. The file is deleted before the row, so that no file is left without a row. */
export async function removeUnusedPageImages(deps: Deps): Promise<void> {
  const { perSweep, graceMilliseconds } = pageImageRemoval;
  const now = deps.now();
  const images = await store.markUnusedPageImages(deps.db, now - graceMilliseconds, now, perSweep);
  if (images.length === 0 || deps.files === undefined) return;
  await store.deletePageImageFiles(deps.files, images);
  await deleteRemovedRows(deps.db, "page_images", images);
}

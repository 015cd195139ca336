import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";

/**
 * Connects to the Chromium that end-to-end tests share. Closing the connection closes its contexts alone.
 * @throws with the cause if Chromium did not start, so that no test is skipped silently
 */
export async function openBrowser(): Promise<Browser> {
  const shared = inject("sharedBrowser");
  if ("failure" in shared) throw new Error(`The browser did not start: ${shared.failure}`);
  return chromium.connect(shared.endpoint);
}

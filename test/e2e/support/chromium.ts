import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright, type Locator } from "playwright-core";

/**
 * Starts Chromium without the package's recommended arguments, since those disable site isolation and web security.
 * @throws with the cause if it can't start, so that no test is skipped silently
 */
export async function launchBrowser(): Promise<Browser> {
  try {
    return await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: ["--no-sandbox"],
    });
  } catch (cause) {
    throw new Error("The browser did not start", { cause });
  }
}

/** Waits until the browser has loaded an image. @param width in its own pixels @throws when it takes too long */
export async function hasLoaded(image: Locator, width: number): Promise<boolean> {
  const loaded = await image
    .page()
    .waitForFunction(
      ([element, expected]) => (element as { naturalWidth?: number } | null)?.naturalWidth === expected,
      [await image.elementHandle(), width] as const,
    );
  return loaded.jsonValue();
}

import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

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

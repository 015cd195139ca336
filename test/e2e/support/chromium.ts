import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/**
 * Starts a real browser. Not with the package's own settings: they switch off what keeps origins apart.
 * @throws with the cause if this machine can't start it: a test that needs it must not pass without
 */
export async function launchBrowser(): Promise<Browser> {
  try {
    return await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: ["--no-sandbox"],
    });
  } catch (cause) {
    throw new Error("The browser could not be started", { cause });
  }
}

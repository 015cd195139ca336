import chromium from "@sparticuz/chromium";
import {
  type Browser,
  type BrowserServer,
  type LaunchOptions,
  type Locator,
  chromium as playwright,
} from "playwright-core";

/** Without the package's recommended arguments, since those disable site isolation and web security. */
const launchOptions = async (): Promise<LaunchOptions> => ({
  executablePath: await chromium.executablePath(),
  args: ["--no-sandbox"],
});

/** Starts Chromium for this process alone. */
export const launchBrowser = async (): Promise<Browser> => playwright.launch(await launchOptions());

/** Starts Chromium for other processes, which connect to its `wsEndpoint()`. */
export const launchBrowserServer = async (): Promise<BrowserServer> =>
  playwright.launchServer({ ...(await launchOptions()), host: "127.0.0.1" });

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

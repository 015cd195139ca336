import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { RunningService } from "./running-service.ts";

/**
 * A tab in which a user has signed in at the local identity provider. Its context is the tab's alone.
 * @param errors receives the browser's complaints, such as those of the page's policy
 */
export async function openTab(
  browser: Browser,
  service: RunningService,
  userName: string,
  options: BrowserContextOptions = {},
  errors: string[] = [],
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await signInAt(page, service, userName);
  return page;
}

/** Signs a user in at a tab, which shows the overview afterwards. */
export async function signInAt(page: Page, service: RunningService, userName: string): Promise<void> {
  // Asked for credentials, the provider says when it got them, so that the session may do everything.
  await page.goto(`${service.dashboard}/sign-in?prompt=login`);
  await page.getByRole("link", { name: "Continue with" }).click();
  await page.getByRole("textbox").first().fill(userName);
  await page.getByRole("button").first().click();
  await page.waitForURL(`${service.origin}/dashboard`);
}

/**
 * Fetches as a signed-in user, without following redirects. Not by the context's own requests: each would look localhost
 * up by IPv6, for which some machines ask a name server.
 */
export async function fetchAs(context: BrowserContext, url: string): Promise<Response> {
  const cookies = await context.cookies(url);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return fetch(url, { headers: { cookie }, redirect: "manual" });
}

import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { OwnWorkspace } from "./workspaces.ts";

/** How long a busy machine may take to show something, milliseconds. Only failing tests take this long. */
const patience = 120_000;

/**
 * A tab in which a workspace's owner is signed in, by the session that the workspace was made with: to sign in again would
 * load three pages. Its context is the tab's alone.
 * @param errors receives the browser's complaints, such as those of the page's policy
 */
export async function openTab(
  browser: Browser,
  { cookies }: OwnWorkspace,
  options: BrowserContextOptions = {},
  errors: string[] = [],
): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  await context.addCookies(cookies);
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  // The question of the browser before it leaves a form.
  page.on("dialog", (dialog) => dialog.accept());
  return page;
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

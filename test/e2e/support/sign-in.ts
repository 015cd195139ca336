import { expect, vi } from "vitest";
import { Browser } from "./browser.ts";
import type { RunningService } from "./running-service.ts";

/**
 * Signs in at the dashboard as the user of this name, so that the provider says when: for ten minutes, the session may do
 * everything.
 * @param fullName as the provider knows it
 */
export async function signIn(server: RunningService, name: string, fullName = name): Promise<Browser> {
  const attempt = async () => {
    const browser = new Browser();
    await browser.open(server.dashboard);
    await browser.open(`${providerLinkOf(browser.page)}&prompt=login`);
    expect(browser.url.origin).toBe(server.issuer);
    expect(browser.page).toContain("Sign in for local development");
    await browser.submit({ name });
    expect({ at: browser.url.href, status: browser.status }).toEqual({ at: server.dashboard, status: 200 });
    expect(browser.page).toContain(`<span class="who"><span>${fullName}</span>`);
    return browser;
  };
  // On a busy machine the provider may take longer than the service waits: then the page asks to try again, or the name
  // is missing.
  return vi.waitFor(attempt, { timeout: 60_000, interval: 1000 });
}

/** The address of the page to sign in at which the provider takes over. */
export const providerLinkOf = (page: string): string =>
  /href="([^"]+)">Continue with/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";

/** Calls a developer endpoint as a page of the dashboard does: with the session cookie and the page's origin. */
export function callDeveloper(
  server: RunningService,
  browser: Browser,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return browser.fetch(`${server.origin}/api/v1/developer${path}`, {
    method,
    headers: { origin: server.origin, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

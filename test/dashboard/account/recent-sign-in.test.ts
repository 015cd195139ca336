import { expect, it } from "vitest";
import { Authenticator, passkeyRequestOf } from "../../support/authenticator.ts";
import type { Browser } from "../../support/browser.ts";
import { pageAt, signedIn } from "../../support/dashboard.ts";
import { FakeClock, origin, Service } from "../../support/service.ts";

const minute = 60_000;
const path = "/dashboard/settings/passkeys";

it("a passkey can be added within ten minutes of signing in, and after signing in again", async () => {
  const clock = new FakeClock();
  const service = new Service({ now: clock.now, settings: { passkeys: true } });
  const { browser } = await signedIn(service);
  const device = new Authenticator(origin);
  const add = async (by: Browser, page: string) => {
    const request = passkeyRequestOf(page);
    const credential = await device.create(request);
    return by.submit(`${path}/new`, { name: "Phone", credential, sealed: request.sealed ?? "" });
  };

  clock.advance(9 * minute);
  const form = await pageAt(browser, `${path}/new`);
  clock.advance(minute);
  const late = await add(browser, form);
  expect([late.status, await late.text()]).toEqual([403, expect.stringContaining("Sign in again")]);
  const asked = await pageAt(browser, `${path}/new`);
  expect(asked).toContain(`${origin}/dashboard/sign-in?return=`);
  expect(asked).not.toContain('name="credential"');
  expect(await pageAt(browser, path)).toContain("No passkeys yet");

  const again = await signedIn(service);
  const answer = await add(again.browser, await pageAt(again.browser, `${path}/new`));
  expect([answer.status, answer.headers.get("location")]).toEqual([303, origin + path]);
});

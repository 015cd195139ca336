import { Authenticator, passkeyRequestOf } from "./authenticator.ts";
import type { Browser } from "./browser.ts";
import { pageAt } from "./dashboard.ts";

const path = "/dashboard/settings/passkeys/new";

/** Fills in the form to add a passkey. @returns the fields, and the authenticator that has the passkey */
export async function newPasskey(browser: Browser, name = "Phone") {
  const device = new Authenticator(browser.service.deps.settings.appOrigin);
  const request = passkeyRequestOf(await pageAt(browser, path));
  const credential = await device.create(request);
  return { path, fields: { name, credential, sealed: request.sealed ?? "" }, device };
}

/** Adds a passkey. @returns the authenticator that has it */
export async function addPasskey(browser: Browser, name?: string): Promise<Authenticator> {
  const form = await newPasskey(browser, name);
  const answer = await browser.submit(form.path, form.fields);
  if (answer.status !== 303) throw new Error(`no passkey was added: ${answer.status}`);
  return form.device;
}

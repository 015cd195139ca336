import { Browser } from "./browser.ts";
import type { Service } from "./service.ts";

/** Returns a browser in which the operator has signed in. */
export async function signedInOperator(service: Service): Promise<Browser> {
  const browser = new Browser(service);
  const answer = await browser.submit("/operator/sign-in", { secret: service.operatorSecret });
  if (answer.status !== 303) throw new Error(`the operator's sign-in answered ${answer.status}`);
  return browser;
}

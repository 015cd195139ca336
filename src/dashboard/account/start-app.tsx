import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { limits } from "../../contract/limits.ts";
import { personFromCookie, sessionCookie } from "../../domain/identity/sessions.ts";
import {
  openTypedAddress,
  readTypedAddress,
  sealTypedAddress,
  typedAddressCookie,
  typedAddressMilliseconds,
} from "../../domain/identity/typed-address.ts";
import { canSignIn } from "../../domain/identity/ways.ts";
import { plainDocument } from "../../ui/document.tsx";
import { clearCookie, writeCookie } from "../frame/cookies.ts";
import type { DashboardEnv } from "../frame/env.ts";
import { signInAddress } from "./app.tsx";

/** Where an address that somebody typed on the welcome page goes, and where they return to after signing in. */
const startPath = "/dashboard/start";

const newCode = "/dashboard/codes/new";

/**
 * Leads from the field of the welcome page to the form of a new code with the address in it, by way of signing in or joining.
 * It only fills in the form: nothing is created, and the form judges the address as any other.
 */
export function startRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();

  app.get("/start", async (c) => {
    const { deps } = c.env;
    const given = c.req.query("address");
    const address =
      given === undefined
        ? await openTypedAddress(deps, getCookie(c, typedAddressCookie(deps)))
        : readTypedAddress(given);
    if (given !== undefined && address === null) return refuse(c);
    const isSignedIn = (await personFromCookie(deps, getCookie(c, sessionCookie(deps)))) !== null;
    if (isSignedIn) {
      clearCookie(deps, c, typedAddressCookie(deps));
      const query =
        address === null || address === "" ? "" : `?${new URLSearchParams({ "data.url": address })}`;
      return c.redirect(deps.settings.appOrigin + newCode + query);
    }
    if (address !== null && canSignIn(deps)) {
      const sealed = await sealTypedAddress(deps, address);
      writeCookie(deps, c, typedAddressCookie(deps), sealed, typedAddressMilliseconds);
    }
    return askToSignIn(c);
  });
  return app;
}

/**
 * Goes on to the sign-in by a page of its own. By a redirect, browsers would still hold the welcome page's `form-action`
 * against each host on the way, and the provider is another one.
 */
async function askToSignIn(c: Context<DashboardEnv>): Promise<Response> {
  const address = signInAddress(c.env.deps, startPath);
  const page = (
    <>
      <h1>Sign in to make the code</h1>
      <p>
        <a class="button primary" href={address}>
          Continue
        </a>
      </p>
    </>
  );
  const head = <meta http-equiv="refresh" content={`0;url=${address}`} />;
  return c.html(await plainDocument(c.env.files, "Sign in to make the code", page, { head }));
}

async function refuse(c: Context<DashboardEnv>): Promise<Response> {
  const page = (
    <>
      <h1>This address is too long</h1>
      <p>A destination can have at most {limits.destination} characters. Go back and shorten it.</p>
    </>
  );
  return c.html(await plainDocument(c.env.files, "Problem: This address is too long", page), 400);
}

import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { limits } from "../../contract/limits.ts";
import { presetNamed } from "../../contract/presets.ts";
import { personFromCookie, sessionCookie } from "../../domain/identity/sessions.ts";
import {
  openTypedCode,
  readTypedAddress,
  sealTypedCode,
  type TypedCode,
  typedAddressCookie,
  typedAddressMilliseconds,
} from "../../domain/identity/typed-address.ts";
import { canSignIn } from "../../domain/identity/ways.ts";
import { plainDocument } from "../../ui/document.tsx";
import { clearCookie, writeCookie } from "../frame/cookies.ts";
import type { DashboardEnv } from "../frame/env.ts";
import { signInAddress } from "./app.tsx";
import { startPath } from "./typed-code.tsx";

const newCode = "/dashboard/codes/new";

/**
 * Leads from the field of the welcome page to the form of a new code with the address and the look in it, by way of signing
 * in or joining.
 * It only fills in the form: nothing is created, and the form judges the address as any other.
 */
export function startRoutes(): Hono<DashboardEnv> {
  const app = new Hono<DashboardEnv>();

  app.get("/start", async (c) => {
    const { deps } = c.env;
    const given = c.req.query("address");
    const address = given === undefined ? null : readTypedAddress(given);
    if (given !== undefined && address === null) return refuse(c);
    const look = c.req.query("look") ?? "";
    const typed =
      address === null
        ? await openTypedCode(deps, getCookie(c, typedAddressCookie(deps)))
        : { address, look: presetNamed(look) === undefined ? null : look };
    const isSignedIn = (await personFromCookie(deps, getCookie(c, sessionCookie(deps)))) !== null;
    if (isSignedIn) {
      clearCookie(deps, c, typedAddressCookie(deps));
      return c.redirect(deps.settings.appOrigin + newCode + queryOf(typed));
    }
    if (typed !== null && canSignIn(deps)) {
      const sealed = await sealTypedCode(deps, typed);
      writeCookie(deps, c, typedAddressCookie(deps), sealed, typedAddressMilliseconds);
    }
    return askToSignIn(c);
  });
  return app;
}

/** Returns the query with which the form of a new code begins as a newcomer typed and chose. */
function queryOf(typed: TypedCode | null): string {
  if (typed === null || typed.address === "") return "";
  const look = typed.look === null ? {} : { look: typed.look };
  return `?${new URLSearchParams({ "data.url": typed.address, ...look })}`;
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
  return c.html(await plainDocument(c.env.base, "Sign in to make the code", page, { head }));
}

async function refuse(c: Context<DashboardEnv>): Promise<Response> {
  const page = (
    <>
      <h1>This address is too long</h1>
      <p>A destination can have at most {limits.destination} characters. Go back and shorten it.</p>
    </>
  );
  return c.html(await plainDocument(c.env.base, "Problem: This address is too long", page), 400);
}

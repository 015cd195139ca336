import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type { Deps } from "../../domain/deps.ts";
import { isSecure } from "../../domain/identity/sessions.ts";

/** Sets a cookie that scripts can't read. @param sameSite whether links of other sites lead to a page with it */
export const writeCookie = (
  deps: Deps,
  c: Context,
  name: string,
  value: string,
  milliseconds: number,
  sameSite: "Lax" | "Strict" = "Lax",
) =>
  setCookie(c, name, value, {
    path: "/",
    httpOnly: true,
    sameSite,
    secure: isSecure(deps),
    maxAge: milliseconds / 1000,
  });

export const clearCookie = (deps: Deps, c: Context, name: string) => writeCookie(deps, c, name, "", 0);

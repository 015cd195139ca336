import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type { Deps } from "../../domain/deps.ts";
import { isSecure } from "../../domain/identity/sessions.ts";

/** Sets a cookie that scripts can't read. */
export const writeCookie = (deps: Deps, c: Context, name: string, value: string, milliseconds: number) =>
  setCookie(c, name, value, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: isSecure(deps),
    maxAge: milliseconds / 1000,
  });

export const clearCookie = (deps: Deps, c: Context, name: string) => writeCookie(deps, c, name, "", 0);

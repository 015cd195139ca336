import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { createMiddleware } from "hono/factory";
import type { Plan } from "../contract/plans.ts";
import { type Auth, authOf } from "../contract/endpoints/endpoint.ts";
import { tooMany } from "../domain/errors.ts";
import { authenticate, meter, noteUse, requireWorkingKey } from "../domain/identity/keys.ts";
import { requireOperator } from "../domain/operations/operator.ts";
import {
  authenticateSession,
  meterOf,
  requireOwnOrigin,
  sessionCookie,
} from "../domain/identity/sessions.ts";
import { clientAddressOf } from "../lib/web/network.ts";
import type { MeterReading } from "../protocol/key-meter.ts";
import type { Admitted, ApiEnv } from "./context.ts";

/** What every path under `/api/v1` is behind. */
export const basePath = "/api/v1";

/** Who calls, and whether their minute has room: before anything is validated or read. */
export const admission = createMiddleware<ApiEnv>(async (c, next) => {
  c.set("admitted", await admit[authOf(c.req.path.slice(basePath.length))](c));
  await next();
});

const admit: Record<Auth, (c: Context<ApiEnv>) => Promise<Admitted>> = {
  key: admitKey,
  session: admitSession,
  operator: admitOperator,
};

async function admitKey(c: Context<ApiEnv>): Promise<Admitted> {
  const deps = c.get("deps");
  const { caller: known, allowance } = await authenticate(
    deps,
    c.req.header("authorization"),
    clientAddressOf(c.req.raw),
  );
  const caller = { ...known, plan: requireRoom(c, await meter(deps, known, allowance)) };
  requireWorkingKey(caller);
  c.executionCtx.waitUntil(noteUse(deps, caller));
  return { auth: "key", caller };
}

async function admitSession(c: Context<ApiEnv>): Promise<Admitted> {
  const deps = c.get("deps");
  const { known, by } = await authenticateSession(deps, {
    authorization: c.req.header("authorization"),
    cookie: getCookie(c, sessionCookie(deps)),
  });
  const reading = await deps.meter(meterOf(known.member)).hit(deps.now(), known.allowance);
  const caller = { ...known.member, plan: requireRoom(c, reading) };
  const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
  if (by === "cookie" && changes) requireOwnOrigin(deps, c.req.header("origin"));
  return { auth: "session", caller };
}

async function admitOperator(c: Context<ApiEnv>): Promise<Admitted> {
  await requireOperator(c.get("deps"), c.req.header("authorization"), clientAddressOf(c.req.raw));
  return { auth: "operator", caller: null };
}

/** @returns the plan the request is under: the newest the meter has heard of, whatever an isolate remembers */
function requireRoom(c: Context<ApiEnv>, reading: MeterReading): Plan {
  c.header("x-ratelimit-limit", String(reading.allowance.requestsPerMinute));
  c.header("x-ratelimit-remaining", String(reading.remaining));
  if (reading.outcome === "over") throw tooMany(reading.resetSeconds);
  return reading.allowance.plan;
}

import { perIsolate } from "../../lib/isolate-memory.ts";
import { bounds } from "../../protocol/bounds.ts";
import { countRequests, takeRequest } from "../../store/domains/cloudflare-requests.ts";
import type { Deps } from "../deps.ts";

const budget = bounds.cloudflareRequests;

/** How many requests to Cloudflare's API one check makes at most. */
const perCheck = 6;

/** Requests to DNS and to Cloudflare, which an isolate has made. */
const made = perIsolate(() => ({ requests: 0 }));

/** Returns how many requests to DNS and to Cloudflare the isolate has made. */
export const requestsMade = (deps: Deps): number => made(deps).requests;

/** Sends a request to DNS or to Cloudflare. */
export function ask(deps: Deps, url: string, init: RequestInit): Promise<Response> {
  made(deps).requests += 1;
  return deps.fetch(url, init);
}

/** Takes a request to Cloudflare's API from the installation's budget. @returns how long there is none; 0 if there was one */
export async function waitForRequest(deps: Deps): Promise<number> {
  const now = deps.now();
  const period = Math.floor(now / budget.period);
  const isTaken = await takeRequest(deps.db, period, budget.all);
  return isTaken ? 0 : (period + 1) * budget.period - now;
}

/** Returns whether the budget has enough left for a check. @param by who asks for it */
export async function hasRequestsLeft(deps: Deps, by: "person" | "sweep"): Promise<boolean> {
  const used = await countRequests(deps.db, Math.floor(deps.now() / budget.period));
  return used + perCheck <= (by === "person" ? budget.asked : budget.all);
}

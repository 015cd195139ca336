import { expect } from "vitest";
import type { PageRoute, Route } from "../../../src/protocol/routes.ts";
import { type Resource, type ScanOutcome, suspended } from "./scenario-resources.ts";
import type { Edge } from "./world.ts";

/** Scans a code or page. @returns the outcome, and when the scan was answered */
export async function scanResource(
  edge: Edge,
  { kind, id, key }: Resource,
  now: () => number,
): Promise<{ outcome: ScanOutcome; at: number }> {
  let at = 0;
  const onResponse = () => {
    at = now();
  };
  if (kind === "page") {
    const response = await edge.service.fetch(`/pages/${id}`, { cf: edge.cf }, onResponse);
    expect([200, 403, 404]).toContain(response.status);
    if (response.status === 403) return { outcome: suspended, at };
    const html = await response.text();
    return { outcome: response.ok ? (/<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? "") : null, at };
  }
  const response = await edge.service.fetch(`/${key}`, { method: "HEAD", cf: edge.cf }, onResponse);
  expect([302, 403, 404]).toContain(response.status);
  return { outcome: response.status === 403 ? suspended : response.headers.get("location"), at };
}

/** Returns a resource's outcome according to the route cache's record. */
export function outcomeOf({ kind }: Resource, cached: Route & PageRoute): ScanOutcome {
  if (cached.suspended !== undefined) return suspended;
  // The intersection of the two records' types lacks `paused`.
  const status: string = cached.status;
  if (status === "paused") return cached.fallback ?? null;
  if (kind === "workspace" || status !== "active") return null;
  return kind === "code" ? cached.destination : cached.content.title;
}

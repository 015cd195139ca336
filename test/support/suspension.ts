import { expect } from "vitest";
import type { FakeClock, Service } from "./service.ts";

/** The kinds of resources that can be suspended, as named in the operator's paths. */
export type Suspendable = "qr" | "pages" | "workspaces";

export const suspensionPath = (kind: Suspendable, id: string): string => `/operator/${kind}/${id}/suspension`;

/** Suspends through the operator's endpoint (null lifts the suspension), and waits for the bound of the guarantee. */
export async function setSuspension(
  { service, clock }: { readonly service: Service; readonly clock: FakeClock },
  kind: Suspendable,
  id: string,
  body: object | null = { reason: "Reported as phishing" },
): Promise<void> {
  const method = body === null ? "DELETE" : "PUT";
  const answer = await service.operator.send(method, suspensionPath(kind, id), body ?? undefined);
  expect(answer.status).toBe(200);
  clock.advance(1001);
}

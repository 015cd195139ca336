import type { Scope } from "./resources/enums.ts";
import type { Permission } from "./roles.ts";

/** The kinds of things that wait for a person. Without zod, for what is evaluated at a Worker's start. */

interface Kind {
  /** The role must allow this, or the key have this scope, to get it listed. */
  readonly permission: Permission;
  readonly scope: Scope;
}

/** The kinds that the catalogue knows. */
const stored = {
  proposal: { permission: "codes.write", scope: "qr:read" },
  job: { permission: "codes.write", scope: "qr:read" },
  print: { permission: "codes.read", scope: "qr:read" },
  design: { permission: "codes.write", scope: "qr:read" },
  domain: { permission: "domains", scope: "workspace:read" },
  closed: { permission: "codes.write", scope: "scans:read" },
} as const satisfies Record<string, Kind>;

/** Every kind, most pressing first. */
export const waitingKinds = {
  proposal: stored.proposal,
  webhook: { permission: "webhooks", scope: "webhooks:read" },
  delivery: { permission: "webhooks", scope: "webhooks:read" },
  domain: stored.domain,
  job: stored.job,
  print: stored.print,
  design: stored.design,
  closed: stored.closed,
  limit: { permission: "codes.write", scope: "workspace:read" },
} as const satisfies Record<string, Kind>;

export type StoredWaitingKind = keyof typeof stored;

/** Their names. */
export const waitingKindNames = Object.keys(waitingKinds) as (keyof typeof waitingKinds)[];

import type { PropsWithChildren } from "hono/jsx";

/** A word about the status of something. */
export function Badge({ kind, children }: PropsWithChildren<{ kind: "good" | "warn" | "bad" }>) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

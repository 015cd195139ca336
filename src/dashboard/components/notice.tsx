import type { PropsWithChildren } from "hono/jsx";

interface Props {
  readonly kind: "good" | "info" | "warn" | "bad";
  /** `status` for what has just happened: screen readers announce it. */
  readonly role?: "status";
}

/** A message above the content. */
export function Notice({ kind, role, children }: PropsWithChildren<Props>) {
  return (
    <div class={`notice ${kind}`} role={role}>
      {children}
    </div>
  );
}

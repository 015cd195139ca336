import type { PropsWithChildren } from "hono/jsx";

interface Props {
  /** Determines its mark: a square, two bars, a ring, a dash or a triangle. */
  readonly kind: "active" | "paused" | "scheduled" | "ended" | "bad";
}

/** A status, as a mark and a word. */
export const Status = ({ kind, children }: PropsWithChildren<Props>) => (
  <span class={`status ${kind}`}>{children}</span>
);

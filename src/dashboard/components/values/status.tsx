import type { PropsWithChildren } from "hono/jsx";

interface Props {
  /** Its mark: a square, two bars, a ring, a dash, a triangle. */
  readonly kind: "active" | "paused" | "scheduled" | "ended" | "bad";
}

/** The status of a thing, as a mark and a word. */
export const Status = ({ kind, children }: PropsWithChildren<Props>) => (
  <span class={`status ${kind}`}>{children}</span>
);

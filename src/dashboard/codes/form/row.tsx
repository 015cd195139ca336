import type { Child, PropsWithChildren } from "hono/jsx";

interface RowProps {
  readonly title: string;
  /** A brief summary of its fields. */
  readonly state: Child;
  readonly isOpen: boolean;
}

/** Rarely needed fields: a line that summarises and opens them. */
export const Row = ({ title, state, isOpen, children }: PropsWithChildren<RowProps>) => (
  <details class="more" open={isOpen}>
    <summary>
      {title} <span class="quiet">{state}</span>
    </summary>
    <div>{children}</div>
  </details>
);

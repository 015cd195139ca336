import type { Child, PropsWithChildren } from "hono/jsx";

interface RowProps {
  readonly title: string;
  /** A brief summary of its fields, which a script renews. */
  readonly state: Child;
  /** The summary of empty fields. */
  readonly none?: string;
  readonly isOpen: boolean;
}

/** Rarely needed fields: a line that summarises and opens them. */
export const Row = ({ title, state, none, isOpen, children }: PropsWithChildren<RowProps>) => (
  <details class="more" open={isOpen} data-none={none}>
    <summary>
      {title} <span class="quiet">{state}</span>
    </summary>
    <div>{children}</div>
  </details>
);

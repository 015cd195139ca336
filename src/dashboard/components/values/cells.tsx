import type { Child, PropsWithChildren } from "hono/jsx";

/** A word about the status of something. */
export function Badge({ kind, children }: PropsWithChildren<{ kind: "good" | "warn" | "bad" }>) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** A cell with a number. Its noun is shown where the table has no header, on phones. */
export function NumberCell({ unit, children }: { unit: string; children: Child }) {
  return (
    <td class="number">
      {children}
      <span class="unit"> {unit}</span>
    </td>
  );
}

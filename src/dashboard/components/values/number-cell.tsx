import type { Child } from "hono/jsx";

/** A cell with a number. Its noun is shown where the table has no header, on phones. */
export function NumberCell({ unit, children }: { unit: string; children: Child }) {
  return (
    <td class="number">
      {children}
      <span class="unit"> {unit}</span>
    </td>
  );
}

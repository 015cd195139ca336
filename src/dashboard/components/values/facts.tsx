import type { Child } from "hono/jsx";

/** Names with their values, one below the other. A value that is null is left out. */
export function Facts({ items }: { items: readonly (readonly [name: string, value: Child | null])[] }) {
  return (
    <dl class="facts">
      {items
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
    </dl>
  );
}

import type { Child } from "hono/jsx";

/** Names and values, one pair per line. Omits null values. */
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

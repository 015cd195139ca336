import type { Child } from "hono/jsx";

/** A name and its value; null to leave it out. */
export type FactsItem = readonly [name: string, value: Child | null];

/** Names and values, one pair per line. Omits null values. */
export function Facts({ items }: { items: readonly FactsItem[] }) {
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

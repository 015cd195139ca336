/** Numbers with their names, side by side. */
export function Figures({ items }: { items: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="figures">
      {items.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

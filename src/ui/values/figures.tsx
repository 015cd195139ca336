/** A number with its name, and a few words below it. */
type Figure = readonly [name: string, value: string, detail?: string];

/** Numbers with their names, side by side. */
export function Figures({ items }: { items: readonly Figure[] }) {
  return (
    <dl class="figures">
      {items.map(([name, value, detail]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {detail !== undefined && <dd class="detail">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}

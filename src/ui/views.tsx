interface Props<Path extends string> {
  readonly label: string;
  /** Paths and names. */
  readonly views: readonly (readonly [path: Path, name: string])[];
  readonly current: Path;
}

/** Links to the views of an area. */
export function Views<Path extends string>({ label, views, current }: Props<Path>) {
  return (
    <nav aria-label={label}>
      <ul class="tabs">
        {views.map(([path, name]) => (
          <li>
            <a href={path} aria-current={path === current ? "page" : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

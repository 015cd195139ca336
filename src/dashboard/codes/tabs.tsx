const views = [
  ["/dashboard/codes", "All codes"],
  ["/dashboard/codes/most-scanned", "Most scanned"],
] as const;

/** The views of the codes. @param current the path of the one that is shown */
export function CodeTabs({ current }: { current: (typeof views)[number][0] }) {
  return (
    <nav aria-label="Views of the codes">
      <ul class="tabs views">
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

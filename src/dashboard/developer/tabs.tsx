const views = [
  ["/dashboard/developer", "Overview"],
  ["/dashboard/developer/keys", "Keys"],
  ["/dashboard/developer/webhooks", "Webhooks"],
] as const;

/** The views of the developer area, and the way to the API's reference. @param current the path of the one that is shown */
export function DeveloperTabs({ current }: { current: (typeof views)[number][0] }) {
  return (
    <nav aria-label="Views for developers">
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

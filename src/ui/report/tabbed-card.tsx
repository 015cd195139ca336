import type { Child } from "hono/jsx";

interface Props {
  /** Unique on the page. */
  readonly id: string;
  /** The subject that the tabs have in common, such as places. */
  readonly label: string;
  /** At most four, because the stylesheet has rules for that many. */
  readonly tabs: readonly { readonly title: string; readonly content: Child }[];
}

/**
 * Lists of the same kind, one of them shown. Built from radio buttons and styles, so that it needs no script. In print,
 * all are shown.
 */
export function TabbedCard({ id, label, tabs }: Props) {
  if (tabs.length === 0) return null;
  return (
    <section class={`card tabbed ${id}`} aria-label={label}>
      {tabs.length > 1 && (
        <fieldset class="card-tabs">
          <legend class="visually-hidden">{label} by</legend>
          {tabs.map(({ title }, index) => (
            <label>
              <input class="covered" type="radio" name={id} checked={index === 0} autocomplete="off" />
              {title}
            </label>
          ))}
        </fieldset>
      )}
      {tabs.map(({ title, content }) => (
        <div class="card-panel">
          <h2 class={tabs.length > 1 ? "panel-title" : undefined}>{title}</h2>
          {content}
        </div>
      ))}
    </section>
  );
}
